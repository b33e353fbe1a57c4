"""Write the reference from the code.

python -m phrasemill_lab.docs.reference            # write docs/reference
python -m phrasemill_lab.docs.reference --check    # the exit code is 1 if a page is out of date
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from phrasemill_lab.docs.reference.pages import PAGES


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (default: the current folder)")
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args(arguments)
    wrong = 0
    for name, write in PAGES.items():
        path, made = options.root / "docs" / "reference" / name, write()
        if path.exists() and path.read_text(encoding="utf-8") == made:
            continue
        wrong += 1
        print(f"{path}: {'out of date' if options.check else 'written'}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made, encoding="utf-8")
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
