"""Measures on many hosts: synchroscope fleet run --on ssh|slurm|kubernetes|ray

It leaves one results file a host in a folder, which `synchroscope fleet gather` reads.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import re
import subprocess
import sys
from typing import Generator, List, Optional, Sequence

from . import _engines
from .errors import Error


def _say(line: str) -> None:
    print("".join(c if c.isprintable() else "?" for c in line), file=sys.stderr, flush=True)


# Options that are not for all engines, by those that take them; and what each engine needs.
OWN = {"hosts": ("ssh",), "parallel": ("ssh",), "nodes": ("slurm", "kubernetes"), "print": ("slurm",),
       "image": ("kubernetes",), "tries": ("ssh", "kubernetes", "ray")}
NEEDED = {"ssh": ("hosts",), "slurm": ("nodes",), "kubernetes": ("nodes", "image"), "ray": ()}


def _mistake(options: argparse.Namespace) -> str:
    """What is wrong with the options together; empty if nothing is."""
    for name, engines in OWN.items():
        if getattr(options, name) and options.on not in engines:
            return f"--{name} belongs to --on {' or '.join(engines)}, and not to --on {options.on}"
    for name in NEEDED[options.on]:
        if getattr(options, name) is None:
            return f"--on {options.on} needs --{name}"
    return ""


def _options(typed: Optional[Sequence[str]], called: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=called, description=__doc__.partition("\n")[0])
    run = parser.add_subparsers(dest="what", required=True).add_parser("run", help="measure on all hosts")
    run.add_argument("--on", required=True, choices=("ssh", "slurm", "kubernetes", "ray"), help="what reaches the hosts")
    run.add_argument("--hosts", metavar="FILE", help="for ssh: the hosts, one on a line")
    run.add_argument("--nodes", type=int, metavar="N", help="for Slurm and Kubernetes: how many nodes")
    run.add_argument("--image", metavar="IMAGE", help="for Kubernetes: an image that has the program")
    run.add_argument("-o", "--output", default="answers", metavar="FOLDER", help="the folder for the files (answers)")
    run.add_argument("--program", default="synchroscope", metavar="PROGRAM", help="the program on the hosts (synchroscope)")
    run.add_argument("--tries", type=int, metavar="N", help="how often a host is tried (2)")
    run.add_argument("--timeout", type=float, default=900, metavar="SECONDS", help="how many seconds a host may take (900)")
    run.add_argument("--parallel", type=int, metavar="N", help="for ssh: hosts at a time (64)")
    run.add_argument("--print", action="store_true", help="for Slurm: print the script and submit nothing")
    run.add_argument("words", nargs="*", metavar="WORDS", help="the command that the program runs, after -- (tour)")
    options = parser.parse_args(typed)
    for name in ("tries", "parallel", "nodes"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} takes a number from 1 on")
    if not 0 < options.timeout <= 1e6:
        parser.error("--timeout takes seconds, more than 0 and at most a million")
    mistake = _mistake(options)
    if mistake:
        parser.error(mistake)
    options.tries = options.tries or 2
    options.parallel = options.parallel or 64
    return options


def _free_name(folder: pathlib.Path, name: str) -> pathlib.Path:
    path, number = folder / f"{name}.json", 1
    while path.exists():
        path, number = folder / f"{name}-{number}.json", number + 1
    return path


def _make(folder: pathlib.Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be the folder for the files: {error.strerror}") from error


def _kept(answers: Generator[_engines.Answer, None, None], folder: pathlib.Path) -> int:
    """Writes each file as it comes, and names who gave none; the exit status."""
    _make(folder)
    silent: List[str] = []
    count = 0
    with contextlib.closing(answers):
        for answer in answers:
            if answer.content is None:
                silent.append(answer.host)
                tried = "once" if answer.tries == 1 else f"{answer.tries} times"
                _say(f"{answer.host}: no answer, tried {tried}: {answer.why[:300]}")
                continue
            count += 1
            path = _free_name(folder, re.sub(r"[^\w.-]", "_", answer.host))
            path.write_bytes(answer.content)
            _say(f"{answer.host}: {path}")
    _say(f"{count} of {count + len(silent)} hosts have answered: synchroscope fleet gather {folder}")
    return 3 if silent else 0


def _run(options: argparse.Namespace) -> int:
    folder = pathlib.Path(options.output)
    seconds: float = options.timeout
    command = _engines.script(options.program, options.words or ["tour"], seconds, named=options.on != "kubernetes")
    if options.on == "ssh":
        hosts = _engines.hosts_in(options.hosts)
        return _kept(_engines.ssh(hosts, command, options.tries, seconds, options.parallel), folder)
    if options.on == "ray":
        return _kept(_engines.on_ray(command, options.tries, seconds, _say), folder)
    if options.on == "kubernetes":
        manifest = _engines.kubernetes_manifest(command, options.image, options.nodes, seconds, options.tries)
        print(json.dumps(manifest, indent=2))
        print(f"Apply it by: kubectl apply -f FILE. When it is complete:\n{_engines.kubernetes_logs(options.output)}", file=sys.stderr)
        return 0
    script = _engines.slurm_script(command, str(folder.resolve()), options.nodes, seconds)
    if options.print:
        print(script, end="")
        return 0
    sbatch = _engines.needed("sbatch", "apt-get install slurm-client")
    _make(folder)
    return subprocess.run([sbatch, "--wait"], input=script.encode()).returncode and 3


def main(typed: Optional[Sequence[str]] = None, called: str = "python3 -m synchroscope.fleet") -> int:
    """The exit status; ``called`` is the command as the user has typed it."""
    options = _options(typed, called)
    try:
        return _run(options)
    except Error as error:
        _say(f"{called}: {error}")
        return error.status or 3
    except OSError as error:
        _say(f"{called}: {error.filename or 'what was asked for'} cannot be used: {error.strerror}")
        return 2
    except ValueError as error:
        _say(f"{called}: {error}")
        return 2
    except KeyboardInterrupt:
        _say(f"{called}: stopped. Hosts that still measure end within {options.timeout:.0f} s of their beginning.")
        return 130
