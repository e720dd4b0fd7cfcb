"""The next version of the program, as far as the database is concerned: one more compatible migration.

python -m tests.server.newer serve --port 0 --db postgresql://...
"""

from __future__ import annotations

from ubongo.cli import main
from ubongo.server.store.postgres_migrations import MIGRATIONS
from ubongo.server.store.postgres_schema import migrate

NEXT = """
    alter table guests add column colour text;
    alter table tables add column mood text not null default '';
    alter table log add column note text;
    create table moods (mood text primary key);
"""

migrate.__defaults__ = ((*MIGRATIONS, NEXT),)

if __name__ == "__main__":
    main()
