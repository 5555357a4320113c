"""Reads single letters in typefaces that the reader was not trained on, and counts how often their mark is right, given the letter.

    /usr/bin/python3 models/text/letters_unseen.py --windows 6000

Typefaces: those of unseen.py for Latin print. Half of the letters have marks.
"""

import argparse
import os
from unittest import mock

import cv2
import numpy as np

import letters  # first: it says which alphabet is read
import fonts

FAMILIES = {1.0: ("PT Sans", "PT Serif", "PT Sans Narrow", "PT Mono", "Jura", "Old Standard TT", "Tuffy", "M PLUS 1", "M PLUS 2", "Doulos SIL", "Manrope")}
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text-letter.onnx")
DOUBTED = 0.3  # what is less likely than this is counted as doubted


def bare(c):
    return {"Đ": "D", "đ": "d", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Ħ": "H", "ħ": "h", "Ŧ": "T", "ŧ": "t", "ı": "i"}.get(c, letters.base(c))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--windows", type=int, default=6000)
    a.add_argument("--seed", type=int, default=781)
    a = a.parse_args()
    cv2.setNumThreads(1)
    family = {}
    for i, c in enumerate(letters.ALPHABET):
        if c.isalpha():
            family.setdefault(bare(c), []).append(i + 1)
    net, counts, n = cv2.dnn.readNetFromONNX(FILE), {}, 0
    with mock.patch.object(fonts, "FAMILIES", FAMILIES), mock.patch.object(letters, "FLOATING", 0.0):
        while n < a.windows:
            x, y = letters.chunk((a.seed, n), 500)
            n += len(x)
            net.setInput(x.astype(np.float32)[:, None])
            for row, k in zip(net.forward(), y):
                c = letters.ALPHABET[k - 1]
                some = family.get(bare(c), ())
                if len(some) < 2:
                    continue
                p = np.exp(row - row.max())
                seen, p = p[some].sum() / p.sum() >= 0.6, p[some] / p[some].sum()
                kind = counts.setdefault("with a mark" if bare(c) != c else "without", np.zeros(4, int))
                kind += (1, seen, seen and some[int(p.argmax())] == k, seen and p[some.index(k)] < DOUBTED)
    print("| letters | number | seen | of them the right mark | doubted |\n|---|---|---|---|---|")
    for name, (total, seen, right, doubted) in counts.items():
        print(f"| {name} | {total} | {seen} | {right} ({right / seen:.1%}) | {doubted} ({doubted / seen:.1%}) |")


if __name__ == "__main__":
    main()
