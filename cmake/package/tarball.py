"""A tarball of what is installed that runs wherever it is unpacked: tarball.py BUILD VERSION OUT_FOLDER

BUILD is a finished build of the program. What its programs are linked with travels along, but for the C library; the tarball
is called by the newest version of that whose symbols anything in it needs. The licences of all travel along, and a bill of
materials. The time of all in it is $SOURCE_DATE_EPOCH. Prints the tarball's path.
"""

import lzma
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

import binaries
import inside


def installed(build, prefix):
    """The program is put beside its parts, for write_start."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--strip"], check=True, stdout=subprocess.DEVNULL)
    (prefix / "bin" / "synchroscope").rename(prefix / "lib" / "synchroscope" / "synchroscope")


def write_start(prefix, glibc):
    """In the program's place what looks for the C library that it needs."""
    text = (pathlib.Path(__file__).parent / "starts.sh").read_text(encoding="utf-8")
    start = prefix / "bin" / "synchroscope"
    start.write_text(text.replace("@MAJOR@", str(glibc[0])).replace("@MINOR@", str(glibc[1])), encoding="utf-8")
    start.chmod(0o755)


def bring_libraries(prefix):
    """Copies what programs are linked with, and has all of it found from where it is. Returns file to package."""
    own = [path for path in prefix.rglob("*") if binaries.is_dynamic(path)]
    wanted = {name: file for path in own for name, file in binaries.libraries(path).items()}
    packages = binaries.packages_of(wanted.values())
    c_library = packages[wanted["libc.so.6"]]
    wanted = {name: file for name, file in wanted.items() if packages.get(file) != c_library}
    folder = prefix / "lib" / "synchroscope"
    for name, file in wanted.items():
        shutil.copy(file.resolve(), folder / name)
        subprocess.run(["strip", "--strip-unneeded", folder / name], check=True)
    for path in [*own, *(folder / name for name in wanted)]:
        if set(binaries.libraries(path)) & set(wanted):
            where = os.path.relpath(folder, path.parent)
            # RPATH, not RUNPATH: it holds for what libraries are linked with, too.
            subprocess.run(["patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{where}", path], check=True)
    return {file: packages[file] for file in wanted.values()}


def bring_licences(prefix, parts, version, time):
    doc = prefix / "share" / "doc" / "synchroscope"
    inside.write_bill(doc, parts, version, time)
    (doc / "licences").mkdir()
    for part in parts:
        (doc / "licences" / part.name).write_text(part.licence, encoding="utf-8")


def packed(folder, file, time):
    """The same bytes for the same files, whenever and by whomever they are packed."""
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with lzma.open(file, "wb") as out, tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            tar.add(path, path.relative_to(folder.parent).as_posix(), recursive=False, filter=plain)


def main(build, version, out):
    time = int(os.environ["SOURCE_DATE_EPOCH"])
    build, out = pathlib.Path(build), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        prefix = pathlib.Path(scratch) / "prefix"
        installed(build, prefix)
        carried = bring_libraries(prefix)
        bring_licences(prefix, inside.parts(build, carried.values()), version, time)
        glibc = binaries.greatest_glibc([path for path in prefix.rglob("*") if binaries.is_dynamic(path)])
        write_start(prefix, glibc)
        name = f"synchroscope-{version}-linux-{platform.machine()}-glibc{'.'.join(map(str, glibc))}"
        prefix.rename(prefix.parent / name)
        packed(prefix.parent / name, out / f"{name}.tar.xz", time)
    print(out / f"{name}.tar.xz")


main(*sys.argv[1:])
