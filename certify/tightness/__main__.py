"""`python -m certify.tightness [--picture FILE]`: proves how tight the closed forms are, and prints the table as LaTeX.

Exit status 0 only if every band is proved; about two minutes.
"""

import sys
from collections.abc import Sequence

from .picture import save_picture
from .table import latex, table


def main(arguments: Sequence[str]) -> int:
    """Proves all bands, prints the table and draws the picture if a file is named."""
    if arguments and (len(arguments) != 2 or arguments[0] != "--picture"):
        print("usage: python -m certify.tightness [--picture FILE]", file=sys.stderr)
        return 2
    rows = table()
    print(latex(rows))
    if arguments:
        save_picture(rows, arguments[1])
    return 0 if all(row.proved for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
