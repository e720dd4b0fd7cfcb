"""Attacks with well-formed requests and moves, but far too many of them."""

from __future__ import annotations

import asyncio
import itertools
import random
import string

from bench.players import GAME_OPTIONS, Http, Player, open_table, sit_down, until
from bench.siege.attacker import EVE, Attacker
from bench.siege.floods import Flood
from ubongo.server.lobby.table_keys import new_key

NAMES = (
    "Eve", "E\u0301" * 20, "e" + "\u0300" * 39, "\u200d" * 39, "Easy bot", "Somebody", "\u202eevE", "Еvе", "<b>Eve</b>",
    "a" * 400, "\ufe0f" * 20, "", " ", "👩‍👩‍👧‍👦" * 5,
)  # fmt: skip
FORGED = (
    ("Host: evil.example", "Origin: http://evil.example"),
    ("Host: evil.example",),
    ("Host: " + "a" * 3000,),
    ("Host: 127.0.0.1@evil.example",),
    ("Origin: http://evil.example",),
    ("Origin: null",),
    ("Origin: https://127.0.0.1.evil.example",),
    ("Origin: file://",),
)


async def guest(attacker: Attacker, http: Http) -> str:
    """The new guest's token, or None."""
    known: dict[str, str] = await http.post("/guests", {"name": "Eve"})
    attacker.work["guests"] += 1
    return known["token"]


def asking(lines: int, *paths: str) -> Flood:
    """Sends these requests as fast as they are answered, on several connections."""

    async def flood(attacker: Attacker) -> None:
        turns = itertools.cycle(paths)

        async def once() -> None:
            http = await attacker.http()
            try:
                while True:
                    await attacker.ask(http, "GET", next(turns).format(table=attacker.finished))
            finally:
                http.close()

        await attacker.again(lines, once)

    return flood


async def requests(attacker: Attacker) -> None:
    """With another forwarded address each time, to look like many clients."""
    luck = random.Random(1)

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                spoofed = ".".join(str(luck.randrange(1, 255)) for _ in range(4))
                await attacker.ask(http, "GET", "/api/games", None, f"X-Forwarded-For: {spoofed}")
        finally:
            http.close()

    await attacker.again(30, once)


async def list_by_many_names(attacker: Attacker) -> None:
    """Requests the public list under many valid host names, so that no page of it stays cached."""
    luck = random.Random(1)

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                page = luck.choice((1, 1, luck.randrange(2, 1000)))
                name = f"Host: 10.{luck.randrange(256)}.{luck.randrange(256)}.{luck.randrange(256)}"
                await attacker.ask(http, "GET", f"/api/tables?page={page}", None, name)
        finally:
            http.close()

    await attacker.again(20, once)


async def tables(attacker: Attacker) -> None:
    """Opens public tables, as as many guests as possible."""

    async def once() -> None:
        http = await attacker.http()
        try:
            token = await guest(attacker, http)
            for _ in range(100):
                wanted = {"game": "extreme", "public": True}
                status, _ = await attacker.ask(http, "POST", "/api/tables", wanted, f"authorization: Bearer {token}")
                attacker.work["tables"] += status == 201
        finally:
            http.close()

    await attacker.again(20, once)


async def matches(attacker: Attacker) -> None:
    """Opens, starts and leaves matches: finished ones do not count for the limit of open tables."""

    async def once() -> None:
        http = await attacker.http()
        try:
            token = f"authorization: Bearer {await guest(attacker, http)}"
            while True:
                wanted = {"game": "extreme", "seats": 2, "bots": ["easy"]}
                table = (await http.post("/tables", wanted, token.rsplit(maxsplit=1)[-1]))["table"]
                for what in ("start", "leave"):
                    await attacker.ask(http, "POST", f"/api/tables/{table}/{what}", None, token)
                attacker.work["matches"] += 1
        finally:
            http.close()

    await attacker.again(20, once)


async def moves(attacker: Attacker) -> None:
    """At forty tables, each player as fast as it is answered, with ten moves in flight."""

    def done(player: Player, refused: bool) -> None:
        attacker.work["moves"] += 1
        attacker.work["refused"] += refused
        if player.transport is not None and not player.transport.is_disconnected:
            player.play()

    http = await attacker.http()
    players: list[Player] = []
    for _ in range(40):
        for table, token in await open_table(http, "extreme", GAME_OPTIONS["extreme"]):
            players.append(Player(token, done))
            await sit_down(players[-1], attacker.address, table, EVE)
    await until(lambda: all(player.moves for player in players))
    for player in players:
        for _ in range(10):
            player.play()
    await asyncio.Event().wait()


async def bots(attacker: Attacker) -> None:
    """Four experts at each of five hundred tables, all of them watched."""
    http = await attacker.http()
    tokens = [await guest(attacker, http) for _ in range(5)]
    for token in itertools.chain.from_iterable([token] * 100 for token in tokens):
        wanted = {"game": "extreme", "seats": 4, "bots": ["expert"] * 4, "sit": False, "options": {"ready_s": 1}}
        status, answer = await attacker.ask(http, "POST", "/api/tables", wanted, f"authorization: Bearer {token}")
        if status != 201:
            break
        table = answer.decode().split('"table":"')[1].split('"')[0]
        await attacker.spectator(table)
        await attacker.ask(http, "POST", f"/api/tables/{table}/start", None, f"authorization: Bearer {token}")
        attacker.work["tables of bots"] += 1
    await asyncio.Event().wait()


async def printing(attacker: Attacker) -> None:
    """Every variant there is, nine at a time."""
    variants = itertools.cycle(
        f"/print/{game}.pdf?paper={paper}&duplex={duplex}&lang={lang}&part={part}"
        for part in ("all", "boards", "starter", "booklet")
        for game in ("extreme", "cubes", "cards", "dice")
        for lang in ("de", "pl", "en")
        for paper in ("letter", "a4")
        for duplex in ("short", "none", "long")
    )

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                await attacker.ask(http, "GET", next(variants))
        finally:
            http.close()

    await attacker.again(9, once)


async def forged(attacker: Attacker) -> None:
    """Foreign origins and host names: any that is accepted is a breach."""
    turns = itertools.cycle(FORGED)

    async def once() -> None:
        lines = next(turns)
        http = await attacker.http()
        try:
            status, _ = await attacker.ask(http, "POST", "/api/guests", {"name": "Eve"}, *lines)
            attacker.breaches["guest of another site"] += status < 400
            attacker.breaches["fault of the server's"] += status >= 500
        finally:
            http.close()
        line = await attacker.line()
        try:
            line.transport.write(attacker.upgrade(attacker.table, *lines))
            attacker.breaches["socket of another site"] += (await line.first).startswith(b"HTTP/1.1 101")
        finally:
            line.cut()

    await attacker.again(20, once)


async def keys(attacker: Attacker) -> None:
    """Guesses the links of tables."""

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                status, _ = await attacker.ask(http, "GET", f"/api/tables/{new_key('extreme')}")
                attacker.breaches["table guessed"] += status == 200
        finally:
            http.close()

    await attacker.again(20, once)


async def secrets(attacker: Attacker) -> None:
    """Guesses codes and tokens."""
    luck = random.SystemRandom()

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                word = "".join(luck.choices(string.ascii_letters + string.digits, k=luck.choice((6, 8, 22, 43))))
                for path, body, line in (
                    ("/api/guests/redeem", {"code": word}, "accept: */*"),
                    ("/api/guests/me", None, f"authorization: Bearer {word}"),
                ):
                    status, _ = await attacker.ask(http, "POST" if body else "GET", path, body, line)
                    attacker.breaches["secret guessed"] += status < 400
        finally:
            http.close()

    await attacker.again(20, once)


async def names(attacker: Attacker) -> None:
    """Endless guests with misleading names, or names that break a layout; renamed again and again."""
    turns = itertools.cycle(NAMES)

    async def once() -> None:
        http = await attacker.http()
        try:
            status, answer = await attacker.ask(http, "POST", "/api/guests", {"name": next(turns)})
            if status == 201:
                attacker.work["guests"] += 1
                token = answer.decode().split('"token":"')[1].split('"')[0]
                for _ in range(20):
                    line = f"authorization: Bearer {token}"
                    await attacker.ask(http, "PATCH", "/api/guests/me", {"name": next(turns)}, line)
        finally:
            http.close()

    await attacker.again(20, once)


async def bodies(attacker: Attacker) -> None:
    """JSON that is deep, long, or of the wrong types."""
    deep: object = []
    for _ in range(900):
        deep = [deep]
    said = itertools.cycle(
        (deep, {"game": "extreme", "options": deep}, {"game": "a" * 9000}, [0] * 4000, {"name": 10**300}, "x" * 16_000)
    )
    paths = itertools.cycle(("/api/guests", "/api/tables", "/api/guests/redeem"))

    async def once() -> None:
        http = await attacker.http()
        try:
            while True:
                status, _ = await attacker.ask(http, "POST", next(paths), next(said))
                attacker.breaches["fault of the server's"] += status >= 500
        finally:
            http.close()

    await attacker.again(20, once)


ABUSES: dict[str, Flood] = {
    "requests": requests,
    "lists": asking(20, "/api/tables", "/api/tables?page=2", "/api/tables?page=199"),
    "list-names": list_by_many_names,
    "logs": asking(20, *(f"/api/tables/{{table}}/{what}" for what in ("log", "log", "replay", "summary", "solutions"))),
    "routes": asking(
        20, "/", "/metrics", "/healthz", "/schema/openapi.json", "/api/games", "/api/games/extreme/pieces",
        "/api/games/cards/tasks", "/api/games/extreme/tasks", "/api/records", "/api/day", "/nowhere",
    ),
    "tables": tables,
    "matches": matches,
    "moves": moves,
    "bots": bots,
    "printing": printing,
    "forged": forged,
    "keys": keys,
    "secrets": secrets,
    "names": names,
    "bodies": bodies,
}  # fmt: skip
