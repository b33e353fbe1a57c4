"""Shared fixtures; other test modules import `tiny_bert` from this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
