"""Reads lines of words and typefaces that a reader was not trained on, and counts by language and by size.

    READER=text-line-cyrillic-greek /usr/bin/python3 models/text/unseen.py --words unseen.tsv --lines 600
    READER=text-line-vietnamese /usr/bin/python3 models/text/unseen.py --words unseen-vi.tsv --lines 400

Words: unseen.mjs. Typefaces: Debian's fonts-paratype fonts-jura fonts-anonymous-pro fonts-gfs-neohellenic fonts-gfs-didot fonts-gfs-artemisia
fonts-oldstandard fonts-tuffy fonts-mplus, and for Vietnamese also fonts-sil-doulos fonts-manrope, and of the others those that have its letters. Half of the lines are as on a page held still in ordinary light, half as on a card over guilloches.
"""

import argparse
import os
from unittest import mock

import cv2
import numpy as np
import torch

import evaluate
import fonts
import generate
import line
import onnxfile
from mrztext import pick
from net import Reader

FAMILIES = {1.0: ("Doulos SIL", "Manrope", "Jura", "M PLUS 1", "M PLUS 2") if line.READER == line.VIETNAMESE else ("PT Sans", "PT Serif", "PT Sans Narrow", "PT Mono", "Jura", "Anonymous Pro", "GFS Neohellenic", "GFS Didot", "GFS Artemisia", "Old Standard TT", "Tuffy", "M PLUS 1", "M PLUS 2")}
CASES = (str.upper, str.title, str)


def reader(path):
    if path.endswith(".onnx"):
        return onnxfile.Interpreter(path).run
    model = onnxfile.load(Reader(), path)

    def run(x):
        with torch.no_grad():
            return model(torch.from_numpy(x)[None])[0].numpy()

    return run


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--words", required=True)
    a.add_argument("--lines", type=int, default=600)
    a.add_argument("--seed", type=int, default=779)
    a.add_argument("--model", default=os.path.join(line.HERE, line.READER + ".onnx"))
    a.add_argument("--wrong", type=int, default=0)
    a = a.parse_args()
    cv2.setNumThreads(1)
    known = set(line.ALPHABET)
    with open(a.words, encoding="utf-8") as f:
        words = {l: [w for w in some.split(";") if set(w) <= known] for l, some in (row.rstrip("\n").split("\t") for row in f)}
    run, rng, rows = reader(a.model), np.random.default_rng((a.seed, 10**9)), []
    with mock.patch.object(fonts, "FAMILIES", FAMILIES):
        for i in range(a.lines):
            language = list(words)[i % len(words)]
            text = pick(rng, CASES)(" ".join(pick(rng, words[language]) for _ in range(rng.integers(1, 3))))
            if set(text) - known:
                continue
            h = evaluate.height(rng, evaluate.BANDS[i % len(evaluate.BANDS)])
            with mock.patch.object(generate.words, "line", lambda _: text), mock.patch.object(generate.card, "script", lambda *_: [(text, 1.0, 0.0)]):
                if i // len(words) % 2:
                    fitted, want = evaluate.good(rng, h)
                else:
                    img, want, *_ = generate.until_legible(generate.printed, rng, h)
                    fitted = line.fit(img)
            got, sure, _ = line.decode(run(line.normalise(fitted)), fitted.shape[1])
            rows.append({"language": language, "band": i % len(evaluate.BANDS), "text": want, "got": got, "sure": min(sure, default=0.0)})
    print("| lines | number | exact | characters wrong | wrong only in spaces | only in diacritics | only in case |\n|---|---|---|---|---|---|---|")
    for language in words:
        evaluate.say(language, [r for r in rows if r["language"] == language])
    for band, (lo, hi) in enumerate(evaluate.BANDS):
        evaluate.say(f"capitals {lo}–{hi} px", [r for r in rows if r["band"] == band])
    evaluate.say("all", rows)
    evaluate.trust([(r["sure"], r["text"] == r["got"]) for r in rows])
    for r in [r for r in rows if r["text"] != r["got"]][: a.wrong]:
        print(f"{r['sure']:.2f}  {r['text']!r}  {r['got']!r}")


if __name__ == "__main__":
    main()
