"""`python -m phrasemill`, and the `phrasemill` command."""

import sys


def main() -> None:
    from phrasemill.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
