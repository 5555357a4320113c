"""Pages as `go run ./bench/reading/pages` writes them: what the network sees of each, and what is right."""

import random

import numpy as np
import torch

NUMBERS = 39  # of a word: WordNumbers
FACTS = 13
OPEN = 255  # a word that nothing is known of
LABEL_NUMBERS = slice(11, 39)  # of a word: the labels and field numbers that are understood


def read(stream):
    """The next page of a stream; None at its end."""

    def take(kind, n):
        raw = stream.read(np.dtype(kind).itemsize * n)
        if len(raw) < np.dtype(kind).itemsize * n:
            raise EOFError("a page breaks off")
        return np.frombuffer(raw, dtype=kind)

    try:
        words, parts, forms, candidates, of, terms, missed, options = (int(n) for n in take("<u4", 8))
    except EOFError:
        return None
    return {
        "parts": take("<u2", parts), "part_counts": take("<u2", words), "forms": take("<u2", forms), "form_counts": take("<u2", words),
        "numbers": take("<f4", words * NUMBERS).reshape(words, NUMBERS), "places": take("u1", words * words).reshape(words, words),
        "tags": take("u1", words), "first": take("<u2", candidates), "last": take("<u2", candidates), "counts": take("<u2", candidates),
        "words": take("<u2", of), "terms": take("<u2", terms), "values": take("<f4", terms), "term_counts": take("<u2", candidates),
        "missed": take("<u2", missed), "missed_values": take("<f4", missed), "fact": take("u1", options), "at": take("<u2", options),
        "right": take("u1", options), "none": take("u1", FACTS),
    }


def usable(page):
    """Whether a page has words and each candidate has some."""
    return page is not None and len(page["tags"]) > 0 and len(page["first"]) > 0 and int(page["counts"].min()) > 0


class Dropped:
    """What a page is learned without, another share each time: no witness may be relied on alone."""

    def __init__(self, rng, parts, terms, labels, strange):
        self.rng, self.parts, self.terms, self.labels, self.strange = rng, parts, terms, labels, strange


def offsets(counts):
    out = np.zeros(len(counts), dtype=np.int64)
    np.cumsum(counts[:-1], out=out[1:])
    return out


def batch(pages, witnesses, dropped=None):
    """Pages side by side, as tensors. Words are padded to the longest page."""
    longest = max(len(p["tags"]) for p in pages)
    places = np.full((len(pages), longest, longest), 95, dtype=np.uint8)
    mask = np.zeros((len(pages), longest), dtype=bool)
    numbers, slots, weights, scale = [], [], [], []
    first, last, inside, terms, values, missed_values = [], [], [], [], [], []
    for k, p in enumerate(pages):
        n = len(p["tags"])
        places[k, :n, :n] = p["places"]
        mask[k, :n] = True
        slots.append(np.arange(n) + k * longest)
        number = p["numbers"]
        part = np.repeat(1 / np.maximum(1, p["part_counts"].astype(np.float32)), p["part_counts"])
        value, missed = p["values"], p["missed_values"]
        if dropped is not None:
            rng = dropped.rng
            if rng.random() < dropped.labels:
                number = number.copy()
                number[:, LABEL_NUMBERS] = 0
            part = part * (rng.random(len(part)) >= dropped.parts) / (1 - dropped.parts)
            if rng.random() < dropped.strange:  # words that nobody knows
                part = part * np.repeat(rng.random(n) >= rng.random() / 2, p["part_counts"])
            kept = (rng.random(witnesses) >= dropped.terms).astype(np.float32) / (1 - dropped.terms)
            value, missed = value * kept[p["terms"]], missed * kept[p["missed"]]
        numbers.append(number)
        weights.append(part)
        values.append(value)
        missed_values.append(missed)
        first.append(p["first"].astype(np.int64) + k * longest)
        last.append(p["last"].astype(np.int64) + k * longest)
        inside.append(p["words"].astype(np.int64) + k * longest)

    def joined(name, kind=np.int64):
        return np.concatenate([p[name] for p in pages]).astype(kind)

    base, rows, columns, at = 0, [], [], []
    widths = [np.bincount(p["fact"], minlength=FACTS) for p in pages]
    width = 1 + max(int(w.max()) for w in widths)
    for k, p in enumerate(pages):
        starts = np.concatenate([[0], np.cumsum(widths[k])[:-1]])
        rows.append(p["fact"].astype(np.int64) + FACTS * k)
        columns.append(1 + np.arange(len(p["fact"])) - starts[p["fact"]])
        at.append(p["at"].astype(np.int64) + base)
        base += len(p["first"])
    out = {
        "places": places, "mask": mask, "slots": np.concatenate(slots), "numbers": np.concatenate(numbers).astype(np.float32),
        "parts": joined("parts"), "part_offsets": offsets(joined("part_counts")), "part_weights": np.concatenate(weights).astype(np.float32),
        "forms": joined("forms"), "form_offsets": offsets(joined("form_counts")), "tags": joined("tags"),
        "first": np.concatenate(first), "last": np.concatenate(last), "inside": np.concatenate(inside), "inside_offsets": offsets(joined("counts")),
        "terms": joined("terms"), "values": np.concatenate(values).astype(np.float32), "term_offsets": offsets(joined("term_counts")),
        "missed": joined("missed"), "missed_values": np.concatenate(missed_values).astype(np.float32),
        "missed_offsets": offsets(np.array([len(p["missed"]) for p in pages])),
        "rows": np.concatenate(rows), "columns": np.concatenate(columns), "at": np.concatenate(at), "right": joined("right", bool),
        "none": np.stack([p["none"] for p in pages]).reshape(-1).astype(bool),
    }
    out = {name: torch.from_numpy(np.ascontiguousarray(x)) for name, x in out.items()}
    out["width"], out["pages"], out["longest"] = width, len(pages), longest
    return out


class Pool:
    """The last pages of a stream, from which those of a batch are drawn: each page is seen a few times, with other things left out."""

    def __init__(self, stream, size, seed):
        self.stream, self.size, self.pages, self.rng, self.taken = stream, size, [], random.Random(seed), 0

    def more(self, count):
        """Takes so many further pages from the stream."""
        for _ in range(count):
            page = read(self.stream)
            self.taken += 1
            if not usable(page):
                continue
            if len(self.pages) < self.size:
                self.pages.append(page)
            else:
                self.pages[self.rng.randrange(self.size)] = page

    def batches(self, count, size):
        """Batches of pages that are about as long as each other."""
        drawn = [self.pages[self.rng.randrange(len(self.pages))] for _ in range(count * size)]
        drawn.sort(key=lambda p: len(p["tags"]))
        out = [drawn[i * size:(i + 1) * size] for i in range(count)]
        self.rng.shuffle(out)
        return out
