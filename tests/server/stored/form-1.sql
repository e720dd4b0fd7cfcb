-- A log of the first form, as a crash left it in the middle of a match: Ann has laid a piece. Never change it.
pragma application_id = 1432514414;
pragma user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE codes (hash blob primary key, player text not null, until integer not null) without rowid;
CREATE TABLE guests (player text primary key, name text not null, made integer not null, seen integer not null)
        without rowid;
INSERT INTO "guests" VALUES('player-Ann','Ann',1790000000000,1790000000000);
INSERT INTO "guests" VALUES('player-Bo','Bo',1790000000000,1790000000000);
CREATE TABLE log (
        id integer primary key,
        match integer not null,
        version integer not null,
        at integer not null,
        events blob not null
    );
INSERT INTO "log" VALUES(1,1,1,0,'[{"type":"dealt","seat":0,"task":{"pieces":["yellow-4","yellow-8","yellow-13"],"region":[[0,3],[0,4],[1,2],[1,3],[1,4],[2,0],[2,1],[2,2],[2,3],[3,0],[3,1],[3,2],[3,3],[4,1],[4,2]],"board":"53","number":"","face":"down"}}]');
INSERT INTO "log" VALUES(2,1,2,0,'[{"type":"dealt","seat":1,"task":{"pieces":["green-3","green-12","green-13"],"region":[[0,3],[1,2],[1,3],[1,4],[2,2],[2,3],[3,1],[3,2],[3,3],[4,0],[4,1],[4,2],[4,3],[5,1],[5,2],[5,3]],"board":"13","number":"","face":"down"}}]');
INSERT INTO "log" VALUES(3,1,3,0,'[{"type":"readied","seat":0}]');
INSERT INTO "log" VALUES(4,1,4,0,'[{"type":"readied","seat":1}]');
INSERT INTO "log" VALUES(5,1,5,0,'[{"type":"started","at":0,"limit":null}]');
INSERT INTO "log" VALUES(6,1,6,0,'[{"type":"glass_turned","turned":1,"ends":60000}]');
INSERT INTO "log" VALUES(7,1,7,900,'[{"type":"placed","seat":0,"piece":0,"turn":3,"at":[1,2]}]');
CREATE TABLE matches (
        match integer primary key,
        table_key text not null,
        opening blob not null,
        started integer not null,
        since integer not null,
        upto integer,
        ended integer
    );
INSERT INTO "matches" VALUES(1,'00000000000000000000000000000000','{"game":"extreme","seats":["Ann","Bo"],"seed":"abc","options":{"edition":"extreme-4e43f8a1cbe9"}}',1790000000000,0,NULL,NULL);
CREATE TABLE tables (key text primary key, state text not null, body blob not null, changed integer not null)
        without rowid;
INSERT INTO "tables" VALUES('00000000000000000000000000000000','running','{"game":"extreme","options":{},"chairs":[{"player":"player-Ann","name":"Ann","bot":null},{"player":"player-Bo","name":"Bo","bot":null}],"host":"player-Ann","public":false,"made":1790000000000,"next":null}',1790000000000);
CREATE TABLE tokens (hash blob primary key, player text not null, made integer not null) without rowid;
INSERT INTO "tokens" VALUES(X'3CCA7CFA072237A38F70487387138A3553F001969E13B02FBD6864EDEEAA1695','player-Bo',1790000000000);
INSERT INTO "tokens" VALUES(X'A16E3DFFFBA0916F8F5EEA317F6103FADC61D511154AF14B4C3CDFAB05F8053F','player-Ann',1790000000000);
CREATE INDEX tables_by_state on tables (state);
COMMIT;
