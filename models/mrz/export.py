"""Exports a trained reader to ONNX and proves that the file computes what the trained weights compute (../synth/onnxfile.py).

    /usr/bin/python3 models/mrz/export.py --model DIR/model.pt [--card VERSION] [--golden]

--model may also name a checkpoint.pt of a run that goes on: its running mean is exported. --card writes the digest into
models/cards/mrz-read.json; --golden draws testdata/.
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
FILE = os.path.join(HERE, "mrz-read.onnx")
HEIGHTS = (11, 13, 16, 18, 22, 26, 32, 38)  # of the golden lines' capitals


def verify(model, path):
    pictures, widths, *_ = generate.chunk((99, 1), 16)
    onnxfile.prove(model, path, np.stack([line.normalise(p[:, :w]) for p, w in zip(pictures, widths)]))


def golden(model, seed=4242):
    """Synthetic lines as pictures, with what the reader must answer for them."""
    rng = np.random.default_rng(seed)
    lines = [generate.crop(rng, h)[:2] for h in HEIGHTS]
    onnxfile.golden(model, line, os.path.join(HERE, "testdata"), lines, 3, classes="_" + line.ALPHABET, sha256=onnxfile.digest(FILE))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--card", metavar="VERSION", help="write digest and version into the card")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    cv2.setNumThreads(1)
    model = onnxfile.load(Reader(), a.model)
    onnxfile.export(model, FILE, line.HEIGHT, line.WIDTH, line={3: "W"}, logits={1: "T"})
    verify(model, FILE)
    print(os.path.getsize(FILE), "bytes", onnxfile.digest(FILE))
    if a.card:
        onnxfile.write_card("mrz-read", FILE, a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
