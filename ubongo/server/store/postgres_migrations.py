"""The database schema in PostgreSQL, as a list of migrations. The tables are those of `sqlite_migrations`.

A migration that has been released is never changed: the next one is added below it. The previous version of the program
has to work with it, since it may still be running while the new one starts.
"""

from __future__ import annotations

# Text is compared byte by byte, as in SQLite, whatever the machine's locale is.
MIGRATIONS: tuple[str, ...] = (
    """
    create table log (
        match bigint not null,
        version integer not null,
        at bigint not null,
        events bytea not null,
        writer bigint not null,
        primary key (match, version)
    );
    -- Narrow, and with room on every page: a move rewrites a row of it.
    create table versions (match bigint primary key, version integer not null) with (fillfactor = 50);
    create sequence match_numbers;
    create table matches (
        match bigint primary key,
        table_key text collate "C" not null,
        opening bytea not null,
        started bigint not null,
        since bigint not null,
        upto bigint,
        ended bigint
    );
    create index matches_running on matches (match) where ended is null;
    create table tables (
        key text collate "C" primary key, state text collate "C" not null, body bytea not null, changed bigint not null
    );
    create table guests (
        player text collate "C" primary key, name text collate "C" not null, made bigint not null, seen bigint not null
    );
    create index guests_by_seen on guests (seen);
    -- Keys are hashes: whoever reads this can be nobody.
    create table tokens (hash bytea primary key, player text collate "C" not null, made bigint not null);
    create index tokens_by_player on tokens (player);
    create table codes (hash bytea primary key, player text collate "C" not null, until bigint not null);
    create index codes_by_player on codes (player);
    create table archive (
        match bigint primary key,
        opening bytea not null,
        players text collate "C" not null,
        ended bigint not null,
        lines bytea not null,
        started bigint not null default 0
    );
    create table archived (player text collate "C" not null, match bigint not null, primary key (player, match));
    create table results (
        match bigint not null,
        seat integer not null,
        player text collate "C",
        name text collate "C" not null,
        game text collate "C" not null,
        ended bigint not null,
        kind text collate "C" not null,
        edition text collate "C" not null,
        day text collate "C" not null,
        scored integer not null,
        first bigint not null,
        second bigint not null,
        solved integer not null,
        rounds integer not null,
        took bigint,
        place integer not null,
        seats integer not null,
        total bigint not null,
        primary key (match, seat)
    );
    create index results_by_kind on results (kind, edition, first, second);
    create index results_by_player on results (player);
    create table solves (
        match bigint not null,
        seat integer not null,
        player text collate "C" not null,
        game text collate "C" not null,
        grade integer not null,
        difficulty double precision not null,
        took bigint not null,
        ended bigint not null
    );
    create index solves_by_player on solves (player);
    create table tallied (match bigint primary key);
    create table tries (
        player text collate "C" not null,
        day text collate "C" not null,
        game text collate "C" not null,
        table_key text collate "C" not null,
        primary key (player, day, game)
    );
    -- How far `ubongo move` has come. There is nothing in it but while a move is not finished.
    create table moving (part text collate "C" primary key, last text collate "C" not null);
    """,
    """
    -- What was written stays as it was written. Rows go only when their match is put away whole.
    create function log_stays() returns trigger language plpgsql as $$
    begin
        if tg_op = 'DELETE' and exists (select 1 from archive where match = old.match) then
            return old;
        end if;
        raise exception 'the log is only appended to';
    end $$;
    create trigger log_stays before update or delete on log for each row execute function log_stays();
    """,
    """
    create function clock_ms() returns bigint language sql volatile as
        'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
    -- Who serves here, and when they were last heard of, by the database's clock.
    create table houses (house bigint primary key, beat bigint not null);
    -- Which house has which table open, since when, and who is connected to it there.
    create table serving (
        table_key text collate "C" not null,
        house bigint not null,
        since bigint not null,
        here text collate "C" not null default '',
        primary key (table_key, house)
    );
    create index serving_by_house on serving (house);
    create index tables_by_change on tables (changed);
    create index matches_by_table on matches (table_key);
    """,
    """
    -- A house holds a lock by its number, which is gone with its line; one that is only stuck is not heard of any more.
    create view living as select house from houses where beat > clock_ms() - 4000 and exists (
        select 1 from pg_locks where locktype = 'advisory' and objsubid = 1
        and classid = cast(house >> 32 as oid) and objid = cast(house & 4294967295 as oid)
    );
    """,
    """
    -- Somebody's games are read newest first, a page at a time; a day's puzzle has a table of records of its own.
    drop index results_by_player;
    create index results_by_player on results (player, ended, match);
    drop index results_by_kind;
    create index results_by_kind on results (kind, edition, day, first, second);
    """,
    """
    -- Who sits at which table or is its host. What a table's body says is noted whoever writes it.
    create table seated (
        player text collate "C" not null, table_key text collate "C" not null, primary key (player, table_key)
    );
    create index seated_by_table on seated (table_key);
    create function sitters(body bytea) returns setof text language sql immutable as $$
        select plan ->> 'host' from (select cast(convert_from(body, 'UTF8') as json) as plan) as one
        union select chair ->> 'player'
        from json_array_elements(coalesce(cast(convert_from(body, 'UTF8') as json) -> 'chairs', '[]')) as chair
    $$;
    insert into seated select player, key from tables, sitters(body) as player where player is not null;
    create function note_seated() returns trigger language plpgsql as $$
    begin
        if tg_op <> 'INSERT' then
            delete from seated where table_key = old.key;
        end if;
        if tg_op <> 'DELETE' then
            insert into seated select player, new.key from sitters(new.body) as player where player is not null;
        end if;
        return null;
    end $$;
    create trigger tables_added after insert or delete on tables for each row execute function note_seated();
    create trigger tables_changed after update of body on tables for each row
        when (old.body is distinct from new.body) execute function note_seated();
    """,
    """
    -- The days (since 1970) on which a server ran, and when it last did: a clock that leaps ahead makes nothing old.
    create table heartbeats (day bigint primary key, at bigint not null);
    """,
    """
    -- What operators have decided, in order. `done`: when a server carried it out.
    create table moderation (
        decision bigint primary key,
        at bigint not null,
        operator text collate "C" not null,
        action text collate "C" not null,
        target text collate "C" not null,
        reason text collate "C" not null,
        done bigint
    );
    create index moderation_pending on moderation (decision) where done is null;
    -- Who may not come: a guest, or a network. Without `until` it lasts until it is lifted. `with_address`: wherever
    -- the guest is seen, that address is banned too.
    create table bans (
        target text collate "C" primary key,
        kind text collate "C" not null,
        name text collate "C" not null,
        at bigint not null,
        until bigint,
        reason text collate "C" not null,
        with_address integer not null
    );
    -- Results that are no records any more, also after the records are rebuilt; and by which decision.
    create table removed_records (
        match bigint not null, seat integer not null, decision bigint not null, primary key (match, seat)
    );
    """,
    """
    -- A token is a device: when it was last here (0: not since this is noted), and which browser on which system it is.
    alter table tokens add column seen bigint not null default 0;
    alter table tokens add column label text collate "C" not null default '';
    """,
)
