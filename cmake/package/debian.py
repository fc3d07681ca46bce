"""Debian packages of what a clone has committed, made by debhelper: debian.py SOURCE OUT_FOLDER PACKAGE...

PACKAGE... are those that the build needs. (It is not checked whether they are here: what they bring may have come another
way.) The source package is the commit's files and, beside them, the folder debian, which is written here of the files in
debian/ and of what the source says elsewhere. The changelog's time, and so that of all in the packages, is the commit's.
$DEBFULLNAME and $DEBEMAIL say who makes them, as to other tools of Debian's. Prints the path of the list of what was made.
"""

import email.utils
import lzma
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

MAINTAINER = "{DEBFULLNAME} <{DEBEMAIL}>".format(
    **{"DEBFULLNAME": "the Synchroscope authors", "DEBEMAIL": "synchroscope@packages.invalid"} | os.environ)
CHANGES = """\
synchroscope ({version}) {distribution}; urgency=medium

  * Made of the commit {commit}; /usr/share/doc/synchroscope/changelog.gz
    says what is new.

 -- {maintainer}  {date}
"""


def git(source, *words):
    return subprocess.run(["git", "-C", source, *words], check=True, stdout=subprocess.PIPE).stdout


def version_of(source):
    header = git(source, "show", "HEAD:include/synchro/version.hpp").decode()
    return ".".join(re.findall(r"#define SYNCHRO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def unpacked(source, version, folder):
    """The commit's files, as an archive and unpacked."""
    name = f"synchroscope-{version}"
    archive = git(source, "archive", f"--prefix={name}/", "HEAD")
    (folder / f"synchroscope_{version}.orig.tar.xz").write_bytes(lzma.compress(archive, preset=1))
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=archive)
    return folder / name


def write_packaging(source, version, tree, build_depends):
    """The folder debian: the files of debian/ here, with what others know already."""
    system = platform.freedesktop_os_release()
    debian = tree / "debian"
    shutil.copytree(tree / "cmake" / "package" / "debian", debian)
    control = (debian / "control").read_text(encoding="utf-8")
    needs = ", ".join(sorted(set(build_depends) - {"g++"}))  # every build has a compiler
    (debian / "control").write_text(control.replace("@MAINTAINER@", MAINTAINER).replace("@BUILD_DEPENDS@", needs),
                                    encoding="utf-8")
    commit, time = git(source, "log", "-1", "--abbrev=12", "--format=%h %ct").decode().split()
    (debian / "changelog").write_text(CHANGES.format(
        version=f"{version}-1~{system['ID']}{system['VERSION_ID']}", distribution=system["VERSION_CODENAME"],
        commit=commit, maintainer=MAINTAINER, date=email.utils.formatdate(int(time))), encoding="utf-8")
    licence = (tree / "LICENSE").read_text(encoding="utf-8")
    (debian / "copyright").write_text(f"Synchroscope's sources are under this licence:\n\n{licence}", encoding="utf-8")


def main(source, out, *build_depends):
    version = version_of(source)
    out = pathlib.Path(out)
    scratch = pathlib.Path(source) / "build" / "debian"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    tree = unpacked(source, version, scratch)
    write_packaging(source, version, tree, build_depends)
    subprocess.run(["dpkg-buildpackage", "--build=full", "--unsigned-source", "--unsigned-changes", "--no-check-builddeps"],
                   cwd=tree, check=True, stdout=sys.stderr)
    out.mkdir(parents=True, exist_ok=True)
    for path in filter(pathlib.Path.is_file, scratch.iterdir()):
        shutil.copy(path, out)
    (changes,) = scratch.glob("*.changes")
    print(out / changes.name)


main(*sys.argv[1:])
