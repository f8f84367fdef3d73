"""What the pages say: their Python programs run, and print what is quoted below."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from conftest import ROOT

PAGES = [ROOT / "docs/python.md", ROOT / "crates/carom-python/README.md", ROOT / "README.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_programs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.S)
    assert blocks, "a page about Python has a program"
    names: dict[str, object] = {"tmp_path": tmp_path}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    parser = doctest.DocTestParser()
    for number, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"{path.name} {number}", str(path), 0)
        assert test.examples, block
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0
