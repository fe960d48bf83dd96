"""`python -m jotsam`, the same program as `jotsam`; a background worker is started this way."""

import sys

from jotsam.surfaces.cli.start import run_program

if __name__ == "__main__":
    sys.exit(run_program())
