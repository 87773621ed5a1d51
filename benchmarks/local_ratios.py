"""How close the proved local bounds are to their witnesses on a real model, and how far the published one is.

    python -m benchmarks.local_ratios [--layers 0,3,5] [--tokens 16,64,128] [--text FILE]

Prints one line for every layer and length: proved / witness over the heads (least, median, largest), for the whole map
in both tiers, the published compact-set theorem / witness, and the seconds of each tier.
"""

import argparse
from pathlib import Path
from statistics import median

from certify.certify_layer import certify_layer
from certify.outcome import Bound
from certify.race import Raced

HEADER = """\
           |  head: proved / witness |       published |   whole map    | seconds
layer    n |   least  median largest |   least largest |   fast   tight | fast tight"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--layers", default="0,3,5")
    parser.add_argument("--tokens", default="16,64,128")
    parser.add_argument("--text", type=Path)
    options = parser.parse_args()
    text = options.text.read_text() if options.text else None
    print(HEADER)
    for layer in map(int, options.layers.split(",")):
        for tokens in map(int, options.tokens.split(",")):
            fast = certify_layer(options.model, layer=layer, tokens=tokens, text=text, tier="fast")
            tight = certify_layer(options.model, layer=layer, tokens=tokens, text=text, tier="tight")
            heads = sorted(ratio(raced, None) for raced in tight.heads)
            published = sorted(ratio(raced, "compact-softmax-published") for raced in tight.heads)
            whole = f"{ratio(fast.whole, None):6.2f} {ratio(tight.whole, None):7.2f}"
            print(
                f"{layer:5} {tokens:4} | {heads[0]:7.2f} {median(heads):7.2f} {heads[-1]:7.2f} "
                f"| {published[0]:7.0f} {published[-1]:7.0f} | {whole} | {fast.seconds:4.1f} {tight.seconds:5.1f}",
                flush=True,
            )


def ratio(raced: Raced, theorem: str | None) -> float:
    """Upper / witness, for one theorem or for the least bound."""
    bounds = [c.bound.value for c in raced.candidates if isinstance(c.bound, Bound) and theorem in (None, c.theorem)]
    return min(bounds) / raced.witness.bound.value


if __name__ == "__main__":
    main()
