"""The database schema in SQLite, as a list of migrations.

A migration that has been released is never changed: the next one is added below it.
"""

from __future__ import annotations

MIGRATIONS: tuple[str, ...] = (
    """
    -- Appended to and never searched: an index would cost five times the writing. Matches say where theirs begins.
    create table log (
        id integer primary key,
        match integer not null,
        version integer not null,
        at integer not null,
        events blob not null
    );
    create table matches (
        match integer primary key,
        table_key text not null,
        opening blob not null,
        started integer not null,
        since integer not null,
        upto integer,
        ended integer
    );
    create table tables (key text primary key, state text not null, body blob not null, changed integer not null)
        without rowid;
    create index tables_by_state on tables (state);
    create table guests (player text primary key, name text not null, made integer not null, seen integer not null)
        without rowid;
    -- Keys are hashes: whoever reads this file can be nobody.
    create table tokens (hash blob primary key, player text not null, made integer not null) without rowid;
    create table codes (hash blob primary key, player text not null, until integer not null) without rowid;
    """,
    """
    -- What was played long ago, each match in one piece: its events as lines, packed by zlib, and who sat where.
    create table archive (
        match integer primary key,
        opening blob not null,
        players text not null,
        ended integer not null,
        lines blob not null
    );
    """,
    """
    -- What the logs came to, for records and profiles: all of it can be made again from them.
    create table results (
        match integer not null,
        seat integer not null,
        player text,
        name text not null,
        game text not null,
        ended integer not null,
        kind text not null,
        edition text not null,
        day text not null,
        scored integer not null,
        first integer not null,
        second integer not null,
        solved integer not null,
        rounds integer not null,
        took integer,
        place integer not null,
        seats integer not null,
        total integer not null,
        primary key (match, seat)
    ) without rowid;
    create index results_by_kind on results (kind, edition, first, second);
    create index results_by_player on results (player);
    create table solves (
        match integer not null,
        seat integer not null,
        player text not null,
        game text not null,
        grade integer not null,
        difficulty real not null,
        took integer not null,
        ended integer not null
    );
    create index solves_by_player on solves (player);
    alter table archive add column started integer not null default 0;
    -- Matches that have been looked at, whatever they came to.
    create table tallied (match integer primary key);
    -- The first table at which somebody began a day's puzzle.
    create table tries (
        player text not null,
        day text not null,
        game text not null,
        table_key text not null,
        primary key (player, day, game)
    ) without rowid;
    """,
    """
    -- Guests are looked up here, and a guest who goes is found everywhere without looking through everything.
    create index tokens_by_player on tokens (player);
    create index codes_by_player on codes (player);
    create index guests_by_seen on guests (seen);
    create table archived (player text not null, match integer not null, primary key (player, match)) without rowid;
    insert or ignore into archived
        select value, match from archive, json_each(archive.players) where value is not null;
    """,
    """
    -- What was written stays as it was written. Rows go only when their match is put away whole.
    create trigger log_stays before update on log begin
        select raise(abort, 'the log is only appended to');
    end;
    create trigger log_stays_whole before delete on log
    when not exists (select 1 from archive where match = old.match) begin
        select raise(abort, 'the log is only appended to');
    end;
    """,
    """
    -- Somebody's games are read newest first, a page at a time; a day's puzzle has a table of records of its own.
    drop index results_by_player;
    create index results_by_player on results (player, ended, match);
    drop index results_by_kind;
    create index results_by_kind on results (kind, edition, day, first, second);
    """,
    """
    -- Tables that are over are only here, and looked up when somebody asks for them.
    create index matches_by_table on matches (table_key);
    drop index tables_by_state;
    create index tables_by_state on tables (state, changed);
    -- Who sits at which table or is its host. What a table's body says is noted whoever writes it.
    create table seated (player text not null, table_key text not null, primary key (player, table_key)) without rowid;
    create index seated_by_table on seated (table_key);
    insert into seated
        select json_extract(chair.value, '$.player'), tables.key
        from tables, json_each(cast(body as text), '$.chairs') as chair
        where json_extract(chair.value, '$.player') is not null
        union select json_extract(cast(body as text), '$.host'), key from tables
        where json_extract(cast(body as text), '$.host') is not null;
    create trigger tables_added after insert on tables begin
        insert into seated
            select json_extract(value, '$.player'), new.key from json_each(cast(new.body as text), '$.chairs')
            where json_extract(value, '$.player') is not null
            union select json_extract(cast(new.body as text), '$.host'), new.key
            where json_extract(cast(new.body as text), '$.host') is not null;
    end;
    create trigger tables_changed after update of body on tables when old.body <> new.body begin
        delete from seated where table_key = new.key;
        insert into seated
            select json_extract(value, '$.player'), new.key from json_each(cast(new.body as text), '$.chairs')
            where json_extract(value, '$.player') is not null
            union select json_extract(cast(new.body as text), '$.host'), new.key
            where json_extract(cast(new.body as text), '$.host') is not null;
    end;
    create trigger tables_removed after delete on tables begin
        delete from seated where table_key = old.key;
    end;
    """,
    """
    -- Where the rows of each match that is over lie in the log: their numbers, as a JSON array.
    create table places (match integer primary key, ids text not null);
    insert into places
        select match, json_group_array(id) from log cross join matches using (match)
        where ended is not null and id <= upto group by match;
    """,
    """
    -- The days (since 1970) on which a server ran, and when it last did: a clock that leaps ahead makes nothing old.
    create table heartbeats (day integer primary key, at integer not null);
    """,
    """
    -- What operators have decided, in order. `done`: when a server carried it out.
    create table moderation (
        decision integer primary key,
        at integer not null,
        operator text not null,
        action text not null,
        target text not null,
        reason text not null,
        done integer
    );
    create index moderation_pending on moderation (decision) where done is null;
    -- Who may not come: a guest, or a network. Without `until` it lasts until it is lifted. `with_address`: wherever
    -- the guest is seen, that address is banned too.
    create table bans (
        target text primary key,
        kind text not null,
        name text not null,
        at integer not null,
        until integer,
        reason text not null,
        with_address integer not null
    ) without rowid;
    -- Results that are no records any more, also after the records are rebuilt; and by which decision.
    create table removed_records (
        match integer not null, seat integer not null, decision integer not null, primary key (match, seat)
    ) without rowid;
    """,
    """
    -- A token is a device: when it was last here (0: not since this is noted), and which browser on which system it is.
    alter table tokens add column seen integer not null default 0;
    alter table tokens add column label text not null default '';
    """,
)
