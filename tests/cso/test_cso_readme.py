"""What the README shows is what is printed."""

import doctest
from pathlib import Path

README = Path(__file__).parent.parent.parent / "cso" / "README.md"


def test_the_tour(tmp_path):
    parser = doctest.DocTestParser()
    text = README.read_text(encoding="utf-8")
    test = parser.get_doctest(text, {"folder": str(tmp_path)}, "README", str(README), 0)
    assert len(test.examples) > 30
    said = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
