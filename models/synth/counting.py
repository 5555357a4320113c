"""What counting a line reader's answers takes, whatever it reads."""

import numpy as np

SURE = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def edits(a, b):
    """Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def height(rng, band):
    """A capital height in pixels of a band, small ones as often as large ones."""
    return float(np.exp(rng.uniform(*np.log(band))))


def trust(rows):
    """Prints how far the lowest character confidence of a line can be trusted; rows: (confidence, whether the line was right)."""
    print("\n| lowest confidence of the line at least | lines | of them wrong |\n|---|---|---|")
    for s in SURE:
        some = [right for sure, right in rows if sure >= s]
        print(f"| {s} | {len(some)} | {len(some) - sum(some)} |")
