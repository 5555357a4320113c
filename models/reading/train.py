"""Trains the network that reads a page (README.md).

    /usr/bin/python3 models/reading/train.py --pages "bin/pages -names names.txt known-a.jsonl" --names names.txt --minutes 90 --out net.bin dev.bin
"""

import argparse
import io
import json
import math
import os
import subprocess
import time

import numpy as np
import torch

from net import Reader
from pages import Dropped, Pool, batch, read, usable


def load(path):
    with open(path, "rb") as f:
        stream = io.BufferedReader(f)
        out = []
        while (page := read(stream)) is not None:
            if usable(page):
                out.append(page)
    return out


def measured(net, pages, witnesses):
    """The loss of a page, and how many of its facts the best option alone is right for, in percent."""
    net.eval()
    loss, right, all_of = 0.0, 0, 0
    with torch.no_grad():
        for i in range(0, len(pages), 16):
            some = pages[i:i + 16]
            unlikely, best = net.loss(batch(some, witnesses), tags=0)
            loss, right, all_of = loss + float(unlikely) * len(some), right + int(best.sum()), all_of + len(best)
    net.train()
    return loss / len(pages), 100 * right / all_of


def write(path, net):
    """A file that bench/reading/fit reads: a line of JSON with the names and shapes of the tensors, and their numbers."""
    tensors = {name: t.detach().numpy().astype("<f4") for name, t in net.state_dict().items()}
    with open(path + ".new", "wb") as f:
        f.write((json.dumps([[name, list(t.shape)] for name, t in tensors.items()]) + "\n").encode())
        for t in tensors.values():
            f.write(t.tobytes())
    os.replace(path + ".new", path)


def written(path):
    """The tensors of a file that write, or bench/reading/fit -unpack, wrote; of rows and columns as it has them."""
    with open(path, "rb") as f:
        shapes = json.loads(f.readline())
        return {name: torch.from_numpy(np.fromfile(f, "<f4", math.prod(shape)).reshape(shape)) for name, shape in shapes}


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--pages", required=True, help="command that draws pages without end")
    p.add_argument("--names", required=True, help="file of the witnesses' features")
    p.add_argument("--minutes", type=float, default=90, help="of wall clock; the learning rate falls to nothing over them")
    p.add_argument("--until", type=float, default=0, help="or until this time, in seconds since 1970")
    p.add_argument("--out", required=True)
    p.add_argument("--start", help="checkpoint, or network (.bin), to go on from: its tensors of the same size are taken")
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--uses", type=float, default=3, help="how often a page is seen")
    p.add_argument("--pool", type=int, default=12000)
    p.add_argument("--save", type=float, default=5, help="minutes between checkpoints")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("dev", nargs="*", help="files of pages that are only measured")
    return p.parse_args()


def main():
    a = arguments()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    with open(a.names, encoding="utf-8") as f:
        witnesses = len(f.read().splitlines())
    net = Reader(witnesses)
    mean = {name: p.detach().clone() for name, p in net.named_parameters()}
    if a.start:
        own, before = net.state_dict(), written(a.start) if a.start.endswith(".bin") else torch.load(a.start)
        net.load_state_dict({name: t.reshape(own[name].shape) for name, t in before.items() if own[name].numel() == t.numel()}, strict=False)
    print("weights:", sum(p.numel() for p in net.parameters()), flush=True)
    maker = subprocess.Popen(a.pages.split(), stdout=subprocess.PIPE, bufsize=1 << 20)
    pool = Pool(maker.stdout, a.pool, a.seed)
    pool.more(600)
    tables = [net.parts, net.forms, net.terms, net.direct, net.missed, net.absent]
    rest = [p for p in net.parameters() if not any(p is t for t in tables)]
    adam = torch.optim.AdamW([{"params": tables, "weight_decay": 0}, {"params": rest, "weight_decay": .01}], lr=a.rate, betas=(.9, .98))
    dropped = Dropped(np.random.default_rng(a.seed), .2, .15, .3, .5)
    begin = time.time()
    end = a.until or begin + 60 * a.minutes
    saved, step, seen, losses, owed = begin, 0, 0, [], 0.0
    for name, p in net.named_parameters():
        mean[name].copy_(p.detach())
    while time.time() < end:
        for pages in pool.batches(8, a.batch):
            done = min(1, (time.time() - begin) / (end - begin))
            warm = min(1, (step + 1) / 300)
            for group in adam.param_groups:
                group["lr"] = a.rate * warm * (.02 + .98 * .5 * (1 + math.cos(math.pi * done)))
            loss, _, unlikely, named = net.loss(batch(pages, witnesses, dropped))
            adam.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
            adam.step()
            step, seen = step + 1, seen + len(pages)
            losses.append((float(unlikely), float(named)))
            if step % 4 == 0:
                with torch.no_grad():
                    keep = min(.995, 1 - 10 / (step / 4 + 10))
                    for name, p in net.named_parameters():
                        mean[name].lerp_(p, 1 - keep)
        owed += 8 * a.batch / a.uses
        pool.more(int(owed))
        owed -= int(owed)
        if step % 200 == 0:
            now = np.mean(losses[-200:], axis=0)
            print(f"{(time.time() - begin) / 60:.1f} min step {step} pages {seen} drawn {pool.taken} loss {now[0]:.3f} words {now[1]:.3f}", flush=True)
        if time.time() - saved > 60 * a.save or time.time() >= end:
            saved = time.time()
            own = {name: p.detach().clone() for name, p in net.named_parameters()}
            with torch.no_grad():
                for name, p in net.named_parameters():
                    p.copy_(mean[name])
            for path in filter(os.path.exists, a.dev):
                print(f"  {os.path.basename(path)}: loss %.3f, best option right %.2f %%" % measured(net, load(path), witnesses), flush=True)
            write(a.out, net)
            torch.save(net.state_dict(), a.out + ".pt")
            with torch.no_grad():
                for name, p in net.named_parameters():
                    p.copy_(own[name])
    maker.kill()


if __name__ == "__main__":
    main()
