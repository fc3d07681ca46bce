"""A recorded program on a model: what is told, and what is refused.

    test_predict.py PROGRAM [CLASS...]
"""

import copy
import csv
import json
import os
import unittest

from test_program import Case  # which takes PROGRAM off the arguments


MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/simulations/program_errors.csv")


def times(ns, count):
    return {"estimated_total_ns": ns * count, "interval_ns": [0, ns * count], "sampled_ns": ns * count,
            "below_99_percent_ns": 2 * ns, "samples": count, "histogram": [{"from_ns": ns, "to_ns": 2 * ns, "count": count}]}


def lock(name, address, hold=512, gap=4096, count=1000):
    nothing = dict(times(0, 0), histogram=[], sure=True, long={"total_ns": 0, "histogram": []})
    return {"name": name, "address": address, "kind": "mutex", "side": None, "object": {"address": address},
            "made_by": "first use", "made_at": [], "acquisitions": 10 * count, "samples": count, "contended": 0,
            "contended_share": 0.0, "threads": 2, "more_threads": False, "hand_offs": 0, "hand_offs_between_domains": 0,
            "wait": nothing, "hold": times(hold, count), "gap": times(gap, count),
            "condition_waits": {"count": 0, "total_ns": 0}}


def profile(*locks):
    samples = sum(one["samples"] for one in locks)
    threads = [{"thread": n, "samples": samples // 2, "seconds": 1.0, "worked_seconds": 1.0, "condition_seconds": 0.0}
               for n in (7, 8)]
    return {"format": "synchroscope-profile-1", "command": ["./server"], "lock": "native", "every": 10, "processes": [
        {"pid": 42, "parent": 1, "program": "./server", "seconds": 1.0, "every": 10, "clock_ns": 0, "threads": 2,
         "by_thread": threads, "lost": {"samples": 0, "spans": 0, "orders": 0, "children": 0}, "locks": list(locks),
         "pairs": [], "cycles": []}]}


COLUMNS = "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs"


def errors(machine="elsewhere", processors=2, model_error=2, times=(1.1, 1.2, 3), threads=2):
    """Programs that did so many times what was predicted for them, with the recorded lock and threads."""
    return "\n".join([COLUMNS] + [f"{machine},{processors},{model_error},p{n},pthread/mutex,{threads},pthread/mutex,{threads},"
                                  f"{100 * above},100 100 100" for n, above in enumerate(times)]) + "\n"


class PredictCase(Case):
    def write(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(document if isinstance(document, str) else json.dumps(document))
        return name

    def predict(self, *args, file="p.json"):
        return self.succeeds("predict", file, "--quick", "--no-progress", *args)


class Foretelling(PredictCase):
    def setUp(self):
        super().setUp()
        self.write("p.json", profile(lock("hot_mutex", 16)))

    def test_where_it_stops_to_scale_on_which_lock_and_what_would_help(self):
        told = self.predict("--machine", "opteron", "--threads", "1-48", "--lock", "mcs,ticket", "-o", "x.json")
        text = " ".join(told.stdout.split())
        self.assertRegex(text, r"^With pthread/mutex it stops scaling at \d+ threads, which go round .* of their time goes to "
                               r"hot_mutex\. ")
        self.assertRegex(text, r"(With 48 threads, mcs would do [\d.]+ \([\d.]+ to [\d.]+\) times as much as pthread/mutex|"
                               r"No lock is sure to do more with 48 threads: the most would be [\d.]+ \([\d.]+ to [\d.]+\) times as "
                               r"much with mcs)\. ")
        self.assert_valid("x.json")
        found = self.document("x.json")
        rates = {(c["at"]["lock"], c["at"]["threads"]): c for c in found["cells"] if c["metric"] == "throughput"}
        self.assertEqual({n for _, n in rates}, {1, 2, 4, 8, 16, 32, 48})
        self.assertEqual({name for name, _ in rates}, {"pthread/mutex", "mcs", "ticket"})
        self.assertTrue(all(c["ci"][0] < c["value"] < c["ci"][1] for c in rates.values()))
        self.assertGreater(rates["mcs", 48]["value"], rates["pthread/mutex", 48]["value"])
        [warning] = [w for w in found["warnings"] if w["id"] == "predicted"]
        self.assertEqual(warning["evidence"]["threads"], 2)
        self.assertEqual([one["name"] for one in warning["evidence"]["locks"]], ["hot_mutex"])

    def test_the_lock_that_it_was_recorded_with_is_among_those_that_are_compared(self):
        for words, names in (((), {"mcs/park", "mcs"}), (("--lock", "ticket"), {"mcs/park", "ticket"}),
                             (("--full",), {"mcs/park", "tas/yield"})):
            with self.subTest(words=words):
                self.write("q.json", dict(profile(lock("hot_mutex", 16)), lock="mcs/park"))
                told = self.succeeds("predict", "q.json", "--machine", "opteron", "--threads", "2", *(words or ("--quick",)),
                                     "--no-progress", "-o", "x.json")
                self.assertRegex(told.stdout, r"^With mcs/park, 2 threads go round ")
                self.assertLessEqual(names, {c["at"]["lock"] for c in self.document("x.json")["cells"]})

    def test_whose_error_its_intervals_hold(self):
        told = self.predict("--machine", "opteron", "--threads", "2", "--lock", "mcs", "-o", "x.json").stdout
        told = " ".join(told.split())
        with open(MEASURED, encoding="utf-8") as file:
            measured = float(next(csv.DictReader(line for line in file if line[0] != "#"))["model_error"])
        curves, programs = "nine of ten ratios", "as for the programs that were measured"
        off_by, whose = (measured, programs) if measured > 2 else (2, curves)
        self.assertIn(f"Intervals hold an error of {off_by:.3g} times in all that the model knows, both ways ({whose}", told)
        [warning] = [w for w in self.document("x.json")["warnings"] if w["id"] == "predicted"]
        self.assertEqual((warning["evidence"]["model_error"], warning["evidence"]["on_processors"]), (off_by, 1))

    def test_without_measured_programs_the_error_is_that_of_the_published_curves(self):
        self.write("none.csv", COLUMNS + "\n")
        told = self.predict("--machine", "opteron", "--threads", "2", "--lock", "mcs", "--errors", "none.csv",
                            "-o", "x.json")
        self.assertIn("Intervals hold an error of 2 times in all that the model knows, both ways (nine of ten ratios",
                      " ".join(told.stdout.split()))
        [warning] = [w for w in self.document("x.json")["warnings"] if w["id"] == "predicted"]
        self.assertEqual((warning["evidence"]["model_error"], warning["evidence"]["on_processors"]), (2, 1))

    def throughput(self, file):
        self.write("e.csv", file)
        self.predict("--machine", "opteron", "--threads", "2", "--lock", "pthread/mutex", "--errors", "e.csv",
                     "-o", "x.json")
        found = self.document("x.json")
        [cell] = [c for c in found["cells"] if c["metric"] == "throughput"]
        [warning] = [w for w in found["warnings"] if w["id"] == "predicted"]
        self.assert_valid("x.json")
        return cell, warning

    def test_intervals_are_as_wide_as_measured_programs_needed(self):
        cell, warning = self.throughput(errors())
        self.assertAlmostEqual(cell["ci"][0], min(cell["samples"]) / 3)
        self.assertAlmostEqual(cell["ci"][1], max(cell["samples"]) * 3)
        self.assertEqual(cell["flag"], "unreliable")
        self.assertIn("They are 3.00 times wider than that, down and up, by what 3 measured programs needed (elsewhere, 2 "
                      "processors): of 4 programs like these an interval holds in 3.", warning["advice"])
        self.assertIn("On opteron, which is another machine, that is an extrapolation", warning["advice"])
        self.assertEqual((warning["evidence"]["intervals"]["coverage"], warning["evidence"]["intervals"]["extrapolated"]),
                         (0.75, True))

    def test_where_no_program_was_measured_it_says_so(self):
        cell, warning = self.throughput(COLUMNS + "\n")
        self.assertEqual(cell["ci"], [min(cell["samples"]), max(cell["samples"])])
        self.assertIn("No program was measured beside its prediction, so how often intervals hold is not known.",
                      warning["advice"])
        self.assertIsNone(warning["evidence"]["intervals"])

    def test_runs_hold_as_much_of_the_models_error_as_those_that_were_held_against_programs(self):
        for model_error, taken in ((1.5, 2), (4, 4)):
            with self.subTest(model_error=model_error):
                _, warning = self.throughput(errors(model_error=model_error))
                self.assertEqual(warning["evidence"]["model_error"], taken)

    def test_time_in_which_no_processor_was_waited_for_is_think_time(self):
        """Both threads worked for 0.8 of their time: of the rest the kernel told nothing, or how much of it they queued."""
        whole = profile(lock("hot_mutex", 16))
        seconds = 10 * 1000 * (512 + 4096) * 1e-9 / 2
        rates = {}
        for queued, think, on in ((None, None, 0.8), (0.2, 0, 0.8), (0, 0.2, 1), (0.1, 0.1, 8 / 9)):
            with self.subTest(queued=queued):
                whole["processes"][0]["by_thread"] = [
                    dict(t, seconds=seconds, worked_seconds=0.8 * seconds, queued_seconds=queued and queued * seconds)
                    for t in whole["processes"][0]["by_thread"]]
                self.write("p.json", whole)
                told = self.predict("--machine", "opteron", "--threads", "1", "--lock", "pthread/mutex", "-o", "x.json")
                text = " ".join(told.stdout.split())
                found = self.document("x.json")
                [warning] = [w for w in found["warnings"] if w["id"] == "predicted"]
                seen = warning["evidence"]["think"]
                self.assertEqual(seen if seen is None else round(seen, 9), think)
                self.assertAlmostEqual(warning["evidence"]["on_processors"], on)
                self.assertEqual("slept, or waited for files" in text, bool(think))
                self.assertEqual("waited for processors is the program's" in text, think is not None)
                [rates[queued]] = [c["value"] for c in found["cells"] if c["metric"] == "throughput"]
        self.assertEqual(rates[None], rates[0.2])
        self.assertAlmostEqual(rates[0] / rates[0.2], 0.8, delta=0.03)

    def test_without_a_profile_it_says_how_often_intervals_hold(self):
        self.write("e.csv", errors())
        told = self.succeeds("predict", "--errors", "e.csv").stdout
        self.assertRegex(told, r"(?m)^as many threads as recorded, the recorded lock +3\.00 +3 of 4 +2 of 3 +2 of 3$")

    def test_other_commands_read_it(self):
        for name, seed in (("x.json", "1"), ("y.json", "2")):
            self.predict("--machine", "opteron", "--threads", "1,12", "--lock", "mcs", "--seed", seed, "-o", name)
        self.assertIn("program.throughput", self.succeeds("show", "x.json").stdout)
        self.assertIn("12 measurements are in both files", self.succeeds("compare", "x.json", "y.json").stdout)
        self.succeeds("report", "x.json", "-o", "x.html")

    def test_the_same_seed_gives_the_same_cells(self):
        cells = []
        for name in ("x.json", "y.json"):
            self.predict("--machine", "xeon", "--threads", "10", "--lock", "mcs", "-o", name)
            cells.append(self.document(name)["cells"])
        self.assertEqual(*cells)

    def test_every_lock(self):
        self.predict("--machine", "opteron", "--threads", "4", "--lock", "all", "-o", "x.json")
        names = {c["at"]["lock"] for c in self.document("x.json")["cells"]}
        self.assertLessEqual({"pthread/mutex", "mutex", "mcs", "mcs/park", "hclh", "tas/yield"}, names)


class Refusing(PredictCase):
    def refused(self, document, sentence, *more, status=2):
        self.write("p.json", document)
        result = self.refuses(status, "predict", "p.json", "--machine", "opteron", *more)
        self.assertEqual(result.stderr, f"synchroscope: {sentence}\n")

    def test_what_is_no_closed_system(self):
        whole = profile(lock("hot_mutex", 16))
        for place, value, why in (
                (("by_thread", 0, "samples"), 125,
                 "its threads are not alike: the busiest takes locks 4 times as often as the least busy"),
                (("by_thread",), [dict(t, worked_seconds=0.1) for t in whole["processes"][0]["by_thread"]],
                 "its threads were off the processors for 90 % of their time beside waits for locks: they slept, waited for "
                 "files or others, or were more than the processors"),
                (("by_thread",), [dict(t, worked_seconds=0.1, queued_seconds=0) for t in whole["processes"][0]["by_thread"]],
                 "its threads slept, or waited for files or others, for 90 % of their time beside waits for locks: what they do "
                 "depends more on that than on what is recorded"),
                (("by_thread",), [dict(t, condition_seconds=0.5) for t in whole["processes"][0]["by_thread"]],
                 "its threads wait for conditions for 50 % of their time, and how long depends on what others do: that is not "
                 "a closed system"),
                (("locks",), [], "no lock was seen in it")):
            with self.subTest(why=why):
                changed = copy.deepcopy(whole)
                there = changed["processes"][0]
                for step in place[:-1]:
                    there = there[step]
                there[place[-1]] = value
                self.refused(changed, f"p.json cannot be predicted: {why}")

    def test_holds_that_grow_with_threads(self):
        more = profile(lock("hot_mutex", 16, hold=2048))
        more["processes"][0]["by_thread"] = [dict(t, samples=250) for t in 2 * more["processes"][0]["by_thread"]]
        self.write("more.json", more)
        self.write("p.json", profile(lock("hot_mutex", 16)))
        self.refuses(2, "predict", "p.json", "more.json", "--machine", "opteron",
                     saying=["more.json cannot be predicted: hot_mutex is held for 512 ns by 2 threads and for 2.05 us by 4"])

    def test_files_that_are_cut_off_or_others(self):
        text = json.dumps(profile(lock("hot_mutex", 16)))
        self.write("p.json", text[:len(text) // 2])
        self.refuses(2, "predict", "p.json", "--machine", "opteron",
                     saying=["p.json ends in the middle of the JSON: it was cut off"])
        self.refused({"schema": "synchroscope/1"}, "p.json is not a profile: synchroscope profile -o FILE writes one")
        self.refuses(2, "predict", "nowhere.json", "--machine", "opteron", saying=["nowhere.json"])
        early = profile(lock("hot_mutex", 16))
        for name in ("by_thread", "pairs", "clock_ns"):
            del early["processes"][0][name]
        self.refused(early, "p.json cannot be predicted: it was recorded by an earlier Synchroscope, without all that a prediction "
                            "needs; record it again")
        for thread in (early := profile(lock("hot_mutex", 16)))["processes"][0]["by_thread"]:
            del thread["condition_seconds"]
        self.refused(early, "p.json cannot be predicted: it was recorded by an earlier Synchroscope, without all that a prediction "
                            "needs; record it again")
        wrong = profile(lock("hot_mutex", 16))
        wrong["processes"][0]["pairs"] = [{"first": 0, "second": 1, "follows": 1, "inside": 0}]
        self.write("p.json", wrong)
        self.refuses(2, "predict", "p.json", "--machine", "opteron", saying=["processes[0].pairs[0].second"])

    def test_errors_that_cannot_be_read(self):
        self.write("p.json", profile(lock("hot_mutex", 16)))
        self.write("e.csv", errors() + "a,b\n")
        for words in (["p.json", "--machine", "opteron"], []):
            self.refuses(2, "predict", *words, "--errors", "e.csv", saying=["e.csv: line 5: it has 2 fields, not 10"])
        self.refuses(2, "predict", "--errors", "nowhere.csv", saying=["nowhere.csv"])
        self.write("e.csv", errors())
        self.refuses(2, "predict", "p.json", "--machine", "opteron", "--errors", "e.csv", "-o", "e.csv", saying=["e.csv"])

    def test_words(self):
        self.write("p.json", profile(lock("hot_mutex", 16)))
        for words, saying in (
                (["predict"], ["predict needs a profile"]),
                (["predict", "p.json"], ["predict needs --machine: one of opteron"]),
                (["predict", "p.json", "--machine", "optron"], ["there is no machine model 'optron'"]),
                (["predict", "p.json", "--machine", "opteron", "--lock", "msc"], ["lock", "msc"]),
                (["predict", "p.json", "--machine", "opteron", "--threads", "1-256"],
                 ["--threads 256 is more than 4 for each of the 48 processors of the model opteron"]),
                (["predict", "p.json", "--machine", "opteron", "--threads", "0-8"], ["--threads 0-8 begins below 1"]),
                (["predict", "p.json", "--machine", "opteron", "--threads", "some"], ["--threads takes numbers and ranges"]),
                (["predict", "p.json", "--machine", "opteron", "-o", "p.json"], ["p.json"])):
            with self.subTest(words=words):
                self.refuses(2, *words, saying=saying)


if __name__ == "__main__":
    unittest.main()
