"""What of others is inside the programs of a build, with licences.

For the rules of the Debian packages: inside.py BUILD VERSION FOLDER writes the bill of materials into FOLDER, with the time
$SOURCE_DATE_EPOCH, and prints the licences.
"""

import json
import os
import pathlib
import re
import sys

import binaries
import page
import sbom


def parts(build, carried=()):
    """Libraries whose headers were compiled in, what the page is made of, and packages of libraries that travel along."""
    relations = {package: "STATIC_LINK" for package in binaries.compiled_in(build)}
    relations |= {package: "CONTAINS" for package in carried}
    found = [sbom.Part(package, binaries.version_of(package), relation, "Organization: Debian",
                       binaries.copyright_of(package)) for package, relation in relations.items()]
    found += [sbom.Part(folder.name, page.manifest(folder)["version"], "CONTAINS", "NOASSERTION", page.licence(folder))
              for folder in page.imported(build)]
    return sorted(found)


def write_bill(folder, of_others, version, time):
    text = json.dumps(sbom.bill(version, of_others, time), indent=1)
    (folder / "synchroscope.spdx.json").write_text(text + "\n", encoding="utf-8")


def referring(licence):
    """Debian has the text of this licence once for all."""
    return re.sub(r"(?s) *Apache License\s+Version 2\.0, January 2004.*?(limitations under the License\.|\Z)",
                  "The Apache License, version 2.0: /usr/share/common-licenses/Apache-2.0", licence)


def main(build, version, folder):
    found = parts(pathlib.Path(build))
    write_bill(pathlib.Path(folder), found, version, int(os.environ["SOURCE_DATE_EPOCH"]))
    for part in found:
        print(f"\n\nCompiled in from {part.name} {part.version}:\n\n{referring(part.licence)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
