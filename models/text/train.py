"""Trains the line reader from generated lines within a budget of wall-clock minutes (../synth/training.py).

    /usr/bin/python3 models/text/train.py --minutes 95 --out DIR

Frame-wise cross-entropy for the first part of the budget (--ctc-from), CTC (with a little cross-entropy, so that the places stay true) for the
rest, in bfloat16 where the processor has it. The same command goes on from a run's checkpoint.
"""

import collections
import os

import cv2
import numpy as np
import torch

import fonts
import generate
import line
import reading
import training
from net import Reader, grow, unfold
from twins import likenesses

CHUNK, CHUNKS, FIRST = 128, 96, 6  # lines made at once; chunks kept to draw batches from; chunks before the first step
STEP, FULL = 64, 0.15  # widths of training tensors are multiples of STEP, less paper than the reader's own widths pad with; share of batches that get those
BATCH = {w: max(16, min(64, 10240 // w)) for w in range(STEP, line.WIDTHS[-1] + 1, STEP)}  # lines of a batch: about the same work each, and never below the 16 that torch's fast kernels want
FALL = 0.8  # share of the budget where the rate has come down to a tenth
with open("/proc/cpuinfo", encoding="ascii") as f:
    BFLOAT = not {"avx512_bf16", "amx_bf16"}.isdisjoint(f.read().split())  # without the instructions it takes ten times as long as float32
WEIGHT = torch.ones(line.CLASSES)
WEIGHT[0] = 0.6  # of blank frames, which are more than half of all


def arguments():
    a = training.arguments(__doc__, minutes=95, reuse=2, threads=1)
    a.add_argument("--ctc-from", type=float, default=0.6, help="share of the budget after which CTC begins")
    a.add_argument("--start", help="weights to start from: model.pt of another run, of this network or a narrower one, or an exported text-line.onnx")
    return a.parse_args()


class Pool(training.Pool):
    """The lines of recent chunks, sorted by the width of their tensor."""

    def __init__(self, seed, first):
        super().__init__(generate.chunk, CHUNK, seed, first)
        self.kept, self.sorted = collections.deque(maxlen=CHUNKS), {}

    def keep(self, fresh):
        self.kept.append(fresh)
        self.sorted = {w: [] for w in BATCH}
        for chunk in self.kept:
            for sample in chunk:
                self.sorted[-(-sample[0].shape[1] // STEP) * STEP].append(sample)

    def batch(self, rng):
        """Lines of one width, and the width of their tensor; the widths come as often as makes every line equally frequent."""
        often = np.array([len(self.sorted[w]) / n for w, n in BATCH.items()])
        w = list(BATCH)[rng.choice(len(often), p=often / often.sum())]
        batch = [self.sorted[w][i] for i in rng.integers(len(self.sorted[w]), size=BATCH[w])]
        return batch, line.tensor_width(w) if rng.random() < FULL else w


def tensors(rng, batch, width):
    """Input, frame classes, texts end to end, their lengths."""
    x = np.stack([training.shaken(rng, picture, lambda fitted: reading.normalise(fitted, width)) for picture, _, _ in batch])
    labels = torch.zeros(len(batch), width // line.STRIDE, dtype=torch.int64)  # padding is blank
    for row, (_, classes, _) in zip(labels, batch):
        known = classes[: len(row)]
        row[: len(known)] = torch.from_numpy(known.astype(np.int64))
    targets = torch.from_numpy(np.concatenate([b[2] for b in batch]).astype(np.int64))
    return torch.from_numpy(x), labels, targets, torch.tensor([len(b[2]) for b in batch])


def backward(model, batch, ctc):
    x, *truth = batch
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=BFLOAT):
        logits = model(x.contiguous(memory_format=torch.channels_last))
    loss = training.loss_of(logits.float(), *truth, ctc, generate.IGNORE, WEIGHT)
    loss.backward()
    return float(loss.detach())


def fresh(seed, n=512):
    """Lines that no training sees, with the classes of their texts."""
    return [(picture, classes) for picture, _, classes in generate.chunk((seed, 10**6), n)]


def rows_of(start):
    """For each class of this reader the class of the exported reader that it begins as; None where both have the same alphabet. A letter that the other
    does not know begins as the one that looks most like it (`likenesses`), else as the character that its number leads to."""
    if os.path.samefile(os.path.splitext(start)[0] + ".txt", line.CHARACTERS):
        return None
    with open(os.path.splitext(start)[0] + ".txt", encoding="utf-8") as f:
        old = {c: i + 1 for i, c in enumerate("".join(f.read().split("\n")) + " ")}
    twins = [next((old[t] for t in likenesses(c) if t in old), 1 + i % len(old)) for i, c in enumerate(line.ALPHABET)]
    return [0, *twins]


def main():
    a = arguments()
    fonts.require()
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    model = Reader()
    if a.start and a.start.endswith(".onnx"):
        unfold(model, a.start, [torch.from_numpy(line.normalise(p))[None] for p, _ in fresh(a.seed, 256)], rows_of(a.start))
    elif a.start:
        grow(model, torch.load(a.start))
    model.to(memory_format=torch.channels_last)
    training.train(
        a, model, lambda first: Pool(a.seed, first), FIRST, lambda rng, pool: tensors(rng, *pool.batch(rng)),
        lambda batch, share: backward(model, batch, share >= a.ctc_from), lambda m: training.exact(m, line, fresh(a.seed)), FALL)


if __name__ == "__main__":
    main()
