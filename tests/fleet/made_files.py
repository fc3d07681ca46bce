"""Results files of hosts that differ by a percent, but for what a test makes of them."""

import random


def made(host, factor=1.0, **more):
    """A results file of one experiment in ten cells, which are alike on all hosts to within a percent."""
    numbers = random.Random(host)
    cells = []
    for place in range(10):
        value = 100.0 * (place + 1) * factor * (1 + numbers.gauss(0, 0.004))
        cells.append({"experiment": "a.b", "at": {"threads": place + 1}, "metric": "latency", "unit": "ns",
                      "better": "lower", "value": value, "ci": [value * 0.99, value * 1.01], "n": 7, "flag": "ok",
                      "reason": None, "samples": [value] * 7, "quantiles": {}, "noise": {}, "probe_ns": None,
                      "conditions": {}, "valid": True})
    return {"schema": "synchroscope/1", "complete": True, "id": f"id of {host}", "label": None, "tool": {"version": "0.1.0"},
            "invocation": {"started": "2026-11-26T01:00:00Z"},
            "machine": {"kind": "hardware", "model_name": "P", "memory_bytes": 1 << 34}, "topology": {"cpus": [{}, {}]},
            "os": {"hostname": host, "governor": "performance"}, "clock": {}, "warnings": [], "cells": cells, **more}
