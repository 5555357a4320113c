"""The reader's network: four strided convolutions, height folded into channels, residual convolutions along the line."""

import torch
from torch import nn

from line import CLASSES


def conv2(i, o, stride):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Along(nn.Module):
    """Residual convolution of width 128 along the line."""

    def __init__(self, width, dilation):
        super().__init__()
        self.conv = nn.Conv1d(width, width, 5, padding=2 * dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class Reader(nn.Module):
    """[N, 1, 32, W] → logits [N, W / 4, 38]. Two of the four strides are in height only, so width shrinks by 4 and height to 2."""

    def __init__(self, width=128):
        super().__init__()
        self.look = nn.Sequential(conv2(1, 24, (2, 2)), conv2(24, 48, (2, 2)), conv2(48, 80, (2, 1)), conv2(80, 96, (2, 1)))
        self.fold = nn.Sequential(nn.Conv1d(192, width, 1, bias=False), nn.BatchNorm1d(width), nn.ReLU(inplace=True))
        self.along = nn.Sequential(Along(width, 1), Along(width, 1), Along(width, 2))
        self.head = nn.Conv1d(width, CLASSES, 1)

    def forward(self, line):
        x = self.look(line)
        x = self.fold(x.reshape(x.shape[0], 192, -1))
        return self.head(self.along(x)).transpose(1, 2)
