"""A zip of the programs for Windows, each one file that needs no other: windows_zip.py SOURCE BUILD VERSION OUT_FOLDER

BUILD is a finished build for Windows by mingw-w64. The headers of the library and the licences of all that is inside travel
along, with a bill of materials. The time of all in it is $SOURCE_DATE_EPOCH. Prints the zip's path.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

import binaries
import inside


def compiled_in(build):
    """The packages whose headers the programs have read: of libraries, and of the compiler, whose own are linked into each."""
    read = {pathlib.Path(build, name) for name in binaries.read_in(build, "src/")}
    outside = [file for file in {path.resolve() for path in read} if file.is_relative_to("/usr")]
    return sorted(set(binaries.packages_of(outside).values()))


def fill(folder, source, build, version, when):
    for program in build.glob("synchroscope*.exe"):
        subprocess.run(["x86_64-w64-mingw32-strip", "-o", folder / program.name, program], check=True)
    shutil.copytree(source / "include" / "synchro", folder / "include" / "synchro")
    shutil.copy(source / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(source / "docs" / "windows.md", folder / "windows.md")
    parts = inside.parts(build, compiled_in(build))
    inside.write_bill(folder, parts, version, when)
    (folder / "licences").mkdir()
    for part in parts:
        (folder / "licences" / f"{part.name}.txt").write_text(part.licence, encoding="utf-8")


def packed(folder, file, when):
    """The same bytes for the same files, whenever and by whomever they are packed."""
    moment = time.gmtime(when)[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            out.writestr(entry, path.read_bytes())


def main(source, build, version, out):
    when = int(os.environ["SOURCE_DATE_EPOCH"])
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    name = f"synchroscope-{version}-windows-x86_64"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / name
        folder.mkdir()
        fill(folder, pathlib.Path(source), pathlib.Path(build), version, when)
        packed(folder, out / f"{name}.zip", when)
    print(out / f"{name}.zip")


main(*sys.argv[1:])
