"""The reader's network: depthwise-separable residual blocks, in two dimensions while there is height and along the line after; no stride but the first in width."""

import torch
from torch import nn

from line import CLASSES


def conv(i, o, kernel=3, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Apart(nn.Module):
    """Depthwise convolution, then 1×1, added to what came in."""

    def __init__(self, width, kernel, dilation=(1, 1)):
        super().__init__()
        pad = tuple(k // 2 * d for k, d in zip(kernel, dilation))
        self.depth = nn.Conv2d(width, width, kernel, 1, pad, dilation, groups=width, bias=False)
        self.point = nn.Conv2d(width, width, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return x + torch.relu(self.norm(self.point(self.depth(x))))


class Reader(nn.Module):
    """[N, 1, 32, W] → logits [N, W/2, CLASSES]. Height 32 → 16 → 8 → 4, which is folded into channels; each frame sees some 130 columns."""

    def __init__(self, width=192):
        super().__init__()
        self.look = nn.Sequential(
            conv(1, 24, 3, (2, 2)), conv(24, 48, 3, (2, 1)), Apart(48, (3, 5)), conv(48, 96, 3, (2, 1)), Apart(96, (3, 5)))
        self.fold = conv(384, width, 1)
        self.along = nn.Sequential(*[Apart(width, (1, 7), (1, d)) for d in (1, 1, 2, 3, 2, 1)])
        self.head = nn.Conv2d(width, CLASSES, 1)

    def forward(self, line):
        x = self.look(line)
        n, c, h, w = x.shape
        x = self.along(self.fold(x.reshape(n, 384, 1, -1)))
        return self.head(x).reshape(n, CLASSES, -1).transpose(1, 2)
