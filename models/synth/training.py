"""Trains a line reader from generated lines within a budget of wall-clock minutes.

What the rate and the supervision are follows the elapsed share of the budget, so a run always ends annealed, however busy the machine is. A
checkpoint is written each minute; the same command goes on from it. First weights and lines are set by the seed; how many steps fit is not.
"""

import argparse
import copy
import json
import math
import multiprocessing
import os
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

WARM = 0.01  # share of the budget in which the rate goes up


def arguments(doc, minutes, reuse, threads):
    """A parser with what every training is told; the reader adds its own."""
    a = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--minutes", type=float, default=minutes)
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--reuse", type=float, default=reuse, help="how often each generated line is seen, about")
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--threads", type=int, default=threads)
    return a


def worker(chunk, size, seed, first, queue):
    """Makes chunk after chunk; the full queue holds it back."""
    cv2.setNumThreads(1)
    while True:
        queue.put(chunk((seed, first), size))
        first += 1


class Pool:
    """Recent chunks of generated lines, made by a process of their own in the order of their numbers. keep(chunk) and what draws batches are the reader's."""

    def __init__(self, chunk, size, seed, first):
        self.queue = multiprocessing.Queue(2)
        self.maker = multiprocessing.Process(target=worker, args=(chunk, size, seed, first, self.queue), daemon=True)
        self.maker.start()
        self.size, self.made, self.next = size, 0, first

    def refill(self):
        self.keep(self.queue.get())
        self.next, self.made = self.next + 1, self.made + 1


def shaken(rng, picture, normalise):
    """Normalised input with small changes that cost nothing: a shift by a row, noise."""
    high, w = picture.shape
    x = normalise(picture[np.clip(np.arange(high) + rng.integers(-1, 2), 0, high - 1)])
    if rng.random() < 0.3:
        x[0, :, :w] += rng.standard_normal((high, w), dtype=np.float32) * rng.uniform(0, 0.2)
    return x


def rate_at(share, top, fall):
    """Warm-up, cosine to a tenth when the share `fall` of the budget is gone, then linear to zero."""
    if share < WARM:
        return top * share / WARM
    if share < fall:
        return top * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (share - WARM) / (fall - WARM))))
    return top * 0.1 * max(0.0, 1 - (share - fall) / (1 - fall)) + 1e-6


def loss_of(logits, labels, targets, lengths, ctc, ignore, weight=None):
    """Cross-entropy of every frame; with ctc, CTC and a fifth of that, so that the places stay true."""
    frame = F.cross_entropy(logits.transpose(1, 2), labels, weight, ignore_index=ignore)
    if not ctc:
        return frame
    full = torch.full((len(lengths),), logits.shape[1], dtype=torch.long)
    return F.ctc_loss(F.log_softmax(logits, 2).transpose(0, 1), targets, full, lengths, zero_infinity=True) + 0.2 * frame


def exact(model, line, samples):
    """Share of lines, as pairs of fitted picture and classes of the text, that are read without an error."""
    model.eval()
    good = total = 0
    with torch.no_grad():
        for picture, classes in samples:
            logits = model(torch.from_numpy(line.normalise(picture))[None])[0].numpy()
            good += line.decode(logits, picture.shape[1])[0] == "".join(line.ALPHABET[c - 1] for c in classes)
            total += 1
    model.train()
    return good / total


def save(path, **state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def follow(mean, model, keep):
    """Running mean of the weights: what is exported."""
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), model.state_dict().values()):
            if a.dtype.is_floating_point:
                a.mul_(keep).add_(b, alpha=1 - keep)


class Run:
    """A training and where it stands: weights, their running mean, the optimiser's memory, and how far it has come."""

    def __init__(self, out, model, rate):
        os.makedirs(out, exist_ok=True)
        self.out, self.checkpoint = out, os.path.join(out, "checkpoint.pt")
        self.model, self.mean = model, copy.deepcopy(model)
        self.best = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-3)
        self.step, self.elapsed, self.chunks, self.lines = 0, 0.0, 0, 0
        if os.path.exists(self.checkpoint):
            s = torch.load(self.checkpoint)
            self.model.load_state_dict(s["model"]), self.mean.load_state_dict(s["mean"]), self.best.load_state_dict(s["best"])
            self.step, self.elapsed, self.chunks, self.lines = s["step"], s["elapsed"], s["chunks"], s.get("lines", 0)
        self.log = open(os.path.join(out, "log.jsonl"), "a", buffering=1)

    def save(self):
        save(self.checkpoint, model=self.model.state_dict(), mean=self.mean.state_dict(), best=self.best.state_dict(),
             step=self.step, elapsed=self.elapsed, chunks=self.chunks, lines=self.lines)

    def learn(self, rate, loss_of_batch):
        """One step: loss_of_batch sets the gradients and says the loss."""
        for group in self.best.param_groups:
            group["lr"] = rate
        self.best.zero_grad(set_to_none=True)
        loss = loss_of_batch()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.best.step()
        self.step += 1
        follow(self.mean, self.model, min(0.998, self.step / (self.step + 20)))
        return loss

    def say(self, **facts):
        self.log.write(json.dumps({**facts, "step": self.step, "lines": self.lines, "chunks": self.chunks}) + "\n")


def train(a, model, pool, ready, draw, backward, exact, fall):
    """Trains for a.minutes and leaves the running mean of the weights as model.pt in a.out.

    pool(first) makes a Pool that begins with that chunk; ready chunks of it come before the first step. draw(rng, pool) gives a batch of tensors,
    the input first; backward(batch, share) sets the gradients of the model's weights and gives the loss. exact(model) is asked at the end.
    """
    run = Run(a.out, model, a.rate)
    pool, rng = pool(run.chunks), np.random.default_rng((a.seed, run.step, 7))
    began = saved = said = time.monotonic()
    before, total, counted, share, seen = run.elapsed, 0.0, 0, 0.0, 0
    while share < 1:
        run.elapsed = before + time.monotonic() - began
        share = run.elapsed / (a.minutes * 60)
        while pool.made < ready + seen / (pool.size * a.reuse):
            pool.refill()
        run.chunks, batch = pool.next, draw(rng, pool)
        loss = run.learn(rate_at(share, a.rate, fall), lambda: backward(batch, share))
        seen, run.lines = seen + len(batch[0]), run.lines + len(batch[0])
        total, counted, now = total + loss, counted + 1, time.monotonic()
        if now - said > 60:
            run.say(minutes=round(run.elapsed / 60, 1), share=round(share, 3), loss=round(total / counted, 4))
            total, counted, said = 0.0, 0, now
        if now - saved > 60:
            run.save()
            saved = now
    pool.maker.terminate()
    torch.save(run.mean.state_dict(), os.path.join(a.out, "model.pt"))
    run.say(finished=True, exact=exact(run.mean), exact_last=exact(model))
