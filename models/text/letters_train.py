"""Trains the reader of single letters from generated lines within a budget of wall-clock minutes (../synth/training.py).

    /usr/bin/python3 models/text/letters_train.py --minutes 45 --out DIR
"""

import collections

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

import letters  # first: it says which alphabet is read
import fonts
import training
from net import conv, unfold

CHUNK, CHUNKS, FIRST, BATCH = 1024, 60, 4, 256
FALL = 0.8


class Added(nn.Module):
    """A convolution, added to what came in."""

    def __init__(self, width):
        super().__init__()
        self.conv = conv(width, width)

    def forward(self, x):
        return x + self.conv(x)


class Letters(nn.Module):
    """[N, 1, 64, 64] → logits [N, CLASSES] of the letter in the middle."""

    def __init__(self):
        super().__init__()
        self.look = nn.Sequential(
            conv(1, 16, 5, (2, 2)), conv(16, 32, 3, (2, 2)), conv(32, 64, 3, (2, 2)), Added(64), Added(64), conv(64, 32, 1))
        self.fold = nn.Linear(32 * 64, 256)
        self.head = nn.Linear(256, letters.CLASSES)

    def forward(self, window):
        return self.head(torch.relu(self.fold(self.look(window).flatten(1))))


class Pool(training.Pool):
    def __init__(self, seed, first):
        super().__init__(letters.chunk, CHUNK, seed, first)
        self.kept = collections.deque(maxlen=CHUNKS)

    def keep(self, fresh):
        self.kept.append(fresh)

    def batch(self, rng):
        chunks = rng.integers(len(self.kept), size=8)
        rows = [rng.integers(CHUNK, size=BATCH // 8) for _ in chunks]
        x = np.concatenate([self.kept[c][0][r] for c, r in zip(chunks, rows)]).astype(np.float32)
        y = np.concatenate([self.kept[c][1][r] for c, r in zip(chunks, rows)])
        for i, dx, dy in zip(range(BATCH), rng.integers(-2, 3, BATCH), rng.integers(-3, 4, BATCH)):
            x[i] = np.roll(x[i], (dy, dx), (0, 1))
        x *= rng.uniform(0.7, 1.3, (BATCH, 1, 1)).astype(np.float32)
        x += rng.normal(0, 1, x.shape).astype(np.float32) * (rng.uniform(0, 0.25, (BATCH, 1, 1)) * (rng.random((BATCH, 1, 1)) < 0.5)).astype(np.float32)
        return torch.from_numpy(x)[:, None], torch.from_numpy(y)


def backward(model, batch, share):
    x, y = batch
    loss = F.cross_entropy(model(x.contiguous(memory_format=torch.channels_last)), y, label_smoothing=0.01)
    loss.backward()
    return float(loss.detach())


def exact(model, seed):
    model.eval()
    x, y = letters.chunk((seed, 10**6), 4000)
    with torch.no_grad():
        guess = model(torch.from_numpy(x.astype(np.float32))[:, None]).argmax(1).numpy()
    model.train()
    return float((guess == y).mean())


def resume(model, path, seed):
    """Gives the model the weights of a run's model.pt or of the exported file."""
    if not path.endswith(".onnx"):
        return model.load_state_dict(torch.load(path))
    x, _ = letters.chunk((seed, 10**6 + 1), 1024)
    unfold(model, path, [torch.from_numpy(x.astype(np.float32))[:, None]])
    graph = onnx.load(path).graph
    held = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    dense = [node for node in graph.node if node.op_type == "Gemm"]
    with torch.no_grad():
        for layer, node in zip((model.fold, model.head), dense, strict=True):
            layer.weight.copy_(held[node.input[1]])
            layer.bias.copy_(held[node.input[2]])


def main():
    a = training.arguments(__doc__, minutes=45, reuse=3, threads=1)
    a.add_argument("--start", help="model.pt of a run, or an exported file, to go on from")
    a = a.parse_args()
    fonts.require()
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    model = Letters()
    if a.start:
        resume(model, a.start, a.seed)
    model.to(memory_format=torch.channels_last)
    training.train(
        a, model, lambda first: Pool(a.seed, first), FIRST, lambda rng, pool: pool.batch(rng),
        lambda batch, share: backward(model, batch, share), lambda m: exact(m, a.seed), FALL)


if __name__ == "__main__":
    main()
