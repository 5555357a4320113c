"""The network that reads a page: words that attend to each other by what they say and by how they lie to each other, and candidates that are judged by their words."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from pages import FACTS, NUMBERS, OPEN

PARTS, FORMS, PLACES = 1 << 15, 1 << 11, 96
TAGS = 2 * FACTS + 2


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.into, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x, bias):
        pages, words, width = x.shape
        q, k, v = self.into(self.before(x)).view(pages, words, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        to = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(width // self.heads) + bias, -1)
        x = x + self.out((to @ v).transpose(1, 2).reshape(pages, words, width))
        return x + self.down(F.relu(self.up(self.between(x))))


class Reader(nn.Module):
    def __init__(self, witnesses, width=96, heads=4, layers=4, inner=192, depth=16, hidden=96):
        super().__init__()
        self.width, self.heads, self.witnesses = width, heads, witnesses
        # Runs of letters begin at next to nothing: what was never seen says nothing.
        self.parts, self.forms = nn.Parameter(torch.randn(PARTS, depth) * .02), nn.Parameter(torch.randn(FORMS, depth) * .1)
        self.word, self.number = nn.Linear(2 * depth, width), nn.Linear(NUMBERS, width, bias=False)
        self.places = nn.Parameter(torch.zeros(PLACES, layers * heads))
        self.layers = nn.ModuleList(Layer(width, heads, inner) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        self.ends = nn.Linear(width, 3 * hidden)  # of a candidate: its first word, its last one, the mean of all
        self.terms, self.direct = nn.Parameter(torch.randn(witnesses, hidden) * .1), nn.Parameter(torch.zeros(witnesses, FACTS))
        self.judge = nn.Linear(hidden, FACTS)
        self.page = nn.Linear(2 * width, hidden)
        self.missed, self.absent = nn.Parameter(torch.randn(witnesses, hidden) * .1), nn.Parameter(torch.zeros(witnesses, FACTS))
        self.none = nn.Linear(hidden, FACTS)
        self.tag = nn.Linear(width, TAGS)  # helps while it learns

    def words(self, b):
        """The words, each with what it has learned of the others."""
        parts = F.embedding_bag(b["parts"], self.parts, b["part_offsets"], mode="sum", per_sample_weights=b["part_weights"])
        forms = F.embedding_bag(b["forms"], self.forms, b["form_offsets"], mode="mean")
        seen = self.word(torch.cat([parts, forms], -1)) + self.number(b["numbers"])
        x = seen.new_zeros(b["pages"] * b["longest"], self.width).index_copy(0, b["slots"], seen).view(b["pages"], b["longest"], -1)
        bias = self.places[b["places"].long()].permute(3, 0, 1, 2)
        bias = bias.reshape(len(self.layers), self.heads, b["pages"], b["longest"], b["longest"]).transpose(1, 2)
        bias = bias.masked_fill(~b["mask"][None, :, None, None, :], -1e4)
        for k, layer in enumerate(self.layers):
            x = layer(x, bias[k])
        return self.last(x)

    def forward(self, b):
        x = self.words(b)
        flat = x.reshape(-1, self.width)
        first, last, mean = self.ends(flat).chunk(3, -1)
        mean = F.embedding_bag(b["inside"], mean.contiguous(), b["inside_offsets"], mode="mean")
        hidden = first[b["first"]] + last[b["last"]] + mean
        hidden = hidden + F.embedding_bag(b["terms"], self.terms, b["term_offsets"], mode="sum", per_sample_weights=b["values"])
        scores = self.judge(F.relu(hidden))
        scores = scores + F.embedding_bag(b["terms"], self.direct, b["term_offsets"], mode="sum", per_sample_weights=b["values"])
        there = b["mask"].unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        most = x.masked_fill(~there, -1e4).max(1).values
        page = self.page(torch.cat([mean, most], -1))
        page = page + F.embedding_bag(b["missed"], self.missed, b["missed_offsets"], mode="sum", per_sample_weights=b["missed_values"])
        none = self.none(F.relu(page))
        none = none + F.embedding_bag(b["missed"], self.absent, b["missed_offsets"], mode="sum", per_sample_weights=b["missed_values"])
        return scores, none, flat

    def loss(self, b, tags=.3):
        """How unlikely the right options are; and of how many softmaxes."""
        scores, none, flat = self(b)
        table = scores.new_full((b["pages"] * FACTS, b["width"]), -1e4)
        right = torch.zeros(table.shape, dtype=torch.bool)
        table = table.index_put((b["rows"], b["columns"]), scores[b["at"], b["rows"] % FACTS])
        table = torch.cat([none.reshape(-1, 1), table[:, 1:]], 1)
        right[b["rows"], b["columns"]] = b["right"]
        right[:, 0] = b["none"]
        judged = right.any(1)
        unlikely = (torch.logsumexp(table, 1) - torch.logsumexp(table.masked_fill(~right, -1e4), 1))[judged].sum() / b["pages"]
        best = right.gather(1, table.argmax(1, keepdim=True)).squeeze(1)[judged]
        if not tags:
            return unlikely, best
        known = b["tags"] != OPEN
        named = F.cross_entropy(self.tag(flat[b["slots"][known]]), b["tags"][known])
        return unlikely + tags * FACTS * named, best, unlikely.detach(), named.detach()
