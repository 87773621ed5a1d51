"""How time, memory and tightness of a layer's certificate grow with the number of tokens, tier by tier.

    python -m benchmarks.scaling [--layer 3] [--tokens 16,32,64,128] [--tiers fast,tight]

Every row is measured in its own process. `memory` is the largest resident memory; `told` is the estimate that the
tight tier gives before it starts; `ratio - 1` is upper / lower - 1 of the whole map. Exponents are fitted to the two
longest rows of each tier.
"""

import argparse
import json
import math
import subprocess
import sys

ROW = """
import json, resource, sys
from certify.certify_layer import certify_layer
from certify.loaders import load
from certify.memory import estimated_bytes
model, layer, tokens, tier = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
found = certify_layer(model, layer=layer, tokens=tokens, tier=tier)
print(json.dumps({
    "seconds": found.seconds,
    "memory": 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    "told": estimated_bytes(found.layer, tokens),
    "ratio": found.ratio,
}))
"""
HEADER = f"{'tier':6} {'n':>4} | {'seconds':>8} {'memory':>8} {'told':>8} | ratio - 1"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--layer", type=int, default=3)
    parser.add_argument("--tokens", default="16,32,64,128")
    parser.add_argument("--tiers", default="fast,tight")
    options = parser.parse_args()
    print(HEADER)
    for tier in options.tiers.split(","):
        rows = []
        for tokens in map(int, options.tokens.split(",")):
            row = measured(options.model, options.layer, tokens, tier)
            rows.append((tokens, row["seconds"]))
            told = f"{row['told'] / 1e6:6.0f}MB" if tier == "tight" else "-"
            print(
                f"{tier:6} {tokens:4} | {row['seconds']:8.2f} {row['memory'] / 1e6:6.0f}MB {told:>8} "
                f"| {row['ratio'] - 1:.1e}",
                flush=True,
            )
        if len(rows) > 1:
            (n, t), (m, u) = rows[-2:]
            print(f"{tier:6} time grows like n^{math.log(u / t) / math.log(m / n):.2f}")
    return 0


def measured(model: str, layer: int, tokens: int, tier: str) -> dict[str, float]:
    """One row, from a fresh process."""
    command = [sys.executable, "-c", ROW, model, str(layer), str(tokens), tier]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
