"""Where a fleet's hosts are reached: ssh, Slurm, Kubernetes, Ray. Each engine is somebody else's; here is what it is asked for."""

from __future__ import annotations

import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .errors import NotPossibleHere

# What a host does: it measures into a folder of its own, and its file is all that it says.
SCRIPT = """folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
{command} -o "$folder/results.json" >"$folder/said" 2>&1 </dev/null
status=$?
if [ -s "$folder/results.json" ]; then cat "$folder/results.json"; else tail -n 1 "$folder/said" >&2; fi
exit $status"""


class Answer(NamedTuple):
    """What became of one host: its file's content, or why there is none."""

    host: str
    content: Optional[bytes]
    why: str
    tries: int


def script(program: str, words: Sequence[str]) -> str:
    """For sh, on a host."""
    return SCRIPT.format(command=shlex.join([program, *words, "--include-hostname"]))


def fault_in(content: bytes) -> str:
    """Why that is no results file as far as can be seen at a glance; empty if it may be one. Gathering looks closely."""
    try:
        document = json.loads(content)
    except ValueError:
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
    for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines():
        name = line.partition("#")[0].strip()
        if name and not re.fullmatch(r"[A-Za-z0-9_\[][\w.@:%\[\]-]*", name):
            raise ValueError(f"{file} has a line that is no host's name: {name[:60]!r}")
        if name and name not in names:
            names.append(name)
    if not names:
        raise ValueError(f"{file} names no host")
    return names


def _by_ssh(host: str, command: str, seconds: float) -> Tuple[Optional[bytes], str]:
    try:
        done = subprocess.run(["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host,
                               "sh -c " + shlex.quote(command)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {seconds:.0f} s"
    said = done.stderr.decode(errors="replace").strip().splitlines()
    if not done.stdout:
        return None, said[-1] if said else f"it ended with status {done.returncode} and sent nothing"
    why = fault_in(done.stdout)
    return (None, why) if why else (done.stdout, "")


def ssh(hosts: Sequence[str], command: str, tries: int, seconds: float, parallel: int) -> Iterator[Answer]:
    """As they come, of so many at a time."""
    needed("ssh", "apt-get install openssh-client")

    def one(host: str) -> Answer:
        why = ""
        for attempt in range(1, tries + 1):
            content, why = _by_ssh(host, command, seconds)
            if content is not None:
                return Answer(host, content, "", attempt)
        return Answer(host, None, why, tries)

    with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, host) for host in hosts]):
            yield done.result()


def slurm_script(command: str, folder: str, nodes: int, minutes: int) -> str:
    """A job array of exclusive tasks, each of which leaves NODE.json in the folder."""
    return f"""#!/bin/sh
#SBATCH --job-name=synchroscope-fleet
#SBATCH --array=0-{nodes - 1}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time={minutes}
#SBATCH --output=/dev/null
#SBATCH --error={folder}/%N-%A-%a.said
file={shlex.quote(folder)}/"$SLURMD_NODENAME-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"
sh -c {shlex.quote(command)} >"$file.part" && mv "$file.part" "$file.json"
"""


def kubernetes_manifest(command: str, image: str, nodes: int, seconds: int, tries: int) -> Dict[str, Any]:
    """An indexed Job of as many pods as nodes, no two on one node; a pod's log is its file."""
    name = {"app": "synchroscope-fleet"}
    apart = {"labelSelector": {"matchLabels": name}, "topologyKey": "kubernetes.io/hostname"}
    pod = {
        "restartPolicy": "Never",
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]}},
        "containers": [{"name": "synchroscope", "image": image, "command": ["sh", "-c", command],
                        "env": [{"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}],
    }
    job = {"completionMode": "Indexed", "completions": nodes, "parallelism": nodes, "backoffLimit": nodes * (tries - 1),
           "activeDeadlineSeconds": seconds, "template": {"metadata": {"labels": name}, "spec": pod}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "synchroscope-fleet", "labels": name}, "spec": job}


def _task_of_ray() -> Callable[[str], Tuple[str, Optional[bytes], str]]:
    """What a worker does. A function within a function goes over as it is: workers need no package of ours."""

    def measured(command: str) -> Tuple[str, Optional[bytes], str]:
        """The node's name, the file, or why there is none."""
        import os

        done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return os.uname().nodename, done.stdout or None, said[-1] if said else f"it ended with status {done.returncode}"

    return measured


def on_ray(command: str, tries: int, seconds: float, say: Callable[[str], None]) -> Iterator[Answer]:
    """One task on each node, which has all of the node's processors; as they come. A node that dies is named, and its share
    tried again if another node takes its place."""
    try:
        import ray
        from ray.util.placement_group import placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy
    except ImportError as error:
        raise NotPossibleHere("Ray is not installed: pip install ray", 3) from error
    engine: Any = ray
    if not engine.is_initialized():
        engine.init(address="auto", log_to_driver=False)
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
                    seconds: float, say: Callable[[str], None]) -> Iterator[Answer]:
    def begin(at: int) -> Any:
        where = strategy(placement_group=group, placement_group_bundle_index=at)
        task = engine.remote(_task_of_ray()).options(num_cpus=bundles[at]["CPU"], max_retries=0, scheduling_strategy=where)
        return task.remote(command)

    waiting = {begin(at): (at, 1) for at in range(len(bundles))}
    while waiting:
        done, _ = engine.wait(list(waiting), num_returns=1, timeout=seconds)
        if not done:
            break
        at, attempt = waiting.pop(done[0])
        try:
            host, content, why = engine.get(done[0], timeout=10)
            why = fault_in(content) if content is not None else why
        except engine.exceptions.RayError as error:
            host, content, why = f"node {at}", None, f"it died ({type(error).__name__})"
        if content is None or why:
            if attempt < tries:
                say(f"{host}: {why}; tried again")
                waiting[begin(at)] = (at, attempt + 1)
                continue
            content = None
        yield Answer(host if content is not None else f"{host} (share {at})", content, why, attempt)
    for task, (at, attempt) in waiting.items():
        engine.cancel(task, force=True)
        yield Answer(f"node {at}", None, f"no answer within {seconds:.0f} s", attempt)
