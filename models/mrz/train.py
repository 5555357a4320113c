"""Trains the line reader from generated lines within a budget of wall-clock minutes (../synth/training.py).

    /usr/bin/python3 models/mrz/train.py --minutes 75 --out DIR

Frame-wise cross-entropy for the first 80 % of the budget, CTC (with a little cross-entropy, so that the places stay true) for the rest. The same
command goes on from a run's checkpoint.
"""

from concurrent import futures

import cv2
import numpy as np
import torch

import generate
import line
import training
from net import Reader

CHUNK, CHUNKS, FIRST = 256, 64, 4  # lines a worker makes at once; chunks kept to draw batches from; chunks before the first step
CTC_FROM = 0.8  # share of the budget after which CTC begins and the rate has come down to a tenth


def arguments():
    a = training.arguments(__doc__, minutes=75, reuse=4, threads=2)
    a.add_argument("--batch", type=int, default=32)
    a.add_argument("--start", help="weights to start from (model.pt of another run)")
    return a.parse_args()


class Pool(training.Pool):
    """Recent chunks in one ring of arrays."""

    def __init__(self, seed, first):
        super().__init__(generate.chunk, CHUNK, seed, first)
        self.kept, self.ring = 0, None

    def keep(self, fresh):
        if self.ring is None:
            self.ring = [np.zeros((CHUNK * CHUNKS,) + a.shape[1:], a.dtype) for a in fresh]
        at = (self.next % CHUNKS) * CHUNK
        for mine, new in zip(self.ring, fresh):
            mine[at : at + CHUNK] = new
        self.kept = min(self.kept + 1, CHUNKS)

    def batch(self, rng, n):
        filled = [c % CHUNKS for c in range(self.next - self.kept, self.next)]
        rows = np.array([filled[rng.integers(len(filled))] * CHUNK + rng.integers(CHUNK) for _ in range(n)])
        return [a[rows] for a in self.ring]


def tensors(rng, batch):
    """Input, frame classes, texts, their lengths."""
    pictures, widths, labels, targets, lengths = batch
    x = np.stack([training.shaken(rng, picture[:, :w], line.normalise) for picture, w in zip(pictures, widths)])
    return torch.from_numpy(x), torch.from_numpy(labels.astype(np.int64)), torch.from_numpy(targets), torch.from_numpy(lengths)


def backward(workers, model, batch, share):
    """Mean gradients of the batch, a part of it in each thread: they meet once a step, while torch's own threads meet at every layer and
    wait spinning, which is ten times slower on a busy machine."""
    weights = list(model.parameters())

    def part(i):
        torch.set_flush_denormal(True)
        torch.set_num_threads(1)
        x, labels, targets, lengths = [t[i :: workers._max_workers] for t in batch]
        loss = training.loss_of(model(x), labels, targets, lengths, share >= CTC_FROM, generate.IGNORE)
        return float(loss.detach()), torch.autograd.grad(loss, weights)

    parts = list(workers.map(part, range(workers._max_workers)))
    for w, *grads in zip(weights, *[g for _, g in parts]):
        w.grad = sum(grads) / len(grads)
    return sum(l for l, _ in parts) / len(parts)


def fresh(seed, n=256):
    """Lines that no training sees, with the classes of their texts."""
    for picture, w, _, classes, length in zip(*generate.chunk((seed, 10**6), n)):
        yield picture[:, :w], classes[:length]


def main():
    a = arguments()
    torch.set_num_threads(1)
    workers = futures.ThreadPoolExecutor(a.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    model = Reader()
    if a.start:
        model.load_state_dict(torch.load(a.start))
    training.train(
        a, model, lambda first: Pool(a.seed, first), FIRST, lambda rng, pool: tensors(rng, pool.batch(rng, a.batch)),
        lambda batch, share: backward(workers, model, batch, share), lambda m: training.exact(m, line, fresh(a.seed)), CTC_FROM)


if __name__ == "__main__":
    main()
