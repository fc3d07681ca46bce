"""Advice as a user asks for it: by files, on a model, and what is said of mistakes.

    test_advise.py PROGRAM [CLASS...]
"""

import json
import unittest

from test_program import Case  # which takes PROGRAM off the arguments

TOPICS = ["lock", "sharding", "delegation", "waking", "group", "permits", "forking"]
SMALL = ["--machine", "opteron-2384", "--threads", "4"]


class Advising(Case):
    def results(self, name="r.json", machine="opteron-2384", *more):
        self.succeeds("simulate", "locks.throughput", "--machine", machine, "--lock", "mcs,ticket,mutex,mcs/park",
                      "--threads", "2,8", "--locks", "1,8", "--gap", "2000", "--quick", "--no-progress", "-o", name, *more)
        return name

    def test_on_a_model_says_something_of_each_topic(self):
        text = self.succeeds("advise", *SMALL).stdout
        for topic in TOPICS:
            self.assertRegex(text, rf"(?m)^{topic}  ")
        self.assertIn("8 processors", text)
        self.assertLessEqual(len(text.splitlines()), 32)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))

    def test_as_json_it_holds_what_it_rests_on(self):
        found = json.loads(self.succeeds("advise", *SMALL, "--critical", "200", "--fair", "--json").stdout)
        self.assertEqual(found["schema"], "synchroscope-advice/1")
        self.assertEqual(found["machine"], {"kind": "simulated", "model_name": "opteron-2384", "processors": 8})
        self.assertEqual(found["workload"], {"threads": 4, "critical_ns": 200, "gap_ns": 1000, "locks": 1, "readers": 0,
                                             "sleep": False, "fair": True})
        self.assertEqual([one["topic"] for one in found["advice"]], TOPICS)
        for one in found["advice"]:
            self.assertTrue(one["figures"] or one["rule"], one)
        lock = found["advice"][0]
        self.assertEqual(lock["figures"][0]["at"]["lock"], lock["take"])
        self.assertEqual(lock["figures"][0]["at"]["threads"], 4)

    def test_the_same_workload_gives_the_same_advice(self):
        self.assertEqual(self.succeeds("advise", *SMALL).stdout, self.succeeds("advise", *SMALL).stdout)

    def test_where_threads_work_long_a_free_lock_decides(self):
        found = json.loads(self.succeeds("advise", *SMALL, "--gap", "1e6", "--json").stdout)
        lock = found["advice"][0]
        self.assertEqual(lock["figures"][0]["experiment"], "locks.uncontested")
        self.assertFalse(lock["matters"])
        long = json.loads(self.succeeds("advise", *SMALL, "--critical", "1e9", "--gap", "0", "--json").stdout)
        self.assertEqual(long["advice"][0]["take"], "mutex")

    def test_by_results_the_nearest_places_decide(self):
        name = self.results("results.json")
        found = json.loads(self.succeeds("advise", "--threads", "3", "--json").stdout)
        self.assertEqual(found["advice"][0]["figures"][0]["at"]["threads"], 2)
        self.assertEqual(found, json.loads(self.succeeds("advise", name, "--threads", "3", "--json").stdout))
        asleep = json.loads(self.succeeds("advise", name, "--sleep", "--fair", "--json").stdout)
        self.assertEqual(asleep["advice"][0]["take"], "mcs/park")
        crowd = self.succeeds("advise", name, "--threads", "99").stdout
        self.assertIn("No measurement here; the rule of", crowd)

    def profile(self, locks, name="locks.json", **more):
        """A profile as `synchroscope profile -o` writes it: of each lock what a test asks about."""
        def times(total, **also):
            return {"estimated_total_ns": total, "sampled_ns": total, "below_99_percent_ns": None, "histogram": [], **also}
        listed = [{"name": "hot", "address": i, "kind": "mutex", "side": None, "object": {"address": i},
                   "made_by": "first use", "made_at": [], "acquisitions": 64000, "samples": 1000, "contended": 0,
                   "contended_share": 0.0, "threads": 4, "more_threads": False, "hand_offs": 0,
                   "hand_offs_between_domains": 0, "wait": times(lock.pop("wait_ns", 0)),
                   "hold": times(lock.pop("hold_ns", 200_000), samples=1000),
                   "condition_waits": {"count": 0, "total_ns": 0}, **lock} for i, lock in enumerate(locks)]
        process = {"pid": 77, "parent": 1, "program": "server", "seconds": 0.016, "every": 64, "threads": 5,
                   "lost": {"samples": 0, "spans": 0, "orders": 0}, "locks": listed, "cycles": [], **more}
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump({"format": "synchroscope-profile-1", "command": ["server"], "lock": "native", "every": 64,
                       "processes": [process]}, file)
        return name

    def by_profile(self, *words):
        return json.loads(self.succeeds("advise", "--machine", "opteron-2384", "--profile", *words, "--json").stdout)

    def test_a_profile_says_what_the_workload_is(self):
        # 16 ms of 4 threads, 64,000 acquisitions: 1000 ns each, of them 200 held and 300 waited.
        name = self.profile([{"wait_ns": 300_000, "contended": 250}, {"name": "cold", "samples": 9000}])
        found = self.by_profile(name)
        self.assertEqual(found["workload"], {"threads": 4, "critical_ns": 200, "gap_ns": 500, "locks": 1, "readers": 0,
                                             "sleep": False, "fair": False})
        told = found["profile"]
        self.assertEqual((told["file"], told["lock"], told["pid"], told["contended_share"]), (name, "hot", 77, 0.25))
        self.assertEqual(told["sources"], [
            "lock: hot of server (process 77), that was waited for longest",
            "threads: 4 were seen with it",
            "critical: 200 ns, the mean of 1000 holds that were measured",
            "gap: 500 ns, 0.016 s of 4 threads for 64000 acquisitions, less holds and waits",
            "locks: 1",
            "contended: 25 % of 1000 samples; waits: 30 % of its threads' time"])
        told = self.by_profile(self.profile([{"hold_ns": 200_000_000}], "slow.json", seconds=6.4))["profile"]
        self.assertEqual(told["sources"][2:4], [
            "critical: 200,000 ns, the mean of 1000 holds that were measured",
            "gap: 200,000 ns, 6.4 s of 4 threads for 64000 acquisitions, less holds and waits"])
        text = self.succeeds("advise", "--machine", "opteron-2384", "--profile", name).stdout
        self.assertIn("By the profile:\n- lock: hot of server (process 77), that was waited for longest\n", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))

    def test_what_is_typed_counts_before_what_was_profiled(self):
        found = self.by_profile(self.profile([{}]), "--threads", "2", "--gap", "9")
        self.assertEqual((found["workload"]["threads"], found["workload"]["gap_ns"]), (2, 9))
        self.assertEqual(found["workload"]["critical_ns"], 200)
        self.assertIn("threads: 2, as given", found["profile"]["sources"])
        self.assertFalse(any("were seen" in source for source in found["profile"]["sources"]))
        self.assertIn("that was acquired most often; none was waited for", found["profile"]["sources"][0])

    def test_a_lock_of_the_profile_by_name(self):
        locks = [{"wait_ns": 9}, *({"name": "made at shard()+0x1", "acquisitions": 16000} for _ in range(4)),
                 {"name": "table", "kind": "rwlock", "side": "reading", "samples": 900, "acquisitions": 57600},
                 {"name": "table", "kind": "rwlock", "side": "writing", "samples": 100, "acquisitions": 6400, "address": 5}]
        name = self.profile(locks)
        shards = self.by_profile(name, "--lock", "shard")
        self.assertEqual((shards["workload"]["locks"], shards["workload"]["gap_ns"]), (4, 800))
        self.assertIn("locks: 4 of that name", shards["profile"]["sources"])
        table = self.by_profile(name, "--lock", "table")["workload"]
        self.assertEqual((table["locks"], table["readers"]), (1, 90))

    def test_a_profile_that_gives_no_workload(self):
        def refused(*saying, words=(), **profile):
            name = self.profile(**profile)
            self.refuses(2, "advise", *SMALL, "--profile", name, *words, saying=["locks.json gives no workload", *saying])
        refused("no lock was sampled", locks=[])
        refused("did not end by itself", locks=[{}], seconds=None)
        refused("no lock 'hut'", "hot", locks=[{}], words=["--lock", "hut"])
        refused("several locks", "hot and hotter", locks=[{}, {"name": "hotter"}], words=["--lock", "ho"])
        self.refuses(2, "advise", *SMALL, "--profile", "none.json", saying=["none.json"])
        self.refuses(2, "advise", *SMALL, "--profile", self.results(), saying=["does not say that it is one"])
        self.refuses(2, "advise", *SMALL, "--lock", "hot", saying=["--profile"])

    def test_mistakes_are_told_in_one_sentence(self):
        self.refuses(2, "advise", saying=["no results.json here", "--machine"])
        self.refuses(2, "advise", "none.json", saying=["none.json"])
        self.refuses(2, "advise", "--machine", "opterom", saying=["'opterom'", "opteron"])
        self.refuses(2, "advise", "x.json", "--machine", "xeon", saying=["not both"])
        self.refuses(2, "advise", *SMALL, "--critical", "-1", saying=["--critical", "'-1'"])
        self.refuses(2, "advise", *SMALL, "--gap", "1us", saying=["--gap", "nanoseconds"])
        self.refuses(2, "advise", *SMALL, "--readers", "101", saying=["--readers", "0 to 100"])
        self.refuses(2, "advise", *SMALL, "--locks", "0", saying=["--locks"])
        self.refuses(2, "advise", "--machine", "opteron-2384", "--threads", "33", saying=["--threads 33", "8 processors"])
        self.refuses(2, "advise", *SMALL, "--fare", saying=["--fair"])

    def test_files_are_of_one_machine(self):
        one, other = self.results(), self.results("other.json", "xeon-x5660")
        self.refuses(2, "advise", one, other, saying=["different machines"])
        both = self.results("both.json", "opteron-2384,xeon-x5660")
        self.refuses(2, "advise", both, saying=["several simulated machines"])


if __name__ == "__main__":
    unittest.main()
