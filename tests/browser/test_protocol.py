"""The page's types are the server's own structs."""

from web.protocol import TARGET, typescript


def test_the_types_are_those_of_the_structs() -> None:
    assert TARGET.read_text() == typescript(), "Write them anew: .venv/bin/python -m web.protocol"
