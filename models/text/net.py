"""The reader's network: depthwise-separable residual blocks, in two dimensions while there is height and along the line after; no stride but the first in width."""

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from line import CLASSES

LOOK, ALONG = (32, 64, 112), (1, 1, 2, 3, 2, 1, 1)  # channels while there is height; dilations of the blocks along the line
RARER = 3.0  # by how much less likely a letter begins than the one whose class it begins as


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
    """[N, 1, 32, W] → logits [N, W/2, CLASSES]. Height 32 → 16 → 8 → 4, which is folded into channels; each frame sees some 140 columns."""

    def __init__(self, width=256):
        super().__init__()
        a, b, c = LOOK
        self.look = nn.Sequential(
            conv(1, a, 3, (2, 2)), conv(a, b, 3, (2, 1)), Apart(b, (3, 5)), conv(b, c, 3, (2, 1)), Apart(c, (3, 5)))
        self.fold = conv(4 * c, width, 1)
        self.along = nn.Sequential(*[Apart(width, (1, 7), (1, d)) for d in ALONG])
        self.head = nn.Conv2d(width, CLASSES, 1)

    def forward(self, line):
        x = self.look(line)
        n, c, h, w = x.shape
        x = self.along(self.fold(x.reshape(n, c * h, 1, -1)))
        return self.head(x).reshape(n, CLASSES, -1).transpose(1, 2)


def grow(reader, state):
    """Gives `reader` the weights of a narrower one, such that it answers the same at first: its further channels begin at random and nothing listens to them yet."""
    mine = reader.state_dict()
    with torch.no_grad():
        for name, old in state.items():
            new = mine[name]
            if old.dim() < 2:
                new[tuple(slice(n) for n in old.shape)] = old
                continue
            new[: old.shape[0], old.shape[1] :] = 0
            new[: old.shape[0], : old.shape[1]] = old
        for name, new in mine.items():
            if name not in state and name.endswith("norm.weight"):
                new.fill_(0.1)  # a further block along the line says little at first


def unfold(reader, path, lines, rows=None):
    """Gives `reader` the weights of an exported file, whose normalisations are folded into them: they are set anew from what `lines` (tensors
    [1, 1, 32, W]) show, such that it answers the same at first and can be trained on. rows: for each class of `reader` the class of the file that it
    begins as, if its classes are others; of several that begin as the same, all but the first begin as less likely."""
    graph = onnx.load(path).graph
    held = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    folded = [[held[n] for n in node.input if n in held] for node in graph.node if node.op_type == "Conv"]
    if rows is not None:
        taken = torch.tensor([i != rows.index(row) for i, row in enumerate(rows)])
        folded[-1] = [part[rows] for part in folded[-1]]
        folded[-1][1][taken] -= RARER
    convs = [m for m in reader.modules() if isinstance(m, nn.Conv2d)]
    norms = {c: n for c, n in after(reader)}
    reader.eval()
    with torch.no_grad():
        for conv, (weight, *bias) in zip(convs, folded, strict=True):
            if conv not in norms:
                conv.weight.copy_(weight)
                if bias:
                    conv.bias.copy_(bias[0])
                continue
            # a filter's length is of no effect before a normalisation, but sets how fast it learns: as at a network's beginning
            length = weight.flatten(1).norm(dim=1) * 3**0.5
            conv.weight.copy_(weight / length[:, None, None, None])
            norm = norms[conv]
            norm.running_mean.zero_(), norm.running_var.fill_(1 - norm.eps)
            norm.weight.copy_(length), norm.bias.copy_(bias[0])
        for norm, (mean, var) in observed(reader, norms.values(), lines).items():
            norm.bias.add_(norm.weight * mean)
            norm.weight.mul_((var + norm.eps).sqrt())
            norm.running_mean.copy_(mean), norm.running_var.copy_(var)
    reader.train()


def after(module):
    """Pairs of a convolution and the normalisation of what it gives."""
    for m in module.modules():
        if isinstance(m, Apart):
            yield m.point, m.norm
        elif isinstance(m, nn.Sequential) and len(m) == 3 and isinstance(m[1], nn.BatchNorm2d):
            yield m[0], m[1]


def observed(reader, norms, lines):
    """Mean and variance of each channel that comes to each normalisation."""
    sums = {n: [0.0, 0.0, 0] for n in norms}

    def count(norm, given):
        x = given[0].double()
        s = sums[norm]
        s[0], s[1], s[2] = s[0] + x.sum((0, 2, 3)), s[1] + (x * x).sum((0, 2, 3)), s[2] + x.numel() // x.shape[1]

    hooks = [n.register_forward_pre_hook(count) for n in sums]
    for x in lines:
        reader(x)
    for hook in hooks:
        hook.remove()
    return {n: ((a / k).float(), (b / k - (a / k) ** 2).clamp(min=1e-6).float()) for n, (a, b, k) in sums.items()}
