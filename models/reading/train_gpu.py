"""Trains the network that reads a page as train.py does, on a GPU, from pages that several processes draw.

    /usr/bin/python3 models/reading/train_gpu.py --pages "./pages -names names.txt -people people.tsv -seed {seed} known-a.jsonl" --names names.txt \
        --start shipped.bin --minutes 9 --makers 8 --out net.bin

{seed} is another number for each process that draws. Batches are made in processes of their own as well. Without a GPU it runs, slowly.
"""

import argparse
import math
import random
import subprocess
import threading
import time

import numpy as np
import torch
import torch.multiprocessing as mp
from torch.nn import functional as F

from net import PLACES, Reader
from pages import FACTS, OPEN, Dropped, batch, read, usable
from train import write, written

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Fast(Reader):
    """Reader with the steps written so that a GPU need not sort or wait: what many words share is a product, not a lookup."""

    def words(self, b):
        parts = F.embedding_bag(b["parts"], self.parts, b["part_offsets"], mode="sum", per_sample_weights=b["part_weights"])
        forms = F.embedding_bag(b["forms"], self.forms, b["form_offsets"], mode="mean")
        seen = self.word(torch.cat([parts, forms], -1)) + self.number(b["numbers"])
        x = seen.new_zeros(b["pages"] * b["longest"], self.width).index_copy(0, b["slots"], seen).view(b["pages"], b["longest"], -1)
        kind = torch.bfloat16 if x.is_cuda else torch.float32
        places = (b["places"].unsqueeze(-1) == torch.arange(PLACES, device=x.device, dtype=torch.uint8)).to(kind)
        bias = (places.view(-1, PLACES) @ self.places.to(kind)).float().view(*b["places"].shape, -1).permute(3, 0, 1, 2)
        bias = bias.reshape(len(self.layers), self.heads, b["pages"], b["longest"], b["longest"]).transpose(1, 2)
        bias = bias.masked_fill(~b["mask"][None, :, None, None, :], -1e4)
        for k, layer in enumerate(self.layers):
            x = layer(x, bias[k])
        return self.last(x)

    def loss(self, b, tags=.3):
        scores, none, flat = self(b)
        table = scores.new_full((b["pages"] * FACTS, b["width"]), -1e4)
        right = torch.zeros(table.shape, dtype=torch.bool, device=table.device)
        table = table.index_put((b["rows"], b["columns"]), scores.reshape(-1).index_select(0, b["at"] * FACTS + b["rows"] % FACTS))
        table = torch.cat([none.reshape(-1, 1), table[:, 1:]], 1)
        right[b["rows"], b["columns"]] = b["right"]
        right[:, 0] = b["none"]
        each = torch.logsumexp(table, 1) - torch.logsumexp(table.masked_fill(~right, -1e4), 1)
        unlikely = each.masked_fill(~right.any(1), 0).sum() / b["pages"]
        known = b["tags"].long()
        named = F.cross_entropy(self.tag(flat.index_select(0, b["slots"])), known.masked_fill(known == OPEN, -100), ignore_index=-100)
        return unlikely + tags * FACTS * named, unlikely.detach(), named.detach()


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--pages", required=True, help="command that draws pages without end; {seed} in it is a number")
    p.add_argument("--names", required=True, help="file of the witnesses' features")
    p.add_argument("--start", required=True, help="network to go on from")
    p.add_argument("--out", required=True)
    p.add_argument("--minutes", type=float, default=9)
    p.add_argument("--makers", type=int, default=8, help="processes that draw pages")
    p.add_argument("--batchers", type=int, default=2, help="processes that make batches of them")
    p.add_argument("--batch", type=int, default=48)
    p.add_argument("--uses", type=float, default=3, help="how often a page is seen, at most")
    p.add_argument("--pool", type=int, default=12000)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=900, help="of the first process; the others follow")
    return p.parse_args()


class Pool:
    """The last pages of several commands."""

    def __init__(self, commands, size, seed):
        self.pages, self.taken, self.size, self.rng, self.lock = [], 0, size, random.Random(seed), threading.Lock()
        self.makers = [subprocess.Popen(c.split(), stdout=subprocess.PIPE, bufsize=1 << 20) for c in commands]
        for m in self.makers:
            threading.Thread(target=self.fill, args=(m.stdout,), daemon=True).start()

    def fill(self, stream):
        while (page := read(stream)) is not None:
            with self.lock:
                self.taken += 1
                if usable(page) and len(self.pages) < self.size:
                    self.pages.append(page)
                elif usable(page):
                    self.pages[self.rng.randrange(self.size)] = page

    def batches(self, count, size):
        with self.lock:
            drawn = [self.pages[self.rng.randrange(len(self.pages))] for _ in range(count * size)]
        drawn.sort(key=lambda p: len(p["tags"]))
        out = [drawn[i * size:(i + 1) * size] for i in range(count)]
        self.rng.shuffle(out)
        return out


def batcher(a, k, witnesses, batches):
    torch.set_num_threads(1)
    pool = Pool([a.pages.replace("{seed}", str(a.seed + i)) for i in range(k, a.makers, a.batchers)], a.pool, a.seed + k)
    dropped, seen = Dropped(np.random.default_rng(a.seed + k), .2, .15, .3, .5), 0
    while True:
        if len(pool.pages) < 400 or seen > a.uses * pool.taken:
            time.sleep(.01)
            continue
        for pages in pool.batches(8, a.batch):
            batches.put({name: t.numpy() if torch.is_tensor(t) else t for name, t in batch(pages, witnesses, dropped).items()})
            seen += len(pages)


def learn(a, net, batches):
    """Trains and leaves the running mean of the weights in the network."""
    tables = [net.parts, net.forms, net.terms, net.direct, net.missed, net.absent]
    rest = [p for p in net.parameters() if not any(p is t for t in tables)]
    adam = torch.optim.AdamW([{"params": tables, "weight_decay": 0}, {"params": rest, "weight_decay": .01}], lr=a.rate, betas=(.9, .98))
    mean, step, losses = [p.detach().clone() for p in net.parameters()], 0, []
    b = batches.get()
    began = said = time.time()
    while (done := (time.time() - began) / (60 * a.minutes)) < 1:
        for group in adam.param_groups:
            group["lr"] = a.rate * min(1, (step + 1) / 300) * (.02 + .98 * .5 * (1 + math.cos(math.pi * done)))
        loss, *parts = net.loss({name: torch.from_numpy(t).to(DEVICE) if isinstance(t, np.ndarray) else t for name, t in b.items()})
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        adam.step()
        step += 1
        losses.append(parts)
        if step % 4 == 0:
            with torch.no_grad():
                for m, p in zip(mean, net.parameters()):
                    m.lerp_(p, 1 - min(.995, 1 - 10 / (step / 4 + 10)))
        if time.time() - said > 30:
            said = time.time()
            losses = losses[-200:]
            loss, named = np.mean([[float(x) for x in some] for some in losses], axis=0)
            print(f"{(said - began) / 60:.1f} min step {step} pages {step * a.batch} loss {loss:.3f} words {named:.3f}", flush=True)
        b = batches.get()
    with torch.no_grad():
        for m, p in zip(mean, net.parameters()):
            p.copy_(m)


def main():
    a = arguments()
    mp.set_start_method("spawn")
    with open(a.names, encoding="utf-8") as f:
        witnesses = len(f.read().splitlines())
    batches = mp.Queue(24)
    helpers = [mp.Process(target=batcher, args=(a, k, witnesses, batches)) for k in range(a.batchers)]
    for p in helpers:
        p.start()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    net = Fast(witnesses)
    net.load_state_dict({name: t.reshape(net.state_dict()[name].shape) for name, t in written(a.start).items()})
    net.to(DEVICE)
    learn(a, net, batches)
    for p in helpers:
        p.terminate()
    write(a.out, net.cpu())


if __name__ == "__main__":
    main()
