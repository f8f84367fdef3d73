"""What all tests need."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    """The sample scenes."""
    return ROOT / "scenes"
