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
import onnxfile
from counting import edits, height, trust

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mrz-read.onnx")
BANDS = ((8.5, 11), (11, 14), (14, 18), (18, 24), (24, 32), (32, 40))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--lines", type=int, default=2000)
    a.add_argument("--seed", type=int, default=777)
    a.add_argument("--model", default=FILE)
    a = a.parse_args()
    cv2.setNumThreads(1)
    reader, rng = onnxfile.Interpreter(a.model), np.random.default_rng((a.seed, 10**9))
    rows = []
    for i in range(a.lines):
        fitted, _, _, text = generate.sample(rng, height(rng, BANDS[i % len(BANDS)]))
        got, sure, _ = line.decode(reader.run(line.normalise(fitted)), fitted.shape[1])
        rows.append((i % len(BANDS), text, got, min(sure, default=0.0)))
    print("| capital height, px | lines | exact | characters wrong | filler count wrong |\n|---|---|---|---|---|")
    for band in (*range(len(BANDS)), None):
        some = [r for r in rows if band is None or r[0] == band]
        exact, wrong, total = sum(t == g for _, t, g, _ in some), sum(edits(t, g) for _, t, g, _ in some), sum(len(t) for _, t, _, _ in some)
        fill = sum(t != g and t.replace("<", "") == g.replace("<", "") for _, t, g, _ in some)
        name = "all" if band is None else "%g–%g" % BANDS[band]
        print(f"| {name} | {len(some)} | {100 * exact / len(some):.1f} % | {100 * wrong / total:.2f} % | {fill} |")
    trust([(sure, text == got) for _, text, got, sure in rows])


if __name__ == "__main__":
    main()
