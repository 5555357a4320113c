"""Reads fresh synthetic lines with the committed mrz-read.onnx and counts, by capital height.

    /usr/bin/python3 models/mrz/evaluate.py --lines 2000 --seed 777

Needs only the ONNX file (run by OpenCV's interpreter). "Cut" counts of confidence tell how far the lowest character confidence of a line can be
trusted: of the lines whose every character is at least so sure, how many are wrong.
"""

import argparse
import os

import cv2
import numpy as np

import generate
import line

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mrz-read.onnx")
BANDS = ((8.5, 11), (11, 14), (14, 18), (18, 24), (24, 32), (32, 40))
SURE = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def edits(a, b):
    """Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--lines", type=int, default=2000)
    a.add_argument("--seed", type=int, default=777)
    a.add_argument("--model", default=FILE)
    a = a.parse_args()
    cv2.setNumThreads(1)
    reader, rng = cv2.dnn.readNetFromONNX(a.model), np.random.default_rng((a.seed, 10**9))
    rows = []
    for i in range(a.lines):
        lo, hi = BANDS[i % len(BANDS)]
        h = float(np.exp(rng.uniform(np.log(lo), np.log(hi))))
        fitted, _, _, text = generate.sample(rng, h)
        reader.setInput(line.normalise(fitted)[None])
        got, sure, _ = line.decode(reader.forward()[0], fitted.shape[1])
        rows.append((i % len(BANDS), text, got, min(sure, default=0.0)))
    print("| capital height, px | lines | exact | characters wrong | filler count wrong |\n|---|---|---|---|---|")
    for band in (*range(len(BANDS)), None):
        some = [r for r in rows if band is None or r[0] == band]
        exact, wrong, total = sum(t == g for _, t, g, _ in some), sum(edits(t, g) for _, t, g, _ in some), sum(len(t) for _, t, _, _ in some)
        fill = sum(t != g and t.replace("<", "") == g.replace("<", "") for _, t, g, _ in some)
        name = "all" if band is None else "%g–%g" % BANDS[band]
        print(f"| {name} | {len(some)} | {100 * exact / len(some):.1f} % | {100 * wrong / total:.2f} % | {fill} |")
    print("\n| lowest confidence of the line at least | lines | of them wrong |\n|---|---|---|")
    for s in SURE:
        some = [r for r in rows if r[3] >= s]
        print(f"| {s} | {len(some)} | {sum(t != g for _, t, g, _ in some)} |")


if __name__ == "__main__":
    main()
