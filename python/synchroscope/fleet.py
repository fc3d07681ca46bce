"""python3 -m synchroscope.fleet run: a command, and no module to import, for `synchroscope.fleet` is a function."""

import sys

from ._fleet_run import main

if __name__ != "__main__":
    raise ImportError("synchroscope.fleet is a function, and the command python3 -m synchroscope.fleet")
sys.exit(main())
