"""Where a fleet's hosts are reached: ssh, Slurm, Kubernetes, Ray. Each engine is somebody else's; here is what it is asked for."""

from __future__ import annotations

import concurrent.futures
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from typing import Any, BinaryIO, Callable, Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from .errors import NotPossibleHere

Item = TypeVar("Item")
Done = TypeVar("Done")

# What a host does: it measures into a folder of its own, and its file is all that it says. The limit is kept on the host,
# for nobody who waits for it elsewhere can end it. dash makes no EXIT trap of a signal, and heeds none while it waits for a
# program in the foreground. A file is an answer even where the program says by its status that a self-check failed.
SCRIPT = """command -v timeout >/dev/null || {{ echo "there is no timeout here: coreutils has it" >&2; exit 3; }}
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
trap 'kill $measuring 2>/dev/null; wait; exit 143' HUP INT TERM
timeout -k {kill} {seconds} {command} -o "$folder/results.json" >"$folder/said" 2>&1 </dev/null &
measuring=$!
wait $measuring
status=$?
case $status in
  124) echo "no answer within {seconds} s" >&2; exit $status ;;
  137) echo "it was killed, by the limit of {seconds} s or by its host" >&2; exit $status ;;
esac
if [ -s "$folder/results.json" ]; then
  if [ "$(wc -c <"$folder/results.json")" -le {largest} ]; then cat "$folder/results.json"; exit; fi
  echo "its file is larger than {mebibytes} MiB, which is no results file of one host" >&2
  exit 3
fi
tail -n 1 "$folder/said" >&2
[ $status != 0 ] || status=3
exit $status"""

# Seconds: a program that does not heed TERM is killed after these;
KILL = 5
# and a host that has not ended itself after these more is not reached any longer.
SLACK = 30
# Bytes: no host's file is longer (`fleet gather` reads no more); and of what a host says of its errors the end.
LARGEST = 128 << 20
LAST_WORDS = 4096


class Answer(NamedTuple):
    """What became of one host: its file's content, or why there is none."""

    host: str
    content: Optional[bytes]
    why: str
    tries: int


def script(program: str, words: Sequence[str], seconds: float, named: bool = True) -> str:
    """For sh, on a host, which has so long. Named, the file has the name that the host gives itself."""
    typed = [program, *words, *(["--include-hostname"] if named else [])]
    return SCRIPT.format(command=shlex.join(typed), seconds=math.ceil(seconds), kill=KILL, largest=LARGEST,
                         mebibytes=LARGEST >> 20)


def fault_in(content: bytes) -> str:
    """Why that is no results file as far as can be seen at a glance; empty if it may be one. Gathering looks closely."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return "what it sent was cut off or is not JSON"
    return "" if isinstance(document, dict) and "cells" in document else "what it sent is not a results file"


def needed(program: str, package: str) -> str:
    """The program's path, or the sentence that says how it is installed."""
    found = shutil.which(program)
    if found is None:
        raise NotPossibleHere(f"there is no {program} here: {package} installs it", 3)
    return found


def hosts_in(file: str) -> List[str]:
    """One on a line; lines may be empty, or begin with #. A name that ssh could take for an option is refused."""
    names = []
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not text in UTF-8") from error
    for line in text.splitlines():
        name = line.partition("#")[0].strip()
        if name and not re.fullmatch(r"[A-Za-z0-9_\[][\w.@:%\[\]-]*", name):
            raise ValueError(f"{file} has a line that is no host's name: {name[:60]!r}")
        if name and name not in names:
            names.append(name)
    if not names:
        raise ValueError(f"{file} names no host")
    return names


def ended(process: subprocess.Popen[bytes], written: Sequence[BinaryIO], seconds: float, stop: threading.Event) -> str:
    """Empty when it has ended by itself; why not if it took longer, wrote more than a file has or was to stop: it is ended."""
    limit = time.monotonic() + seconds
    while True:
        try:
            process.wait(timeout=0.2)
            over = True
        except subprocess.TimeoutExpired:
            over = False
        why = ""
        if any(os.fstat(file.fileno()).st_size > LARGEST for file in written):
            why = f"it sent more than {LARGEST >> 20} MiB, which is no results file of one host"
        elif not over and stop.is_set():
            why = "it was stopped"
        elif not over and time.monotonic() > limit:
            why = f"it was not reached any longer: no end within {seconds:.0f} s"
        if why:
            process.kill()
        if why or over:
            return why


def _by_ssh(host: str, command: str, seconds: float, stop: threading.Event) -> Tuple[Optional[bytes], str]:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        words = ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, "sh -c " + shlex.quote(command)]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors) as process:
            why = ended(process, (output, errors), seconds + SLACK, stop)
        if why:
            return None, why
        output.seek(0)
        content = output.read()
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - LAST_WORDS))
        said = errors.read().decode(errors="replace").strip().splitlines()
    if not content:
        return None, said[-1] if said else f"it ended with status {process.returncode} and sent nothing"
    why = fault_in(content)
    return (None, why) if why else (content, "")


def as_completed(one: Callable[[Item], Done], items: Sequence[Item], parallel: int,
                 stop: threading.Event) -> Generator[Done, None, None]:
    """What `one` makes of each, as they come, of so many at a time. Whoever closes this sets `stop` and waits for what runs."""
    pool = concurrent.futures.ThreadPoolExecutor(parallel)
    waiting = [pool.submit(one, item) for item in items]
    try:
        for done in concurrent.futures.as_completed(waiting):
            yield done.result()
    finally:
        stop.set()
        for future in waiting:
            future.cancel()
        pool.shutdown()


def ssh(hosts: Sequence[str], command: str, tries: int, seconds: float, parallel: int) -> Generator[Answer, None, None]:
    """As they come, of so many at a time. Whoever closes this has nothing started any more, and what runs here ended."""
    needed("ssh", "apt-get install openssh-client")
    stop = threading.Event()

    def one(host: str) -> Answer:
        why = ""
        for attempt in range(1, tries + 1):
            if stop.is_set():
                return Answer(host, None, "it was stopped", attempt)
            try:
                content, why = _by_ssh(host, command, seconds, stop)
            except Exception as error:  # noqa: BLE001 - whatever goes wrong with one host is that host's answer
                content, why = None, f"{error or type(error).__name__}"
            if content is not None:
                return Answer(host, content, "", attempt)
        return Answer(host, None, why, tries)

    yield from as_completed(one, hosts, parallel, stop)


def slurm_script(command: str, folder: str, nodes: int, seconds: float) -> str:
    """A job array of exclusive tasks, each of which leaves NODE-JOB-TASK.json in the folder."""
    if "\n" in folder or "\\" in folder:
        raise ValueError("Slurm takes no folder whose name has a line break or a backslash")
    said = shlex.quote(folder.replace("%", "%%") + "/%N-%A-%a.said")
    return f"""#!/bin/sh
#SBATCH --job-name=synchroscope-fleet
#SBATCH --array=0-{nodes - 1}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time={math.ceil((seconds + SLACK) / 60)}
#SBATCH --output=/dev/null
#SBATCH --error={said}
file={shlex.quote(folder)}/"$SLURMD_NODENAME-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"
sh -c {shlex.quote(command)} >"$file.part" && [ -s "$file.part" ] && mv "$file.part" "$file.json"
"""


# Each pod's file by its node's name, which is the host's, in a folder of the pod's: a node that had two has two files.
KUBECTL = """kubectl get pods -l app=synchroscope-fleet --field-selector=status.phase=Succeeded \\
  -o jsonpath='{range .items[*]}{.metadata.name}{" "}{.spec.nodeName}{"\\n"}{end}' |
  while read -r pod node; do
    mkdir -p FOLDER/"$pod" && kubectl logs "$pod" >FOLDER/"$pod/$node.json" </dev/null
  done"""
# Seconds that a Job's pods may wait for their nodes.
UNTIL_THEY_RUN = 600


def kubernetes_manifest(command: str, image: str, nodes: int, seconds: float, tries: int) -> Dict[str, Any]:
    """An indexed Job of as many pods as nodes, no two at a time on one; a pod's log is its file. Each has its own tries."""
    name = {"app": "synchroscope-fleet"}
    apart = {"labelSelector": {"matchLabels": name}, "topologyKey": "kubernetes.io/hostname"}
    pod = {
        "restartPolicy": "Never",
        "activeDeadlineSeconds": math.ceil(seconds + SLACK),
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]}},
        "containers": [{"name": "synchroscope", "image": image, "command": ["sh", "-c", command]}],
    }
    job = {"completionMode": "Indexed", "completions": nodes, "parallelism": nodes,
           "backoffLimitPerIndex": tries - 1, "maxFailedIndexes": nodes,
           "activeDeadlineSeconds": tries * math.ceil(seconds + SLACK) + UNTIL_THEY_RUN,
           "template": {"metadata": {"labels": name}, "spec": pod}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "synchroscope-fleet", "labels": name}, "spec": job}


def kubernetes_logs(folder: str) -> str:
    """For a shell: how the pods' files come into the folder."""
    return KUBECTL.replace("FOLDER", shlex.quote(folder))


def _named_cluster() -> Tuple[str, str]:
    """The address of the cluster that Ray will look for, and what names it; empty if Ray finds one by its processes."""
    address = os.environ.get("RAY_ADDRESS", "")
    if address not in ("", "auto"):
        return address, "RAY_ADDRESS"
    if runs_here("raylet"):
        return "", ""
    # `ray start` leaves an address there, which stays where no `ray stop` followed.
    left = pathlib.Path(os.environ.get("RAY_TMPDIR", os.environ.get("TMPDIR", "/tmp"))) / "ray" / "ray_current_cluster"
    return _text(left), str(left)


def runs_here(program: str) -> bool:
    """Whether a process of this name runs on this machine."""
    return any(_text(process) == program for process in pathlib.Path("/proc").glob("[0-9]*/comm"))


def _text(file: pathlib.Path) -> str:
    """What stands there; nothing if it cannot be read, or is no longer there."""
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def _reached(address: str, named_by: str) -> None:
    """Raises if nobody listens there: Ray would try for minutes. Of an address of another form Ray itself says something."""
    plain = address.removeprefix("ray://")
    host, _, port = plain.rpartition(":")
    if "://" in plain or not host or not port.isascii() or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError, ValueError) as error:
        raise NotPossibleHere(f"no cluster of Ray answers at {address}, which {named_by} names: {error}", 3) from error


def ray() -> Any:
    """Ray, with the cluster that this machine belongs to."""
    try:
        import ray as module
    except ImportError as error:
        raise NotPossibleHere("Ray is not installed: pip install ray", 3) from error
    engine: Any = module
    if not engine.is_initialized():
        _reached(*_named_cluster())
        try:
            engine.init(address="auto", log_to_driver=False)
        except ConnectionError as error:
            raise NotPossibleHere("no cluster of Ray runs here: ray start --head begins one", 3) from error
        except RuntimeError as error:
            raise NotPossibleHere(f"the cluster of Ray cannot be used: {str(error).partition(chr(10))[0]}", 3) from error
    return engine


def _task_of_ray() -> Callable[[str, float], Tuple[str, Optional[bytes], str]]:
    """What a worker does. A function within a function goes over as it is: workers need no package of ours."""

    def measured(command: str, seconds: float) -> Tuple[str, Optional[bytes], str]:
        """The node's name, the file, or why there is none."""
        import os

        try:
            done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=seconds)
        except subprocess.TimeoutExpired:
            return os.uname().nodename, None, f"no end within {seconds:.0f} s"
        said = done.stderr.decode(errors="replace").strip().splitlines()
        code = done.returncode
        silent = f"it ended with status {code}" if code >= 0 else f"it was killed by signal {-code}"
        return os.uname().nodename, done.stdout or None, said[-1] if said else silent

    return measured


def on_ray(command: str, tries: int, seconds: float, say: Callable[[str], None]) -> Generator[Answer, None, None]:
    """One task on each node, which has all of the node's processors; as they come. A node that dies is named, and its share
    tried again if another node takes its place."""
    engine = ray()
    from ray.util.placement_group import placement_group
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    nodes = [node for node in engine.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    bundles = [{"CPU": node["Resources"]["CPU"]} for node in nodes]
    group = placement_group(bundles, strategy="STRICT_SPREAD")
    if not group.wait(timeout_seconds=60):
        raise NotPossibleHere(f"Ray did not give {len(nodes)} whole nodes within a minute: others have their processors", 3)
    try:
        yield from _answers_of_ray(engine, group, PlacementGroupSchedulingStrategy, bundles, command, tries, seconds, say)
    finally:
        engine.util.remove_placement_group(group)


def _answers_of_ray(engine: Any, group: Any, strategy: Any, bundles: List[Dict[str, float]], command: str, tries: int,
                    seconds: float, say: Callable[[str], None]) -> Generator[Answer, None, None]:
    def begin(at: int) -> Any:
        where = strategy(placement_group=group, placement_group_bundle_index=at)
        task = engine.remote(_task_of_ray()).options(num_cpus=bundles[at]["CPU"], max_retries=0, scheduling_strategy=where)
        return task.remote(command, seconds + SLACK)

    waiting = {begin(at): (at, 1, "") for at in range(len(bundles))}
    while waiting:
        done, _ = engine.wait(list(waiting), num_returns=1, timeout=seconds + 2 * SLACK)
        if not done:
            break
        at, attempt, _ = waiting.pop(done[0])
        try:
            host, content, why = engine.get(done[0], timeout=10)
            why = fault_in(content) if content is not None else why
        except engine.exceptions.RayError as error:
            host, content, why = f"node {at}", None, f"it died ({type(error).__name__})"
        if content is None or why:
            if attempt < tries:
                say(f"{host}: {why}; tried again")
                waiting[begin(at)] = (at, attempt + 1, f"{why}; tried again: ")
                continue
            content = None
        yield Answer(host if content is not None else f"{host} (share {at})", content, why, attempt)
    for task, (at, attempt, before) in waiting.items():
        engine.cancel(task, force=True)
        yield Answer(f"node {at}", None, f"{before}no answer within {seconds + 2 * SLACK:.0f} s", attempt)
