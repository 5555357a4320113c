"""Trains the line reader as train.py does from CTC on, on a GPU, from lines that several processes draw.

    READER=text-line /usr/bin/python3 models/text/train_gpu.py --minutes 9 --makers 4 --start text-line.pt --out next.pt

--start is a state of Reader (train.py's model.pt; `unfold` makes one of an exported file). Newer lines are drawn more often than older ones, and a batch
holds twice as many lines as train.py's. Without a GPU it runs as well, slowly.
"""

import argparse
import copy
import multiprocessing
import os
import queue
import time

import cv2
import numpy as np
import torch

import fonts
import generate
import line
import training
from net import Reader
from train import BATCH, FALL, FULL, STEP, WEIGHT, tensors

CHUNK, FIRST, APART, WIDER = 64, 1500, 100000, 2  # lines made at once; lines before the first step; chunks between the seeds of makers; times train.py's batch
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--minutes", type=float, default=9)
    a.add_argument("--makers", type=int, default=4, help="processes that draw lines")
    a.add_argument("--reuse", type=float, default=6, help="how often each line is seen, about")
    a.add_argument("--rate", type=float, default=2e-3)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--start", required=True)
    a.add_argument("--out", required=True)
    return a.parse_args()


def make(seed, first, lines):
    cv2.setNumThreads(1)
    while True:
        lines.put(generate.chunk((seed, first), CHUNK))
        first += 1


class Pool:
    """All lines so far, by the width of their tensor."""

    def __init__(self, makers, seed):
        self.queue, self.made, self.sorted = multiprocessing.Queue(64), 0, {w: [] for w in BATCH}
        self.makers = [multiprocessing.Process(target=make, args=(seed, k * APART, self.queue), daemon=True) for k in range(makers)]
        for m in self.makers:
            m.start()

    def take(self, enough):
        """Takes what is there, and waits for as many lines as are enough."""
        while self.made < enough or not self.queue.empty():
            try:
                chunk = self.queue.get(timeout=1)
            except queue.Empty:
                continue
            for sample in chunk:
                self.sorted[-(-sample[0].shape[1] // STEP) * STEP].append(sample)
            self.made += len(chunk)

    def batch(self, rng):
        often = np.array([len(self.sorted[w]) / n for w, n in BATCH.items()])
        w = list(BATCH)[rng.choice(len(often), p=often / often.sum())]
        own = self.sorted[w]
        return [own[int(len(own) * (1 - rng.random() ** 1.5))] if len(own) > 1 else own[0] for _ in range(WIDER * BATCH[w])], w


def main():
    a = arguments()
    fonts.require()
    pool = Pool(a.makers, a.seed)  # before the GPU is touched: its state must not be forked
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    cv2.setNumThreads(1)
    model = Reader()
    model.load_state_dict(torch.load(a.start, map_location="cpu"))
    model.to(DEVICE).to(memory_format=torch.channels_last)
    mean, weight = copy.deepcopy(model), WEIGHT.to(DEVICE)
    adam = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=1e-3)
    rng, step, seen, losses = np.random.default_rng((a.seed, 7)), 0, 0, []
    pool.take(FIRST)
    began = said = time.time()
    while (share := (time.time() - began) / (60 * a.minutes)) < 1:
        pool.take(seen / a.reuse)
        batch, w = pool.batch(rng)
        x, labels, targets, lengths = tensors(rng, batch, line.tensor_width(w) if rng.random() < FULL else w)
        for group in adam.param_groups:
            group["lr"] = training.rate_at(share, a.rate, FALL)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            logits = model(x.to(DEVICE).contiguous(memory_format=torch.channels_last))
        loss = training.loss_of(logits.float(), labels.to(DEVICE), targets.to(DEVICE), lengths, True, generate.IGNORE, weight)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        adam.step()
        step, seen = step + 1, seen + len(batch)
        training.follow(mean, model, min(0.998, step / (step + 20)))
        losses.append(loss.detach())
        if time.time() - said > 30:
            said = time.time()
            print(f"{(said - began) / 60:.1f} min step {step} lines {pool.made} seen {seen} loss {float(torch.stack(losses[-100:]).mean()):.4f}", flush=True)
    for m in pool.makers:
        m.terminate()
    torch.save({name: t.contiguous() for name, t in mean.cpu().state_dict().items()}, a.out + ".new")
    os.replace(a.out + ".new", a.out)


if __name__ == "__main__":
    main()
