"""What the rules are shown with is what is played: the pictures' boards, cards and dice come from the editions."""

from web.figures import FILE, figures


def test_they_are_what_the_editions_have() -> None:
    assert FILE.read_text() == figures(), "Write them anew: .venv/bin/python -m web.figures"
