"""The tarball's contents as a Python wheel, which `pip install` puts below its own prefix: wheel.py TARBALL OUT_FOLDER

With them comes the package for Python, of the folder python. What is in lib/synchroscope of the tarball is in
libexec/synchroscope: `pip install --target` leaves out a folder lib. The wheel is tagged by the C library that the tarball
is called by, and has the tarball's time. Prints the wheel's path.
"""

import base64
import hashlib
import pathlib
import re
import sys
import tarfile
import time
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "synchroscope"
NAME = re.compile(r"synchroscope-([\d.]+)-linux-(\w+)-glibc(\d+)\.(\d+)\.tar\.xz")
METADATA = """\
Metadata-Version: 2.1
Name: synchroscope
Version: {version}
Summary: Measures, and offers, the means by which threads synchronize
License: MIT
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas>=1.5; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars>=1; extra == "polars"
Provides-Extra: pyarrow
Requires-Dist: pyarrow; extra == "pyarrow"
Provides-Extra: matplotlib
Requires-Dist: matplotlib; extra == "matplotlib"
Provides-Extra: ray
Requires-Dist: ray>=2; extra == "ray"
Provides-Extra: notebook
Requires-Dist: pandas>=1.5; extra == "notebook"
Requires-Dist: tqdm; extra == "notebook"
Requires-Dist: ipywidgets; extra == "notebook"
Requires-Dist: matplotlib; extra == "notebook"
Description-Content-Type: text/plain

The program synchroscope, its manual pages and the headers of its library; synchroscope --help says what it measures.
`import synchroscope` calls it from Python and has its results as tables.
"""


def placed(path, data):
    """Where a file of the tarball is in the wheel, and what it says then."""
    if path == "bin/synchroscope":
        data = data.replace(b"/../lib/synchroscope/", b"/../libexec/synchroscope/")
    return re.sub("^lib/synchroscope/", "libexec/synchroscope/", path), data


def contents(tarball, version, tag):
    """(path in the wheel, bytes, whether it is a program) of each file."""
    with tarfile.open(tarball) as tar:
        for entry in filter(tarfile.TarInfo.isfile, tar):
            path = entry.name.partition("/")[2]
            place, data = placed(path, tar.extractfile(entry).read())
            yield f"synchroscope-{version}.data/data/{place}", data, entry.mode & 0o100
            if path == "share/doc/synchroscope/LICENSE":
                yield f"synchroscope-{version}.dist-info/LICENSE", tar.extractfile(entry).read(), False
    for path in sorted(path for path in PACKAGE.iterdir() if path.suffix in (".py", ".typed")):
        yield f"synchroscope/{path.name}", path.read_bytes(), False
    info = f"synchroscope-{version}.dist-info"
    yield f"{info}/METADATA", METADATA.format(version=version).encode(), False
    about = f"Wheel-Version: 1.0\nGenerator: synchroscope-package\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield f"{info}/WHEEL", about.encode(), False


def record_line(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def write(file, files, version, moment):
    """The record, which lists all files, comes last."""
    record, record_path = "", f"synchroscope-{version}.dist-info/RECORD"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        def put(path, data, executable):
            entry = zipfile.ZipInfo(path, time.gmtime(moment)[:6])
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, data)

        for path, data, executable in files:
            put(path, data, executable)
            record += record_line(path, data)
        put(record_path, (record + f"{record_path},,\n").encode(), False)


def main(tarball, folder):
    version, processor, *glibc = NAME.fullmatch(pathlib.Path(tarball).name).groups()
    tag = f"py3-none-manylinux_{'_'.join(glibc)}_{processor}"
    with tarfile.open(tarball) as tar:
        moment = tar.next().mtime
    file = pathlib.Path(folder) / f"synchroscope-{version}-{tag}.whl"
    write(file, contents(tarball, version, tag), version, moment)
    print(file)


main(*sys.argv[1:])
