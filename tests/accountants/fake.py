"""An accountant for tests, as a user would write one: a script that speaks the protocol.

Its first argument says how it behaves; the honest answer is basic composition. Of Gaussian noise it
makes a number that means nothing.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main(behaviour: str) -> None:
    for line in sys.stdin:
        question = json.loads(line)
        if behaviour == "echo":
            print(json.dumps({"error": line.strip()}), flush=True)
        elif behaviour == "hang":
            print("not an end of line", end="", flush=True)
            time.sleep(60)
        elif behaviour == "crash":
            sys.exit("the reason")
        elif behaviour == "wordy":
            sys.exit(f"TypeError: {'why ' * 100}and where")
        elif behaviour == "hungry":
            print(json.dumps({"epsilon": len(bytearray(2**40))}), flush=True)
        elif behaviour == "endless":
            sys.stdout.write("x" * 2**21)
        elif behaviour == "once":
            print(json.dumps(answer(question, "1")), flush=True)
            return
        else:
            print(json.dumps(answer(question, behaviour)), flush=True)


def size(entry: dict[str, Any]) -> float:
    if "fixed_size" in entry:
        step = entry["fixed_size"]
        return float(step["batch"] / step["examples"] / step["sigma"])
    return float(entry["epsilon"] if "epsilon" in entry else entry.get("rate", 1) / entry["sigma"])


def answer(question: dict[str, Any], behaviour: str) -> dict[str, Any]:
    total = sum(size(each) * each["count"] for each in question["mechanisms"])
    own = sum(each.get("delta", 0) * each["count"] for each in question["mechanisms"])
    known: dict[str, dict[str, Any]] = {
        "basic": {"epsilon": total, "delta": own},
        "nan": {"epsilon": float("nan")},
        "inf": {"epsilon": "inf"},
        "negative": {"epsilon": -1},
        "missing": {"missing": "some_package"},
        "unsupported": {"unsupported": "that"},
        "error": {"error": "ValueError: that"},
        "nothing": {},
        "list": {"epsilon": [1]},
        "text": {"epsilon": "many"},
        "huge": {"epsilon": "1e-999999999"},
        "basis": {"epsilon": 1, "basis": "hope"},
        "knowing": {"epsilon": total / 2, "basis": "finer-structure"},
        "delta": {"delta": 0.0},
        "forgetful": {"epsilon": sum(map(size, question["mechanisms"]))},
        "certain": {"epsilon": 0, "delta": 1},
    }
    if behaviour in known:
        return known[behaviour]
    factor = float(behaviour)
    if "epsilon" in question:
        return {"delta": factor}
    return {"epsilon": factor * total, "versions": {"fake": "1.0"}}


if __name__ == "__main__":
    main(sys.argv[1])
