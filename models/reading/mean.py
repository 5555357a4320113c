"""Writes the mean of networks, weight by weight (README.md).

    /usr/bin/python3 models/reading/mean.py --names names.txt --out mean.bin stage-4.bin.pt stage-5.bin.pt stage-6.bin.pt
"""

import argparse

import torch

from net import Reader
from train import write


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--names", required=True, help="file of the witnesses' features")
    p.add_argument("--out", required=True)
    p.add_argument("checkpoints", nargs="+", help="as train.py writes them beside its networks")
    a = p.parse_args()
    with open(a.names, encoding="utf-8") as f:
        net = Reader(len(f.read().splitlines()))
    states = [torch.load(path) for path in a.checkpoints]
    net.load_state_dict({name: sum(s[name] for s in states) / len(states) for name in states[0]})
    write(a.out, net)


if __name__ == "__main__":
    main()
