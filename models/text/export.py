"""Exports a trained reader to ONNX and proves that the file computes what the trained weights compute (../synth/onnxfile.py).

    /usr/bin/python3 models/text/export.py --model DIR/model.pt [--card VERSION] [--golden]

--model may also name a checkpoint.pt of a run that goes on: its running mean is exported. --card writes the digests into
the models/cards of the reader; --golden draws testdata/ (for text-line alone). READER names the other reader.
"""

import argparse
import os

import cv2
import numpy as np

import generate
import line
import onnxfile
from net import Reader

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, line.READER + ".onnx")
HEIGHTS = (11, 13, 14, 16, 18, 20, 22, 26, 32, 38)  # of the golden lines' capitals; the last line is machine-readable


def verify(model, path):
    for width in line.WIDTHS:
        x, seed = [], 0
        while len(x) < 6:
            x += [line.normalise(p) for p, _, _ in generate.chunk((99, seed), 16) if line.tensor_width(p.shape[1]) == width]
            seed += 1
        onnxfile.prove(model, path, np.stack(x[:6]))


def golden(model, seed=4242):
    """Synthetic lines as pictures, with what the reader must answer for them."""
    rng = np.random.default_rng(seed)
    lines = [generate.crop(rng, h, machine=i == len(HEIGHTS) - 1)[:2] for i, h in enumerate(HEIGHTS)]
    onnxfile.golden(model, line, os.path.join(HERE, "testdata"), lines, 2, sha256=onnxfile.digest(FILE))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--card", metavar="VERSION", help="write digests and version into the cards")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    cv2.setNumThreads(1)
    model = onnxfile.load(Reader(), a.model)
    onnxfile.export(model, FILE, line.HEIGHT, 256, line={3: "W"}, logits={1: "T"})
    verify(model, FILE)
    print(os.path.getsize(FILE), "bytes", onnxfile.digest(FILE))
    if a.card:
        onnxfile.write_card(line.READER, FILE, a.card)
        onnxfile.write_card(line.READER + "-characters", line.CHARACTERS, a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
