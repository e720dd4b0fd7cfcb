"""Which modules may import which (docs/design.md, 'Layers'), read from the sources without running them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parent.parent / "ubongo"

# From the bottom up. A module may import from its own layer and those below.
LAYERS = (
    ("lattice",),
    ("pieces",),
    ("table",),
    ("events", "evolve", "veil", "tiling", "layout", "picture", "moves", "chance", "words", "difficulty"),
    ("fast_forward",),
    ("game", "material", "kernel"),
    ("games",),
    ("match_file",),
    ("virtual", "story"),
    ("server", "bots", "workshop", "printing"),
    ("cli", "commands"),
    ("__main__",),
)
# The same inside the server. `base` are the modules beside the packages that all of them may use; `root` are those that
# put everything together.
SERVER_LAYERS = ("base", "store", "tables", "records", "lobby", "cluster", "wire", "http", "moderation", "root")
SERVER_ROOT = {
    "app",
    "run",
    "health",
    "services",
    "repair",
    "intact_rows",
    "garbage_collection",
    "logging_setup",
    "metrics",
    "precompiler",
}
# Types with the same meaning in several games.
PER_GAME = {"Area", "Board", "Side"}
# These do not import each other, except in the one place that connects them.
INDEPENDENT = {"server", "bots", "workshop", "printing"}
CONNECTED = {("ubongo.server.app", "bots")}
# The compiled kernel is slow to load: it and the workshop, which uses it, are imported only when needed.
SLOW = {"kernel", "workshop"}
KERNEL_USERS = {"workshop", "bots", "cli", "commands"}
# Only these use the clock, the disk, sockets and randomness.
OUTER = {"server", "workshop", "cli", "commands", "__main__"}
OUTER_MODULES = {"ubongo.material"}
SIDE_EFFECTS = {
    "asyncio", "builtins.open", "datetime", "fcntl", "fileinput", "glob", "http", "io", "mmap", "os", "pathlib",
    "random", "requests", "sched", "secrets", "select", "selectors", "shelve", "shutil", "signal", "socket",
    "socketserver", "sqlite3", "ssl", "subprocess", "tempfile", "time", "urllib", "uuid",
}  # fmt: skip


class Import(NamedTuple):
    by: str
    of: str
    lazily: bool

    def __str__(self) -> str:
        return f"{self.by} imports {self.of}"


class Imports(ast.NodeVisitor):
    """The imports of one module, and its uses of `open`, which needs no import."""

    def __init__(self, module: str, names: set[str]) -> None:
        self.module, self.names = module, names
        self.found: list[Import] = []
        self.depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit_lazily(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_lazily(node)

    def visit_If(self, node: ast.If) -> None:
        # Imports for the type checker alone are never executed.
        self.visit_lazily(node) if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)

    def visit_lazily(self, node: ast.AST) -> None:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.add(alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level == 0, f"{self.module} has a relative import"
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            self.add(whole if whole in self.names else f"{node.module}")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            self.add("builtins.open")
        self.generic_visit(node)

    def add(self, name: str) -> None:
        self.found.append(Import(self.module, name, lazily=self.depth > 0))


def modules() -> dict[str, Path]:
    files = sorted(PACKAGE.rglob("*.py"))
    parts = {file: file.relative_to(PACKAGE.parent).with_suffix("").parts for file in files}
    return {".".join(path[:-1] if path[-1] == "__init__" else path): file for file, path in parts.items()}


def imports() -> Iterator[Import]:
    names = modules()
    for name, file in names.items():
        found = Imports(name, set(names))
        found.visit(ast.parse(file.read_text(encoding="utf-8")))
        yield from found.found


def unit(module: str) -> str:
    """`ubongo.server.app` belongs to `server`, and so on; the package itself to nothing."""
    return f"{module}.".split(".")[1]


def ours() -> list[Import]:
    return [one for one in imports() if one.of.startswith("ubongo") and unit(one.of) != unit(one.by) and unit(one.of)]


def layer(name: str) -> int:
    return next(height for height, names in enumerate(LAYERS) if name in names)


def test_every_module_belongs_to_a_layer() -> None:
    placed = {name for names in LAYERS for name in names}
    assert {unit(module) for module in modules()} - {""} <= placed, "add the new module to LAYERS"


def test_no_module_imports_from_a_higher_layer() -> None:
    assert [str(one) for one in ours() if layer(unit(one.of)) > layer(unit(one.by))] == []


def test_the_upper_packages_are_independent_of_each_other() -> None:
    known = [
        one for one in ours() if {unit(one.by), unit(one.of)} <= INDEPENDENT and (one.by, unit(one.of)) not in CONNECTED
    ]
    assert [str(one) for one in known] == []


def server_layer(module: str) -> str:
    """`ubongo.server.tables.room` belongs to `tables`."""
    name = f"{module}..".split(".")[2]
    if name in SERVER_LAYERS:
        return name
    return "root" if name in SERVER_ROOT else "base"


def test_the_servers_packages_have_a_direction() -> None:
    inside = [one for one in imports() if unit(one.by) == unit(one.of) == "server"]
    height = SERVER_LAYERS.index
    assert [str(one) for one in inside if height(server_layer(one.of)) > height(server_layer(one.by))] == []


def types_of(file: Path) -> Iterator[str]:
    """Classes and type aliases, but no type variables."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            variable = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in ("TypeVar", "ParamSpec")
            if name[0].isupper() and not name.isupper() and not variable:
                yield name


def test_no_two_types_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for module, file in modules().items():
        for name in types_of(file):
            places.setdefault(name, []).append(module)
    assert {name: where for name, where in places.items() if len(where) > 1 and name not in PER_GAME} == {}


def test_there_are_no_import_cycles() -> None:
    # prepare() raises on a cycle and names it.
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for one in imports():
        if one.of in graph and one.of != one.by:
            graph[one.by].add(one.of)
    TopologicalSorter(graph).prepare()


def test_only_a_few_packages_import_the_kernel() -> None:
    users = [one for one in ours() if unit(one.of) == "kernel"]
    assert [str(one) for one in users if unit(one.by) not in KERNEL_USERS] == []


def test_slow_packages_are_imported_lazily() -> None:
    eager = [one for one in ours() if unit(one.of) in SLOW and not one.lazily]
    assert [str(one) for one in eager if unit(one.by) not in SLOW] == []


def test_only_the_outer_packages_use_clock_disk_sockets_and_randomness() -> None:
    outside = [one for one in imports() if one.of in SIDE_EFFECTS or one.of.split(".")[0] in SIDE_EFFECTS]
    assert [str(one) for one in outside if unit(one.by) not in OUTER and one.by not in OUTER_MODULES] == []


@pytest.mark.parametrize("module", ["ubongo", "ubongo.tiling", "ubongo.picture", "ubongo.cli"])
def test_a_short_command_loads_nothing_heavy(module: str) -> None:
    heavy = "{'litestar', 'numba', 'numpy', 'rich', 'uvicorn', 'asyncio'} & set(sys.modules)"
    seen = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*{heavy})"], capture_output=True, text=True, check=True
    )
    assert seen.stdout.split() == []
