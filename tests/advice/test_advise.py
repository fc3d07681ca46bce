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
