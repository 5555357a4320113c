"""Trains the line reader from generated lines within a budget of wall-clock minutes.

    /usr/bin/python3 models/text/train.py --minutes 95 --out DIR

Frame-wise cross-entropy for the first 60 % of the budget, CTC (with a little cross-entropy, so that the places stay true) for the rest; the
learning rate follows the elapsed share of the budget, so the run always ends annealed, however busy the machine is. A checkpoint is written
each minute; the same command goes on from it. The lines and first weights are set by --seed; how many steps fit is not.
"""

import argparse
import collections
import json
import math
import multiprocessing
import os
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

import generate
import line
from net import Reader

CHUNK, CHUNKS, FIRST = 128, 96, 6  # lines made at once; chunks kept to draw batches from; chunks before the first step
BATCH = {128: 64, 256: 40, 512: 24, 1024: 16}  # lines of a batch by tensor width: about the same work each, and never below the 16 that torch's fast kernels want
CTC_FROM, FALL, WARM = 0.6, 0.8, 0.01  # shares of the budget: where CTC begins, where the rate has come down to a tenth, where it has gone up
BLANK = 0.6  # weight of blank frames, which are more than half of all


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--minutes", type=float, default=95)
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--reuse", type=float, default=2, help="how often each generated line is seen, about")
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--start", help="weights to start from (model.pt of another run)")
    return a.parse_args()


def worker(seed, first, queue):
    """Makes chunk after chunk; the full queue holds it back."""
    cv2.setNumThreads(1)
    while True:
        queue.put(generate.chunk((seed, first), CHUNK))
        first += 1


class Pool:
    """The lines of recent chunks, sorted by the width of their tensor."""

    def __init__(self, seed, first):
        self.queue = multiprocessing.Queue(2)
        self.maker = multiprocessing.Process(target=worker, args=(seed, first, self.queue), daemon=True)
        self.maker.start()
        self.kept, self.made, self.next, self.sorted = collections.deque(maxlen=CHUNKS), 0, first, {}

    def refill(self):
        self.kept.append(self.queue.get())
        self.next, self.made = self.next + 1, self.made + 1
        self.sorted = {w: [] for w in line.WIDTHS}
        for chunk in self.kept:
            for sample in chunk:
                self.sorted[line.tensor_width(sample[0].shape[1])].append(sample)

    def batch(self, rng):
        """Lines of one width; the widths come as often as makes every line equally frequent."""
        often = np.array([len(self.sorted[w]) / BATCH[w] for w in line.WIDTHS])
        w = line.WIDTHS[rng.choice(len(often), p=often / often.sum())]
        return [self.sorted[w][i] for i in rng.integers(len(self.sorted[w]), size=BATCH[w])]


def tensors(rng, batch):
    """Normalised input with small changes that cost nothing (a shift by a row, noise), frame classes, texts end to end, their lengths."""
    inputs = []
    for picture, _, _ in batch:
        rows = np.clip(np.arange(line.HEIGHT) + rng.integers(-1, 2), 0, line.HEIGHT - 1)
        x = line.normalise(picture[rows])
        if rng.random() < 0.3:
            w = picture.shape[1]
            x[0, :, :w] += rng.standard_normal((line.HEIGHT, w), dtype=np.float32) * rng.uniform(0, 0.2)
        inputs.append(x)
    labels = torch.from_numpy(np.stack([b[1] for b in batch]).astype(np.int64))
    targets = torch.from_numpy(np.concatenate([b[2] for b in batch]).astype(np.int64))
    return torch.from_numpy(np.stack(inputs)), labels, targets, torch.tensor([len(b[2]) for b in batch])


def rate_at(share, top):
    """Warm-up, cosine to a tenth by the end of the first phase, then linear to zero."""
    if share < WARM:
        return top * share / WARM
    if share < FALL:
        return top * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (share - WARM) / (FALL - WARM))))
    return top * 0.1 * max(0.0, 1 - (share - FALL) / (1 - FALL)) + 1e-6


WEIGHT = torch.ones(line.CLASSES)
WEIGHT[0] = BLANK


def loss_of(logits, labels, targets, lengths, share):
    frame = F.cross_entropy(logits.transpose(1, 2), labels, WEIGHT, ignore_index=generate.IGNORE)
    if share < CTC_FROM:
        return frame
    full = torch.full((len(lengths),), logits.shape[1], dtype=torch.long)
    ctc = F.ctc_loss(F.log_softmax(logits, 2).transpose(0, 1), targets, full, lengths, zero_infinity=True)
    return ctc + 0.2 * frame


def exact(model, seed, n=512):
    """Share of fresh lines read without an error."""
    model.eval()
    good = 0
    with torch.no_grad():
        for picture, _, classes in generate.chunk(seed, n):
            logits = model(torch.from_numpy(line.normalise(picture))[None])[0].numpy()
            good += line.decode(logits, picture.shape[1])[0] == "".join(line.ALPHABET[c - 1] for c in classes)
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
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    model, mean = Reader(), Reader()
    if a.start:
        model.load_state_dict(torch.load(a.start))
    mean.load_state_dict(model.state_dict())
    best = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=1e-3)
    step, before, chunks, lines = 0, 0.0, 0, 0
    checkpoint = os.path.join(a.out, "checkpoint.pt")
    if os.path.exists(checkpoint):
        s = torch.load(checkpoint)
        model.load_state_dict(s["model"]), mean.load_state_dict(s["mean"]), best.load_state_dict(s["best"])
        step, before, chunks, lines = s["step"], s["elapsed"], s["chunks"], s["lines"]
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
        x, labels, targets, lengths = tensors(rng, pool.batch(rng))
        for group in best.param_groups:
            group["lr"] = rate_at(share, a.rate)
        loss = loss_of(model(x), labels, targets, lengths, share)
        best.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        best.step()
        step, seen, lines = step + 1, seen + len(x), lines + len(x)
        follow(mean, model, min(0.998, step / (step + 20)))
        total, counted = total + float(loss.detach()), counted + 1
        now = time.monotonic()
        if now - said > 60:
            log.write(json.dumps({"minutes": round(elapsed / 60, 1), "share": round(share, 3), "step": step, "lines": lines, "chunks": pool.next, "loss": round(total / counted, 4)}) + "\n")
            total, counted, said = 0.0, 0, now
        if now - saved > 60:
            save(checkpoint, model=model.state_dict(), mean=mean.state_dict(), best=best.state_dict(), step=step, elapsed=elapsed, chunks=pool.next, lines=lines)
            saved = now
    pool.maker.terminate()
    torch.save(mean.state_dict(), os.path.join(a.out, "model.pt"))
    log.write(json.dumps({"finished": True, "step": step, "lines": lines, "chunks": pool.next, "exact": exact(mean, (a.seed, 10**6)), "exact_last": exact(model, (a.seed, 10**6))}) + "\n")


if __name__ == "__main__":
    main()
