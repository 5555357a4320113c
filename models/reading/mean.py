"""Writes the mean of networks, weight by weight (README.md). One that is named twice counts twice.

    /usr/bin/python3 models/reading/mean.py --names names.txt --out mean.bin shipped.bin shipped.bin stage-7.bin.pt
"""

import argparse

import torch

from net import Reader
from train import write, written


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--names", required=True, help="file of the witnesses' features")
    p.add_argument("--out", required=True)
    p.add_argument("checkpoints", nargs="+", help="networks (.bin), or the checkpoints that train.py writes beside them")
    a = p.parse_args()
    with open(a.names, encoding="utf-8") as f:
        net = Reader(len(f.read().splitlines()))
    states = [written(path) if path.endswith(".bin") else torch.load(path) for path in a.checkpoints]
    net.load_state_dict({name: sum(s[name].reshape(t.shape) for s in states) / len(states) for name, t in net.state_dict().items()})
    write(a.out, net)


if __name__ == "__main__":
    main()
