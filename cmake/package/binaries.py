"""What is known of programs and libraries by looking at them, and of the distribution's packages that they come from."""

import pathlib
import re
import subprocess


def said(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def is_dynamic(path):
    """An ELF file that the system's loader loads."""
    return path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF" and "NEEDED" in said(
        "readelf", "-dW", path)


def greatest_glibc(paths):
    """The newest version of the C library whose symbols these files need, as (2, 36)."""
    found = {tuple(map(int, version.split("."))) for path in paths
             for version in re.findall(r"Name: GLIBC_([\d.]+)", said("readelf", "-VW", path))}
    return max(found)


def libraries(path):
    """The shared libraries that the loader finds for it: name to file."""
    return {name: pathlib.Path(file) for name, file in re.findall(r"(\S+) => (/\S+)", said("ldd", path))}


def packages_of(files):
    """The packages of the distribution that these files belong to: file to name; those of no package are left out."""
    names = sorted({str(name) for file in files for name in (file, file.resolve())})
    # A library may be registered by its path from before / and /usr were merged.
    names += [name.removeprefix("/usr") for name in names if name.startswith("/usr/lib")]
    listed = subprocess.run(["dpkg-query", "-S", *names], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True).stdout  # its status says that some were not found
    owners = {line.rpartition(": ")[2]: line.split(",")[0].split(":")[0] for line in listed.splitlines()
              if not line.startswith("diversion ")}
    found = {}
    for file in files:
        for name in (str(file), str(file.resolve())):
            owner = owners.get(name) or owners.get(name.removeprefix("/usr"))
            if owner:
                found[file] = owner
    return found


def version_of(package):
    return said("dpkg-query", "-W", "-f=${Version}\n", package).split("\n")[0]


def copyright_of(package):
    return pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")


def read_in(build, *folders):
    """The files that compilers have read for what is made in these folders of the build, as they named them."""
    for made in said("ninja", "-C", build, "-t", "deps").split("\n\n"):
        if made.startswith(folders):
            yield from (line.strip() for line in made.splitlines()[1:])


def compiled_in(build):
    """The packages whose headers the programs have read, and so whose code may be in them. Tests and benchmarks, which may
    have been built beside them, read others."""
    headers = {pathlib.Path(name) for name in read_in(build, "src/", "CMakeFiles/") if name.startswith("/usr/include/")}
    return sorted(set(packages_of(headers).values()))
