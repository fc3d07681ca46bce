"""The example in the README is examples/counter.cpp, which is compiled and run."""

import pathlib
import sys

house = pathlib.Path(sys.argv[1])
example = (house / "examples/counter.cpp").read_text()
if f"```cpp\n{example}```" not in (house / "README.md").read_text():
    sys.exit("README.md does not show examples/counter.cpp as it is")
