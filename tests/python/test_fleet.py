"""Fleets from Python, and what reaches their hosts: test_fleet.py PROGRAM [CLASS...]. What is missing here is skipped."""

import contextlib
import importlib.util
import io
import json
import logging
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

PROGRAM = os.path.abspath(sys.argv.pop(1))
os.environ["SYNCHROSCOPE"] = PROGRAM
HOUSE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOUSE / "python"), str(HOUSE / "tests" / "fleet")]
import stopped  # noqa: E402
import synchroscope  # noqa: E402
from synchroscope import _engines  # noqa: E402
from made_files import made  # noqa: E402


def has(module):
    return importlib.util.find_spec(module) is not None


class Case(unittest.TestCase):
    """Everything in a folder of its own."""

    def setUp(self):
        logging.getLogger("synchroscope").setLevel(logging.ERROR)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-fleet-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def tool(self, name, text):
        """A program of this name, found first."""
        folder = self.home / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)

    def fleet(self, *words, path=None):
        """How a process of it is started."""
        search = f"{self.home / 'bin'}:{os.environ['PATH']}" if path is None else path
        return {"args": [sys.executable, "-B", "-m", "synchroscope.fleet", "run", *map(str, words)], "cwd": self.home,
                "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                "env": {**os.environ, "PYTHONPATH": str(HOUSE / "python"), "PATH": search}}

    def run_fleet(self, *words, path=None):
        return subprocess.run(**self.fleet(*words, path=path), timeout=300)

    def eventually(self, holds):
        """Waits for it, a minute at most."""
        for _ in range(600):
            if holds():
                return True
            time.sleep(0.1)
        return False


class Judged(Case):
    """What the program says of a fleet, as tables."""

    def setUp(self):
        super().setUp()
        for i in range(20):
            (self.home / f"h{i}.json").write_text(json.dumps(made(f"h{i}", 1.5 if i == 4 else 1.0)))
        (self.home / "odd.json").write_text("{")

    def test_a_folder_and_a_list_of_files_are_one_fleet(self):
        fleet = synchroscope.fleet(self.home)
        self.assertEqual(repr(fleet), "<synchroscope.Fleet: 20 hosts, 1 called>")
        self.assertRegex(str(fleet), r"^h4: worse by 5\d % in a\.b\.\nOver all ")
        self.assertEqual(synchroscope.fleet(str(self.home / "h*.json"), rate=1).document["rate"], 0.01)
        with self.assertRaisesRegex(synchroscope.Mistake, "none of 1 file holds"):
            synchroscope.fleet(self.home / "odd.json")

    @unittest.skipUnless(has("pandas"), "tables are not tried: there is no pandas here (Debian: python3-pandas)")
    def test_tables(self):
        fleet = synchroscope.fleet(self.home)
        self.assertEqual(fleet.called.host.tolist(), ["h4"])
        self.assertEqual((len(fleet.hosts), fleet.hosts.called.sum()), (20, 1))
        cell = fleet.deviations[fleet.deviations["of"] == "cell"].iloc[0]
        self.assertAlmostEqual(cell.value / cell.usual, 1.5, delta=0.05)
        self.assertEqual([pathlib.Path(file).name for file in fleet.refused.file], ["odd.json"])

    def test_hosts_on_another_number_of_processors_are_named(self):
        for i in (2, 3):
            (self.home / f"h{i}.json").write_text(json.dumps(made(f"h{i}", topology={"cpus": [{}]})))
        fleet = synchroscope.fleet(self.home)
        remark = ("2 hosts alike: too few to call one ill, which takes 8; h2 and h3 were measured on 1 processor, 18 others of "
                  "this model on 2")
        self.assertIn(f"\nP, 1 processor: {remark}.\nOver all ", str(fleet))
        if has("pandas"):
            self.assertEqual({host: remark for host in ("h2", "h3")},
                             {host: said for host, said in zip(fleet.hosts.host, fleet.hosts.remark) if said})

    @unittest.skipUnless(has("pyarrow"), "Parquet is not tried: there is no pyarrow here")
    def test_parquet_has_every_cell_of_every_host(self):
        import pyarrow.parquet

        synchroscope.fleet(self.home).to_parquet(self.home / "fleet.parquet")
        table = pyarrow.parquet.read_table(self.home / "fleet.parquet")
        self.assertEqual(table.num_rows, 200)
        hosts, called = table["host"].to_pylist(), table["called"].to_pylist()
        self.assertEqual({host for host, ill in zip(hosts, called) if ill}, {"h4"})


# Stands for the program on a host: writes the file that -o names, whatever else it is told.
ON_HOST = """for word; do [ "$before" = -o ] && file=$word; before=$word; done
printf '%s' '{"schema": "synchroscope/1", "cells": [], "said": "'"$*"'"}' >"$file"
echo a table"""


class Ssh(Case):
    """By a stand-in for ssh, which runs here what it is to run there."""

    def setUp(self):
        super().setUp()
        self.tool("synchroscope", ON_HOST)
        self.tool("ssh", """while [ "$1" = -o ]; do shift 2; done
host=$1; shift
echo "$host" >>asked
case $host in
  dead*) echo "ssh: connect to host $host port 22: No route to host" >&2; exit 255 ;;
  cut*) echo '{"schema": "synchro' ;;
  once*) [ "$(grep -c "^$host$" asked)" = 1 ] && exit 255; exec sh -c "$*" ;;
  slow*) exec sleep 120 ;;
  *) exec sh -c "$*" ;;
esac""")

    def test_files_come_and_who_gives_none_is_named(self):
        (self.home / "hosts").write_text("# of rack 1\none\ntwo\n\ndead  # since yesterday\ncut\nonce\none\n")
        done = self.run_fleet("--on", "ssh", "--hosts", "hosts", "--", "run", "a b", "--quick")
        self.assertEqual(done.returncode, 3, done.stderr)
        files = sorted(file.name for file in (self.home / "answers").iterdir())
        self.assertEqual(files, ["once.json", "one.json", "two.json"])
        said = json.loads((self.home / "answers/one.json").read_text())["said"]
        self.assertRegex(said, "^run a b --quick --include-hostname -o /.*/results.json$")
        self.assertIn("dead: no answer, tried 2 times: ssh: connect to host dead port 22: No route to host", done.stderr)
        self.assertIn("cut: no answer, tried 2 times: what it sent was cut off or is not JSON", done.stderr)
        self.assertIn("3 of 5 hosts have answered: synchroscope fleet gather answers", done.stderr)
        self.assertEqual(sorted((self.home / "asked").read_text().split()).count("once"), 2)

    def measuring(self):
        """The processes on hosts that were begun and have not ended."""
        began = (self.home / "began").read_text().split() if (self.home / "began").exists() else []
        return [pid for pid in began if pathlib.Path(f"/proc/{pid}/cmdline").exists()
                and b"sleep" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]

    def test_a_host_ends_what_takes_too_long_before_it_is_tried_again(self):
        self.tool("synchroscope", f"cd {self.home}; [ -e began ] && ps -o args= -p $(cat began) >beside\n"
                                  "echo $$ >>began; exec sleep 120")
        (self.home / "hosts").write_text("one\n")
        done = self.run_fleet("--on", "ssh", "--hosts", "hosts", "--timeout", "2", "--tries", "2")
        self.assertIn("one: no answer, tried 2 times: no answer within 2 s", done.stderr)
        self.assertEqual(len((self.home / "began").read_text().split()), 2)
        self.assertEqual((self.home / "beside").read_text(), "", "the second try ran beside the first")
        self.assertEqual(self.measuring(), [])

    def test_a_host_that_is_told_to_end_leaves_nothing(self):
        folders = self.home / "folders"
        folders.mkdir()
        self.tool("synchroscope", f"cd {self.home}; echo $$ >>began; exec sleep 120")
        for sent in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            (self.home / "began").unlink(missing_ok=True)
            script = _engines.script("synchroscope", ["tour"], 100)
            host = subprocess.Popen([shutil.which("dash") or "sh", "-c", script], env={
                **os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(folders)})
            self.assertTrue(self.eventually(self.measuring))
            host.send_signal(sent)
            self.assertEqual(host.wait(60), 143)
            self.assertEqual((self.measuring(), list(folders.iterdir())), ([], []))

    def test_a_host_that_is_not_reached_any_longer_is_given_up(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.home)
        with mock.patch.dict(os.environ, PATH=f"{self.home / 'bin'}:{os.environ['PATH']}"), \
                mock.patch.object(_engines, "SLACK", 1):
            answer, = _engines.ssh(["slow"], "true", 1, 1, 1)
        self.assertEqual((answer.content, answer.why), (None, "it was not reached any longer: no end within 2 s"))

    def test_a_host_that_sends_without_end_is_ended(self):
        self.tool("ssh", 'echo $$ >>began; exec cat /dev/zero')
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.home)
        with mock.patch.dict(os.environ, PATH=f"{self.home / 'bin'}:{os.environ['PATH']}"), \
                mock.patch.object(_engines, "LARGEST", 1 << 20):
            answer, = _engines.ssh(["endless"], "true", 1, 60, 1)
        self.assertEqual((answer.content, answer.why), (None, "it sent more than 1 MiB, which is no results file of one host"))
        self.assertFalse(pathlib.Path(f"/proc/{(self.home / 'began').read_text().strip()}").exists())

    def test_a_file_that_is_too_large_stays_on_its_host(self):
        self.tool("synchroscope", 'while [ "$1" != -o ]; do shift; done; exec head -c 3000 /dev/zero >"$2"')
        with mock.patch.object(_engines, "LARGEST", 2999):
            script = _engines.script("synchroscope", ["tour"], 100)
        done = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("which is no results file of one host", done.stderr)

    def test_what_goes_wrong_with_one_host_is_its_answer(self):
        self.tool("ssh", 'exec head -c 200000 /dev/zero | tr "\\0" "["')
        with mock.patch.dict(os.environ, PATH=f"{self.home / 'bin'}:{os.environ['PATH']}"):
            deep, = _engines.ssh(["deep"], "true", 1, 60, 1)
            self.assertEqual(deep.why, "what it sent was cut off or is not JSON")
            with mock.patch.object(subprocess, "Popen", side_effect=OSError("too many open files")):
                answers = list(_engines.ssh(["a", "b"], "true", 1, 60, 1))
            self.assertEqual([one.why for one in answers], ["too many open files"] * 2)

    def test_an_interrupt_ends_it_and_no_further_host_is_asked(self):
        (self.home / "hosts").write_text("slow1\nslow2\nslow3\n")
        fleet = subprocess.Popen(**self.fleet("--on", "ssh", "--hosts", "hosts", "--parallel", 1))
        self.assertTrue(self.eventually((self.home / "asked").exists))
        fleet.send_signal(signal.SIGINT)
        try:
            _, said = fleet.communicate(timeout=60)
        finally:
            fleet.kill()
        self.assertEqual(fleet.returncode, 130, said)
        self.assertIn("stopped. Hosts that still measure end within 900 s of their beginning.", said)
        self.assertEqual((self.home / "asked").read_text(), "slow1\n")

    def test_a_file_counts_though_the_program_says_that_a_check_failed(self):
        self.tool("synchroscope", ON_HOST + "\nexit 1")
        (self.home / "hosts").write_text("one\n")
        self.assertEqual(self.run_fleet("--on", "ssh", "--hosts", "hosts", "--tries", "1").returncode, 0)

    def test_a_second_round_keeps_the_first(self):
        (self.home / "hosts").write_text("one\n")
        for _ in range(2):
            self.run_fleet("--on", "ssh", "--hosts", "hosts")
        self.assertEqual(sorted(file.name for file in (self.home / "answers").iterdir()), ["one-1.json", "one.json"])

    def test_names_that_ssh_could_take_for_options_are_refused(self):
        for line in ("-oProxyCommand=touch pwned", "a;b", "$(id)"):
            (self.home / "hosts").write_text(line)
            done = self.run_fleet("--on", "ssh", "--hosts", "hosts")
            self.assertEqual(done.returncode, 2)
            self.assertIn("hosts has a line that is no host's name", done.stderr)

    def test_mistakes_are_one_sentence(self):
        (self.home / "latin").write_bytes(b"h\xe4user\n")
        (self.home / "good").write_text("here\n")
        for words, sentence in ((["--on", "ssh"], "--on ssh needs --hosts"), (["--on", "slurm"], "--on slurm needs --nodes"),
                                (["--on", "kubernetes", "--nodes", "2"], "--on kubernetes needs --image"),
                                (["--on", "ssh", "--hosts", "none"], ": none cannot be read: No such file or directory\n"),
                                (["--on", "ssh", "--hosts", "."], ": . cannot be read: Is a directory\n"),
                                (["--on", "ssh", "--hosts", "latin"], ": latin is not text in UTF-8\n"),
                                (["--on", "ssh", "--hosts", "good", "-o", "good"],
                                 ": good cannot be the folder for the files: File exists\n"),
                                (["--on", "ssh", "--hosts", "good", "-o", "good/answers"],
                                 ": good/answers cannot be the folder for the files: Not a directory\n"),
                                (["--on", "ssh", "--hosts", "good", "--nodes", "3", "--image", "q"],
                                 "--nodes belongs to --on slurm or kubernetes, and not to --on ssh"),
                                (["--on", "ray", "--hosts", "good"], "--hosts belongs to --on ssh, and not to --on ray"),
                                (["--on", "slurm", "--nodes", "2", "--tries", "3"],
                                 "--tries belongs to --on ssh or kubernetes or ray, and not to --on slurm"),
                                (["--on", "ssh", "--hosts", "none", "--tries", "0"], "--tries takes a number from 1 on"),
                                (["--on", "ssh", "--hosts", "none", "--timeout", "0"], "--timeout takes seconds")):
            done = self.run_fleet(*words)
            self.assertEqual(done.returncode, 2, words)
            said = done.stderr.splitlines(keepends=True)
            self.assertTrue(said[-1].startswith("python3 -m synchroscope.fleet"), said)
            self.assertIn(sentence, said[-1])
            self.assertEqual([line for line in said[:-1] if not re.match("usage: | ", line)], [])


class Lost(unittest.TestCase):
    """A node that dies on Ray, by a stand-in for Ray."""

    def test_why_a_share_was_begun_again_is_told_where_its_second_try_never_ends(self):
        engine, dies, waits = mock.Mock(), mock.Mock(), mock.Mock()

        class Died(Exception):
            pass

        engine.exceptions.RayError = Died
        engine.remote.return_value.options.return_value.remote.side_effect = [dies, waits]
        engine.wait.side_effect = [([dies], []), ([], [waits])]
        engine.get.side_effect = Died
        answers = list(_engines._answers_of_ray(engine, None, mock.Mock(), [{"CPU": 1}], "measure", 2, 900, mock.Mock()))
        self.assertEqual([(answer.content, answer.why) for answer in answers],
                         [(None, "it died (Died); tried again: no answer within 960 s")])
        engine.cancel.assert_called_once_with(waits, force=True)


SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")


@unittest.skipUnless(SSHD and shutil.which("ssh"), "ssh itself is not tried: there is no sshd here (Debian: openssh-server)")
class Sshd(Case):
    """By ssh itself, to a server of this account on this machine."""

    def setUp(self):
        super().setUp()
        self.tool("synchroscope", ON_HOST)
        for key in ("of_host", "of_user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.home / key], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (self.home / "sshd").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {self.home}/of_host\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {self.home}/of_user.pub\nPermitRootLogin yes\nSetEnv PATH={self.home}/bin:/usr/bin:/bin\n")
        (self.home / "ssh").write_text(
            f"Host here there\n HostName 127.0.0.1\n Port {port}\n IdentityFile {self.home}/of_user\n IdentitiesOnly yes\n"
            f" UserKnownHostsFile {self.home}/known\n StrictHostKeyChecking accept-new\n")
        self.tool("ssh", f'exec {shutil.which("ssh")} -F {self.home}/ssh "$@"')
        if os.getuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        server = subprocess.Popen([SSHD, "-D", "-e", "-f", self.home / "sshd"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        for line in server.stderr:
            if "Server listening" in line:
                return
        self.skipTest("ssh itself is not tried: sshd does not start for this account")

    def test_files_come_over_ssh(self):
        (self.home / "hosts").write_text("here\nthere\nnobody.invalid\n")
        done = self.run_fleet("--on", "ssh", "--hosts", "hosts", "--tries", "1", "--", "run", "a b", "it's")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(sorted(file.name for file in (self.home / "answers").iterdir()), ["here.json", "there.json"])
        said = json.loads((self.home / "answers/here.json").read_text())["said"]
        self.assertRegex(said, "^run a b it's --include-hostname -o ")
        self.assertRegex(done.stderr, "nobody.invalid: no answer, tried once: .*resolve")


class Absent(Case):
    """No engine here: one sentence with what installs it."""

    def test_no_ssh_and_no_slurm(self):
        (self.home / "hosts").write_text("one\n")
        for words, sentence in ((["--on", "ssh", "--hosts", "hosts"],
                                 "there is no ssh here: apt-get install openssh-client installs it"),
                                (["--on", "slurm", "--nodes", 2],
                                 "there is no sbatch here: apt-get install slurm-client installs it")):
            done = self.run_fleet(*words, path="/nowhere")
            self.assertEqual((done.returncode, done.stderr), (3, f"python3 -m synchroscope.fleet: {sentence}\n"))

    def test_no_ray(self):
        """Also where it is installed."""
        done = self.by_ray("None")
        self.assertEqual((done.returncode, done.stderr),
                         (3, "python3 -m synchroscope.fleet: Ray is not installed: pip install ray\n"))

    WAITS = "types.SimpleNamespace(is_initialized=lambda: False, init=lambda **_: sys.exit('it waits for the cluster'))"

    def by_ray(self, module, **environment):
        """By what stands for Ray."""
        text = (f"import sys, types; sys.modules['ray'] = {module}\n"
                "from synchroscope._fleet_run import main; sys.exit(main(['run', '--on', 'ray']))")
        return subprocess.run([sys.executable, "-B", "-c", text], cwd=self.home, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                              env={**os.environ, "RAY_TMPDIR": str(self.home), "PYTHONPATH": str(HOUSE / "python"),
                                   **environment})

    def test_no_cluster_of_ray(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"  # where nobody listens
        fails = "types.SimpleNamespace(is_initialized=lambda: False, init=lambda **_: (_ for _ in ()).throw({}))"
        for module, named, sentence in (
                (self.WAITS, address, f"no cluster of Ray answers at {address}, which RAY_ADDRESS names: "),
                (self.WAITS, "127.0.0.1:99999", "no cluster of Ray answers at 127.0.0.1:99999, which RAY_ADDRESS names: "),
                (self.WAITS, "127.0.0.1:" + 5000 * "1", "no cluster of Ray answers at 127.0.0.1:111"),
                (fails.format("ConnectionError()"), "", "no cluster of Ray runs here: ray start --head begins one"),
                (fails.format("RuntimeError('Version mismatch\\nmore')"), "",
                 "the cluster of Ray cannot be used: Version mismatch")):
            done = self.by_ray(module, RAY_ADDRESS=named)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
            self.assertTrue(done.stderr.startswith(f"python3 -m synchroscope.fleet: {sentence}"), done.stderr)

    @unittest.skipIf(_engines.runs_here("raylet"), "a cluster of Ray runs here")
    def test_a_cluster_of_ray_that_was_not_stopped(self):
        """Its address stays on the disk."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        (self.home / "ray").mkdir()
        (self.home / "ray" / "ray_current_cluster").write_text(f"{address}\n")
        for named in ("", "auto"):
            done = self.by_ray(self.WAITS, RAY_ADDRESS=named)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
            self.assertIn(f"no cluster of Ray answers at {address}, which {self.home}/ray/ray_current_cluster names: ", done.stderr)

    def test_an_address_of_another_form_is_left_to_ray(self):
        for named in ("http://127.0.0.1:1", "somewhere", "local"):
            self.assertIn("it waits for the cluster", self.by_ray(self.WAITS, RAY_ADDRESS=named).stderr)


class Door(Case):
    """`synchroscope fleet run` is what Python does."""

    def door(self, *words, **environment):
        return subprocess.run([PROGRAM, "fleet", "run", *words], cwd=self.home, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(HOUSE / "python"), **environment})

    def test_words_arrive_as_they_are(self):
        words = ["--on", "slurm", "--nodes", "2", "--print", "-o", "it's here", "--", "run", "coherence", "--quick"]
        done, ours = self.door(*words), self.run_fleet(*words)
        self.assertEqual((done.returncode, done.stdout), (0, ours.stdout), done.stderr)
        self.assertIn("run coherence --quick", done.stdout)
        self.assertIn("usage: synchroscope fleet run", self.door("--help").stdout)
        refused = self.door("--on", "ssh")
        self.assertEqual((refused.returncode, refused.stderr.splitlines()[-1]),
                         (2, "synchroscope fleet: error: --on ssh needs --hosts"))

    def test_without_the_package_or_python_one_sentence(self):
        (self.home / "synchroscope").mkdir()  # no package: nothing is imported from where one stands
        (self.home / "synchroscope" / "_fleet_run.py").write_text("raise SystemExit(7)")
        self.tool("python3", f"exec {sys.executable} -I -c \"$2\"")  # -I: as where PYTHONPATH names nothing
        for path, sentence in ((str(self.home / "bin"), "done by the package for Python, which "),
                               ("/nowhere", "there is no python3 here: apt-get install python3")):
            done = self.door("--on", "ssh", PATH=path)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, f"^synchroscope: fleet run is done by the package for Python,.*{sentence.split(',')[-1]}")
            self.assertEqual(len(done.stderr.splitlines()), 1)


class Slurm(Case):
    """The script of the job array, which sh runs here as each of its tasks."""

    def test_the_script_leaves_a_file_for_each_task(self):
        self.tool("synchroscope", ON_HOST)
        done = self.run_fleet("--on", "slurm", "--nodes", 3, "--print", "-o", "it's 100% here", "--timeout", 600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("#SBATCH --array=0-2\n", done.stdout)
        self.assertIn("#SBATCH --exclusive\n", done.stdout)
        self.assertIn("#SBATCH --time=11\n", done.stdout)
        said = shlex.quote(f"{self.home.resolve()}/it's 100%% here/%N-%A-%a.said")
        self.assertIn(f"#SBATCH --error={said}\n", done.stdout)
        (self.home / "it's 100% here").mkdir()
        for task in range(3):
            subprocess.run(["sh", "-s"], input=done.stdout, text=True, cwd="/", check=True, env={
                **os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}", "SLURMD_NODENAME": f"n{task}",
                "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": str(task)})
        files = sorted(file.name for file in (self.home / "it's 100% here").iterdir())
        self.assertEqual(files, ["n0-7-0.json", "n1-7-1.json", "n2-7-2.json"])

    def test_a_file_is_kept_whatever_the_programs_status_and_an_empty_one_is_not(self):
        for ends, kept in ((f"{ON_HOST}\nexit 1", ["n-7-0.json"]), ("exit 1", ["n-7-0.part"])):
            self.tool("synchroscope", ends)
            folder = self.home / f"of-{kept[0]}"
            folder.mkdir()
            script = self.run_fleet("--on", "slurm", "--nodes", 1, "--print", "-o", folder).stdout
            done = subprocess.run(["sh", "-s"], input=script, text=True, stderr=subprocess.DEVNULL, env={
                **os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}", "SLURMD_NODENAME": "n",
                "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "0"})
            self.assertEqual([file.name for file in folder.iterdir()], kept)
            self.assertEqual(done.returncode == 0, kept == ["n-7-0.json"])

    def test_a_folder_that_slurm_cannot_be_told_is_refused(self):
        for folder in ("a\nb", "a\\b"):
            done = self.run_fleet("--on", "slurm", "--nodes", 1, "--print", "-o", folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("Slurm takes no folder whose name has a line break or a backslash", done.stderr)

    def test_sbatch_gets_the_script_and_is_waited_for(self):
        self.tool("sbatch", 'echo "$*" >words; cat >script')
        done = self.run_fleet("--on", "slurm", "--nodes", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.home / "words").read_text(), "--wait\n")
        self.assertIn("#SBATCH --array=0-2\n", (self.home / "script").read_text())


def daemons_of_slurm():
    """Where each is, or None: it takes root to start them here."""
    search = f"{os.environ['PATH']}:/usr/sbin"
    there = {name: shutil.which(name, path=search) for name in ("munged", "slurmctld", "slurmd", "sbatch")}
    return there if os.getuid() == 0 and all(there.values()) else None


def answers(daemon):
    """Whether somebody listens there."""
    with socket.socket(socket.AF_UNIX) as door, contextlib.suppress(OSError):
        door.connect(daemon)
        return True
    return False


@unittest.skipUnless(daemons_of_slurm(), "Slurm itself is not tried: it takes root, slurmctld, slurmd and munge (Debian: slurm-wlm)")
class SlurmItself(Case):
    """A cluster of this machine alone."""

    CONFIGURATION = """ClusterName=one
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/pgid
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
SlurmctldPidFile={home}/controller.pid
SlurmdPidFile={home}/node.pid
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
NodeName=localhost CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES State=UP
"""

    def start(self, *words, **how):
        daemon = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
        self.addCleanup(self.end, daemon)

    @staticmethod
    def end(daemon):
        """slurmd does not heed TERM while a job is completing."""
        daemon.terminate()
        try:
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def setUp(self):
        super().setUp()
        self.tool("synchroscope", ON_HOST)
        there = daemons_of_slurm()
        (self.home / "slurm.conf").write_text(self.CONFIGURATION.format(home=self.home, cpus=os.cpu_count()))
        for name in ("state", "spool"):
            (self.home / name).mkdir()
        os.environ["SLURM_CONF"] = str(self.home / "slurm.conf")
        self.addCleanup(os.environ.pop, "SLURM_CONF")
        if not answers("/run/munge/munge.socket.2"):
            subprocess.run(["install", "-d", "-o", "munge", "/run/munge"], check=True)
            self.start(there["munged"], "--foreground", user="munge", group="munge", extra_groups=[])
        self.start(there["slurmctld"], "-D", "-c")
        self.start(there["slurmd"], "-D", "-N", "localhost")

    def test_an_array_leaves_a_file_for_each_task(self):
        folder = self.home / "it's 100% %N here"
        done = self.run_fleet("--on", "slurm", "--nodes", 2, "--timeout", 60, "--program", self.home / "bin/synchroscope",
                              "-o", folder)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        files = [file.name for file in sorted(folder.glob("*.json"))]
        self.assertEqual(len(list(folder.glob("*.said"))), 2, "Slurm did not take the folder's name as it is")
        self.assertEqual(len(files), 2, files)
        self.assertTrue(all(file.startswith("localhost-") for file in files), files)


class Kubernetes(Case):
    """The manifest."""

    def manifest(self):
        done = self.run_fleet("--on", "kubernetes", "--nodes", 4, "--image", "registry/synchroscope:1", "--tries", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_pods_stay_apart_and_say_only_their_file(self):
        self.tool("synchroscope", ON_HOST)
        job = json.loads(self.manifest())
        self.assertEqual((job["spec"]["completions"], job["spec"]["parallelism"]), (4, 4))
        pod = job["spec"]["template"]["spec"]
        rule, = pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        self.assertEqual(rule["topologyKey"], "kubernetes.io/hostname")
        self.assertEqual(rule["labelSelector"]["matchLabels"], job["spec"]["template"]["metadata"]["labels"])
        said = subprocess.run(pod["containers"][0]["command"], stdout=subprocess.PIPE, check=True,
                              env={**os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}"}).stdout
        self.assertEqual(_engines.fault_in(said), "")
        self.assertNotIn("--include-hostname", json.loads(said)["said"], "that of a pod is no host's name")

    def test_each_pod_has_its_own_tries_and_its_own_time(self):
        spec = json.loads(self.manifest())["spec"]
        self.assertEqual((spec["backoffLimitPerIndex"], spec["maxFailedIndexes"]), (2, 4))
        self.assertNotIn("backoffLimit", spec)
        of_a_pod = spec["template"]["spec"]["activeDeadlineSeconds"]
        self.assertGreater(of_a_pod, 900)
        self.assertGreater(spec["activeDeadlineSeconds"], 3 * of_a_pod)

    def test_files_of_pods_are_gathered_by_their_nodes(self):
        for i in range(3):
            document = made(f"pod-{i}", invocation={"started": f"2026-11-26T0{i}:00:00Z"})
            del document["os"]["hostname"]
            (self.home / f"log-of-pod-{i}").write_text(json.dumps(document))
        self.tool("kubectl", 'case $1 in get) printf "pod-0 node-a\\npod-1 node-b\\npod-2 node-a\\n";;\n'
                             'logs) cat "log-of-$2";; esac')
        done = self.run_fleet("--on", "kubernetes", "--nodes", 2, "--image", "i", "-o", "of the pods")
        _, told, commands = done.stderr.partition("When it is complete:\n")
        self.assertTrue(told, done.stderr)
        subprocess.run(["sh", "-c", commands], cwd=self.home, check=True, env={
            **os.environ, "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}"})
        fleet = synchroscope.fleet(self.home / "of the pods").document
        hosts = fleet["groups"][0]["hosts"]
        self.assertEqual([(one["name"], one["files"]) for one in hosts], [("node-a", 2), ("node-b", 1)])

    @unittest.skipUnless(has("kubernetes_validate"), "the manifest is not checked: there is no kubernetes-validate here")
    def test_the_schema_of_kubernetes_takes_it(self):
        import kubernetes_validate

        job = json.loads(self.manifest())
        kubernetes_validate.validate(job, "1.29", strict=True)  # the first that has tries of each index without being asked
        job["spec"]["completions"] = "four"
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(job, "1.29", strict=True)


@unittest.skipUnless(has("ray"), "Ray is not tried: pip install ray installs it")
class Ray(Case):
    """Four nodes on this machine."""

    # The worker of a node that dies ends its shell first, and may still say so.
    DIED = r"(?:it died \(\w+\)|it was killed by signal 9)"
    # Of all what takes less than a second each; SYNCHRO_EVERY_PROOF=1 in the environment takes all.
    PROVED = """tas ttas ticket ticket_plain ticket_prefetch array hticket seeded/test_then_set event/spin auto_event/spin
        event_group/spin cascade/spin node_pool abandoned give_ups latch seqlock recursive channel ring mailbox
        named deadline broadcast message_barrier spin_fetching queue/closed cc_synch dsm_synch locked
        delegation_server stm_guarded stm_greedy stm_fair_commit stm_wholly stm served_hash_table joined/spin""".split()

    def setUp(self):
        super().setUp()
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_worker_niceness"] = "0"  # by itself 15: workers hardly run on a busy machine
        os.environ["RAY_raylet_start_wait_time_s"] = "120"
        os.environ["RAY_agent_register_timeout_ms"] = "120000"
        import ray
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={**self.node(), "include_dashboard": False})
        self.addCleanup(self.cluster.shutdown)
        self.others = [self.cluster.add_node(**self.node()) for _ in range(3)]
        ray.init(address=self.cluster.address, log_to_driver=False)
        self.addCleanup(ray.shutdown)

    @staticmethod
    def node():
        """How one is started: with ports of its agents. Ray would wait for theirs 15 s, which a busy machine does not keep."""
        with contextlib.ExitStack() as chosen:
            free = {f"{agent}_port": chosen.enter_context(socket.socket())
                    for agent in ("metrics_agent", "metrics_export", "dashboard_agent_listen", "runtime_env_agent")}
            for door in free.values():
                door.bind(("", 0))
            ports = {name: door.getsockname()[1] for name, door in free.items()}
        return {"num_cpus": 1, "object_store_memory": 80 << 20, **ports}

    def test_each_node_answers_once_and_one_that_dies_is_named(self):
        with contextlib.redirect_stderr(io.StringIO()):
            answers = list(_engines.on_ray('echo "{\\"cells\\": [], \\"by\\": $PPID}"', 2, 60, print))
        self.assertEqual([answer.why for answer in answers], [""] * 4)
        self.assertEqual(len({json.loads(answer.content)["by"] for answer in answers}), 4)
        with mock.patch.object(_engines, "SLACK", 20):
            late = list(_engines.on_ray("sleep 60", 1, 1, print))
        self.assertEqual([answer.why for answer in late], ["no end within 21 s"] * 4)
        for sent, why in (("kill -9 $$", "it was killed by signal 9"), ("echo 1", "what it sent is not a results file"),
                          ("echo {", "what it sent was cut off or is not JSON"), ("exit 7", "it ended with status 7")):
            answers = list(_engines.on_ray(sent, 1, 60, print))
            self.assertEqual([(answer.content, answer.why) for answer in answers], [(None, why)] * 4)
        self.a_node_dies_once_it_has_begun()
        answers = list(_engines.on_ray(f'{self.waits()}; echo "{{\\"cells\\": []}}"', 1, 300, print))
        self.assertEqual(sorted(answer.content is not None for answer in answers), [False, True, True, True])
        self.assertRegex(next(answer.why for answer in answers if answer.content is None), f"^{self.DIED}$")

    def test_what_is_computed_is_the_same_though_a_node_dies(self):
        sweep = dict(machine=["opteron", "xeon"], lock=["mcs", "ticket", "tas"], threads=[1, 2, 4, 8], progress=False)
        one, ours = self.home / "one.json", self.home / "ours.json"
        synchroscope.simulate("locks.throughput", output=one, **sweep)
        self.tool("waits", f'case "$*" in *--share=*) {self.waits()};; esac\nexec {PROGRAM} "$@"')
        self.a_node_dies_once_it_has_begun()
        with mock.patch.dict(os.environ, SYNCHROSCOPE=str(self.home / "bin/waits")):
            synchroscope.simulate("locks.throughput", output=ours, workers="ray", tasks=16, **sweep)
        self.assertTrue((self.home / "died").exists())
        self.assertEqual(*(file.read_bytes().partition(b'"cells"')[2] for file in (one, ours)))

    def test_a_whole_run_names_the_node_that_died_and_asks_the_one_in_its_place(self):
        """Ray starts a node in the main thread only, so the run is a process of its own."""
        self.tool("measures", f'{self.waits()}\nexec {PROGRAM} "$@"')
        run = self.beside(**self.fleet("--on", "ray", "--timeout", 300, "--program", self.home / "bin/measures", "--",
                                       "run", "coherence.local", "--level", "l1", "--quick"))
        while run.poll() is None and not self.has_begun():
            time.sleep(0.1)
        self.dies()
        self.cluster.add_node(**self.node())
        _, said = run.communicate()
        self.assertEqual(run.returncode, 0, said)
        named = rf"(?m)^(?:node \d|{re.escape(socket.gethostname())}): {self.DIED}; tried again$"
        self.assertEqual(len(re.findall(named, said)), 1, said)
        self.assertIn("4 of 4 hosts have answered: synchroscope fleet gather answers\n", said)
        documents = [json.loads(file.read_text()) for file in (self.home / "answers").iterdir()]
        self.assertEqual(len({one["id"] for one in documents}), 4)
        for one in documents:
            self.assertEqual(one["os"]["hostname"], socket.gethostname())
            self.assertEqual({cell["experiment"] for cell in one["cells"]}, {"coherence.local"})

    def test_proofs_of_all_are_those_of_one_machine_and_go_on_after_a_kill(self):
        names = () if os.environ.get("SYNCHRO_EVERY_PROOF") else self.PROVED
        parts, asked = self.home / "parts", self.home / "asked"
        # The part 5 comes to no end before the kill.
        self.tool("tells", f'case "$*" in *--share=*) while read -r part file; do echo "$part" >>{asked}\n'
                           f'[ "$part" != 5 ] || until [ -e {self.home}/died ]; do sleep 0.1; done\n'
                           f'echo "$part $file"; done | {PROGRAM} "$@"; exit;; esac\nexec {PROGRAM} "$@"')
        text = f"import synchroscope; synchroscope.verify(*{names!r}, workers='ray', tasks=31, parts={str(parts)!r})"
        with mock.patch.dict(os.environ, SYNCHROSCOPE=str(self.home / "bin/tells")):
            killed = self.beside([sys.executable, "-B", "-c", text], env={**os.environ, "PYTHONPATH": str(HOUSE / "python")})
            while killed.poll() is None and not any(parts.glob("*.json")):
                time.sleep(0.1)
            killed.kill()
            self.assertEqual(killed.wait(), -signal.SIGKILL)
            there = {file.stem.rpartition("-")[2] for file in parts.glob("*.json")}
            asked.unlink()
            (self.home / "died").touch()
            ours = synchroscope.verify(*names, workers="ray", tasks=31, parts=parts, progress=False)
        self.assertEqual(set(asked.read_text().split()), {str(part) for part in range(31)} - there)
        one = synchroscope.verify(*names, progress=False)
        self.assertEqual(*(json.dumps(stopped.untimed(proofs)) for proofs in (ours, one)))

    def test_proofs_and_mutants_are_those_of_one_machine(self):
        for call, same, names in ((synchroscope.verify, stopped.untimed, ("ticket", "ttas", "tas")),
                                  (synchroscope.mutate, list, ("ticket", "tas"))):
            ours = call(*names, workers="ray", tasks=5, progress=False)
            self.assertEqual(same(ours), same(call(*names, progress=False)))

    def test_what_was_stopped_goes_on_with_what_is_missing(self):
        self.tool("tells", f'case "$*" in *--share=*) tee -a {self.home}/asked | {PROGRAM} "$@"; exit;; esac\n'
                           f'exec {PROGRAM} "$@"')
        sweep = dict(machine="opteron", lock=["mcs", "ticket"], threads=[1, 2, 4], quick=True)

        def simulated(name, **how):
            file = self.home / name
            synchroscope.simulate("locks.throughput", output=file, progress=False, **sweep, **how)
            return file.read_bytes().partition(b'"cells"')[2]

        def proved(_, **how):
            return stopped.untimed(synchroscope.verify("ticket", "ttas", "tas", progress=False, **how))

        for call in (simulated, proved):
            how = dict(workers="ray", tasks=3, parts=self.home / call.__name__)
            with stopped.after_one_part() as kept, self.assertRaisesRegex(synchroscope.Interrupted, "^1 of 3 parts are in "):
                call("ours.json", **how)
            there = int(kept[0].stem.rpartition("-")[2])
            with mock.patch.dict(os.environ, SYNCHROSCOPE=str(self.home / "bin/tells")):
                ours = call("ours.json", **how)
            asked = sorted(int(line.split()[0]) for line in (self.home / "asked").read_text().splitlines())
            (self.home / "asked").unlink()
            self.assertEqual(asked, sorted({0, 1, 2} - {there}))
            self.assertEqual(ours, call("one.json"))

    def beside(self, args, env, **how):
        """A process that calls this cluster."""
        process = subprocess.Popen(args, env={**env, "RAY_ADDRESS": self.cluster.address}, **how)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def dying(self):
        """The number of the raylet of the node that is to die, which its workers know, too."""
        return self.others[0].all_processes["raylet"][0].process.pid

    def waits(self):
        """What a node does first: it says that it has begun, and goes on when the one has died, which never ends by itself."""
        return (f"echo $RAY_RAYLET_PID >>{self.home}/began; if [ $RAY_RAYLET_PID = {self.dying()} ]; "
                f"then while [ -e {self.home} ]; do sleep 0.1; done; exit 1; "
                f"else until [ -e {self.home}/died ]; do sleep 0.1; done; fi")

    def has_begun(self):
        """Whether the node that is to die has a task in hand."""
        began = self.home / "began"
        return began.exists() and str(self.dying()) in began.read_text().split()

    def dies(self):
        self.cluster.remove_node(self.others[0], allow_graceful=False)
        (self.home / "died").touch()

    def a_node_dies_once_it_has_begun(self):
        """Whenever that is."""
        over = threading.Event()

        def waits():
            while not self.has_begun():
                if over.wait(0.1):
                    return
            self.dies()

        killer = threading.Thread(target=waits)
        killer.start()
        self.addCleanup(killer.join)
        self.addCleanup(over.set)


if __name__ == "__main__":
    unittest.main(verbosity=2)
