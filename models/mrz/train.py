"""Trains the line reader from generated lines within a budget of wall-clock minutes.

    /usr/bin/python3 models/mrz/train.py --minutes 75 --out DIR

Frame-wise cross-entropy for the first 80 % of the budget, CTC (with a little cross-entropy, so that the places stay true) for the rest; the
learning rate follows the elapsed share of the budget, so the run always ends annealed, however busy the machine is. A checkpoint is written
each minute; the same command goes on from it. The lines and first weights are set by --seed; how many steps fit is not.
"""

import argparse
import json
import math
import multiprocessing
import os
import time
from concurrent import futures

import cv2
import numpy as np
import torch
from torch.nn import functional as F

import generate
import line
from net import Reader

CHUNK, CHUNKS, FIRST = 256, 64, 4  # lines a worker makes at once; chunks kept to draw batches from; chunks before the first step
CTC_FROM, WARM = 0.8, 0.01


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--minutes", type=float, default=75)
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--batch", type=int, default=32)
    a.add_argument("--reuse", type=int, default=4, help="how often each generated line is seen, about")
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--start", help="weights to start from (model.pt of another run)")
    return a.parse_args()


def worker(seed, first, queue):
    """Makes chunk after chunk; the full queue holds it back."""
    cv2.setNumThreads(1)
    while True:
        queue.put(generate.chunk((seed, first), CHUNK))
        first += 1


class Pool:
    """Recent chunks in one ring of arrays, refilled in the order of their numbers."""

    def __init__(self, seed, first):
        self.queue = multiprocessing.Queue(2)
        self.maker = multiprocessing.Process(target=worker, args=(seed, first, self.queue), daemon=True)
        self.maker.start()
        self.kept, self.made, self.next, self.ring = 0, 0, first, None

    def refill(self):
        fresh = self.queue.get()
        if self.ring is None:
            self.ring = [np.zeros((CHUNK * CHUNKS,) + a.shape[1:], a.dtype) for a in fresh]
        at = (self.next % CHUNKS) * CHUNK
        for mine, new in zip(self.ring, fresh):
            mine[at : at + CHUNK] = new
        self.next, self.made, self.kept = self.next + 1, self.made + 1, min(self.kept + 1, CHUNKS)

    def batch(self, rng, n):
        filled = [c % CHUNKS for c in range(self.next - self.kept, self.next)]
        rows = np.array([filled[rng.integers(len(filled))] * CHUNK + rng.integers(CHUNK) for _ in range(n)])
        return [a[rows] for a in self.ring]


def tensors(rng, batch):
    """Normalised input with small changes that cost nothing (a shift by a row, noise), frame classes, texts."""
    pictures, widths, labels, targets, lengths = batch
    x = np.zeros((len(widths), 1, line.HEIGHT, line.WIDTH), np.float32)
    for i, (picture, w) in enumerate(zip(pictures, widths)):
        rows = np.clip(np.arange(line.HEIGHT) + rng.integers(-1, 2), 0, line.HEIGHT - 1)
        x[i] = line.normalise(picture[rows, :w])
        if rng.random() < 0.3:
            x[i, 0, :, :w] += rng.standard_normal((line.HEIGHT, w), dtype=np.float32) * rng.uniform(0, 0.2)
    return torch.from_numpy(x), torch.from_numpy(labels.astype(np.int64)), torch.from_numpy(targets), torch.from_numpy(lengths)


def rate_at(share, top):
    """Warm-up, cosine to a tenth by the end of the first phase, then linear to zero."""
    if share < WARM:
        return top * share / WARM
    if share < CTC_FROM:
        return top * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (share - WARM) / (CTC_FROM - WARM))))
    return top * 0.1 * max(0.0, 1 - (share - CTC_FROM) / (1 - CTC_FROM)) + 1e-6


def loss_of(logits, labels, targets, lengths, share):
    frame = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=generate.IGNORE)
    if share < CTC_FROM:
        return frame
    full = torch.full((len(lengths),), logits.shape[1], dtype=torch.long)
    ctc = F.ctc_loss(F.log_softmax(logits, 2).transpose(0, 1), targets, full, lengths, zero_infinity=True)
    return ctc + 0.2 * frame


def backward(workers, model, batch, share):
    """Mean gradients of the batch, a part of it in each thread: they meet once a step, while torch's own threads meet at every layer and
    wait spinning, which is ten times slower on a busy machine."""
    weights = list(model.parameters())

    def part(i):
        torch.set_flush_denormal(True)
        torch.set_num_threads(1)
        x, labels, targets, lengths = [t[i :: workers._max_workers] for t in batch]
        loss = loss_of(model(x), labels, targets, lengths, share)
        return float(loss.detach()), torch.autograd.grad(loss, weights)

    parts = list(workers.map(part, range(workers._max_workers)))
    for w, *grads in zip(weights, *[g for _, g in parts]):
        w.grad = sum(grads) / len(grads)
    return sum(l for l, _ in parts) / len(parts)


def exact(model, seed, n=256):
    """Share of fresh lines read without an error."""
    model.eval()
    batch = generate.chunk(seed, n)
    good = 0
    with torch.no_grad():
        for i in range(0, n, 32):
            pictures, widths, _, targets, lengths = [a[i : i + 32] for a in batch]
            logits = model(torch.from_numpy(np.stack([line.normalise(p[:, :w]) for p, w in zip(pictures, widths)]))).numpy()
            for l, w, t, k in zip(logits, widths, targets, lengths):
                good += line.decode(l, w)[0] == "".join(line.ALPHABET[c - 1] for c in t[:k])
    model.train()
    return good / n


def save(path, **state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def follow(mean, model, keep):
    """Running mean of the weights: what is exported."""
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), model.state_dict().values()):
            if a.dtype.is_floating_point:
                a.mul_(keep).add_(b, alpha=1 - keep)


def main():
    a = arguments()
    os.makedirs(a.out, exist_ok=True)
    torch.set_num_threads(1)
    workers = futures.ThreadPoolExecutor(a.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    model, mean = Reader(), Reader()
    if a.start:
        model.load_state_dict(torch.load(a.start))
    mean.load_state_dict(model.state_dict())
    best = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=1e-3)
    step, before, chunks = 0, 0.0, 0
    checkpoint = os.path.join(a.out, "checkpoint.pt")
    if os.path.exists(checkpoint):
        s = torch.load(checkpoint)
        model.load_state_dict(s["model"]), mean.load_state_dict(s["mean"]), best.load_state_dict(s["best"])
        step, before, chunks = s["step"], s["elapsed"], s["chunks"]
    pool = Pool(a.seed, chunks)
    rng = np.random.default_rng((a.seed, step, 7))
    began = saved = said = time.monotonic()
    total, counted, share, seen = 0.0, 0, 0.0, 0
    log = open(os.path.join(a.out, "log.jsonl"), "a", buffering=1)
    while share < 1:
        elapsed = before + time.monotonic() - began
        share = elapsed / (a.minutes * 60)
        while pool.made < FIRST + seen / (CHUNK * a.reuse):
            pool.refill()
        x, labels, targets, lengths = tensors(rng, pool.batch(rng, a.batch))
        for group in best.param_groups:
            group["lr"] = rate_at(share, a.rate)
        loss = backward(workers, model, (x, labels, targets, lengths), share)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        best.step()
        step, seen = step + 1, seen + a.batch
        follow(mean, model, min(0.998, step / (step + 20)))
        total, counted = total + loss, counted + 1
        now = time.monotonic()
        if now - said > 60:
            log.write(json.dumps({"minutes": round(elapsed / 60, 1), "share": round(share, 3), "step": step, "chunks": pool.next, "loss": round(total / counted, 4)}) + "\n")
            total, counted, said = 0.0, 0, now
        if now - saved > 60:
            save(checkpoint, model=model.state_dict(), mean=mean.state_dict(), best=best.state_dict(), step=step, elapsed=elapsed, chunks=pool.next)
            saved = now
    pool.maker.terminate()
    torch.save(mean.state_dict(), os.path.join(a.out, "model.pt"))
    log.write(json.dumps({"finished": True, "step": step, "lines": step * a.batch, "chunks": pool.next, "exact": exact(mean, (a.seed, 10**6)), "exact_last": exact(model, (a.seed, 10**6))}) + "\n")


if __name__ == "__main__":
    main()
