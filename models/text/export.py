"""Exports a trained reader to ONNX and proves that the file computes what the trained weights compute (../synth/onnxfile.py).

    /usr/bin/python3 models/text/export.py --model DIR/model.pt [--mean OTHER.onnx] [--card VERSION] [--golden]

--model may also name a checkpoint.pt of a run that goes on: its running mean is exported. --card writes the digests into
the models/cards of the reader; --mean takes the mean, weight by weight, of the trained reader and of an exported one that it began with; --golden draws testdata/. READER names the other reader.
"""

import argparse
import os

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper

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


def blend(path, other):
    """The file becomes the mean of itself and the other model, weight by weight. Normalisations are within the weights of both."""
    model, weights = onnx.load(path), {t.name: numpy_helper.to_array(t) for t in other.graph.initializer}
    for t in model.graph.initializer:
        own = numpy_helper.to_array(t)
        if own.dtype == np.float32:
            t.CopyFrom(numpy_helper.from_array((weights[t.name] + own) / np.float32(2), t.name))
    onnx.save(model, path)


def filed(path):
    """The file as a model of tensors [1, 1, h, W]."""
    reader = onnxfile.Interpreter(path)
    return lambda x: torch.from_numpy(reader.run(x[0].numpy())[None])


def golden(model, seed=4242):
    """Synthetic lines as pictures, with what the reader must answer for them."""
    rng = np.random.default_rng(seed)
    lines = [generate.crop(rng, h, machine=i == len(HEIGHTS) - 1)[:2] for i, h in enumerate(HEIGHTS)]
    onnxfile.golden(model, line, os.path.join(HERE, "testdata", "" if line.READER == line.LATIN else line.READER), lines, 2, sha256=onnxfile.digest(FILE))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--mean", metavar="FILE", help="write the mean of the trained reader and of this exported one")
    a.add_argument("--card", metavar="VERSION", help="write digests and version into the cards")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    cv2.setNumThreads(1)
    model = onnxfile.load(Reader(), a.model)
    other = onnx.load(a.mean) if a.mean else None  # before the export, which may write the same file
    onnxfile.export(model, FILE, line.HEIGHT, 256, line={3: "W"}, logits={1: "T"})
    verify(model, FILE)
    if other is not None:
        blend(FILE, other)
        model = filed(FILE)
    print(os.path.getsize(FILE), "bytes", onnxfile.digest(FILE))
    if a.card:
        onnxfile.write_card(line.READER, FILE, a.card)
        onnxfile.write_card(line.READER + "-characters", line.CHARACTERS, a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
