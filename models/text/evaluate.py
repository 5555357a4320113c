"""Reads fresh synthetic lines with the committed text-line.onnx and counts, by height and by what stands in the line.

    /usr/bin/python3 models/text/evaluate.py --lines 3000 --seed 777

Needs only the ONNX file (run by OpenCV's interpreter). The last table tells how far the lowest character confidence of a line can be trusted: of
the lines whose every character is at least so sure, how many are wrong. --wrong N lists N lines that were read wrongly.
"""

import argparse
import os
import unicodedata

import cv2
import numpy as np

import generate
import line
import onnxfile
from counting import edits, height, trust

FILE = os.path.join(line.HERE, line.READER + ".onnx")
SMALL = ((5, 6.5), (6.5, 8), (8, 9.5), (9.5, 11))
BANDS = ((8, 11), (11, 14), (14, 18), (18, 24), (24, 32), (32, 40))
LOWER = 0.73  # x-height in capital heights, the mean of the fonts


def plain(s):
    """The text without its diacritics."""
    return "".join(c for c in unicodedata.normalize("NFD", s) if not unicodedata.combining(c))


def good(rng, h):
    """A line of print as on a page held still in ordinary light: no clutter, level, slight blur and noise, JPEG 80. Picture and text."""
    ink, text, middles, advances = generate.canvas(rng, False)
    size = (max(8, round(ink.shape[1] * h / generate.MASTER)), max(8, round(ink.shape[0] * h / generate.MASTER)))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    left, right = (middles[0] - advances[0] / 2 - 0.4) * h, (middles[-1] + advances[-1] / 2 + 0.4) * h
    a = ink[round((generate.REACH - 0.9) * h) : round((generate.REACH + 0.9) * h), max(0, round(left)) : round(right)].astype(np.float32) / 255
    img = rng.uniform(170, 240) * (1 - a * rng.uniform(0.6, 0.95))
    img = cv2.GaussianBlur(img, (0, 0), max(0.3, h * 0.03)) + rng.normal(0, 2.5, a.shape)
    img = np.clip(img, 0, 255).astype(np.uint8)
    return line.fit(cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], cv2.IMREAD_GRAYSCALE)), text


def small(rng, h):
    """A line of a picture that was made smaller. Picture and text."""
    img, text, _, _ = generate.until_legible(generate.shrunk, rng, h)
    return line.fit(img), text


def say(name, some):
    if not some:
        return
    exact, wrong, total = sum(r["text"] == r["got"] for r in some), sum(edits(r["text"], r["got"]) for r in some), sum(len(r["text"]) for r in some)
    only = [sum(r["text"] != r["got"] and f(r["text"]) == f(r["got"]) for r in some) for f in (lambda s: s.replace(" ", ""), plain, str.lower)]
    print(f"| {name} | {len(some)} | {100 * exact / len(some):.1f} % | {100 * wrong / total:.2f} % | {only[0]} | {only[1]} | {only[2]} |")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--lines", type=int, default=3000)
    a.add_argument("--seed", type=int, default=777)
    a.add_argument("--model", default=FILE)
    a.add_argument("--good", action="store_true", help="lines as on a page held still in ordinary light, of all kinds but machine-readable rows")
    a.add_argument("--small", action="store_true", help="lines of pictures that were made smaller after they were taken")
    a.add_argument("--wrong", type=int, default=0)
    a = a.parse_args()
    cv2.setNumThreads(1)
    reader, rng = onnxfile.Interpreter(a.model), np.random.default_rng((a.seed, 10**9))
    rows = []
    bands = SMALL if a.small else BANDS
    for i in range(a.lines):
        h = height(rng, bands[i % len(bands)])
        machine = not a.good and not a.small and bool(rng.random() < generate.MACHINE)
        fitted, text = good(rng, h) if a.good else small(rng, h) if a.small else generate.sample(rng, h, machine)[::3]
        got, sure, _ = line.decode(reader.run(line.normalise(fitted)), fitted.shape[1])
        rows.append({"band": i % len(bands), "machine": machine, "text": text, "got": got, "sure": min(sure, default=0.0)})
    print("| lines | number | exact | characters wrong | wrong only in spaces | only in diacritics | only in case |\n|---|---|---|---|---|---|---|")
    text = [r for r in rows if not r["machine"]]
    for band, (lo, hi) in enumerate(bands):
        say(f"capitals {lo}–{hi} px (x-height {lo * LOWER:.0f}–{hi * LOWER:.0f})", [r for r in text if r["band"] == band])
    say("with diacritics", [r for r in text if plain(r["text"]) != r["text"]])
    say("without", [r for r in text if plain(r["text"]) == r["text"]])
    say("1–3 characters", [r for r in text if len(r["text"]) <= 3])
    say("all print", text)
    say("machine-readable rows", [r for r in rows if r["machine"]])
    trust([(r["sure"], r["text"] == r["got"]) for r in text])
    for r in [r for r in text if r["text"] != r["got"]][: a.wrong]:
        print(f"{r['sure']:.2f}  {r['text']!r}  {r['got']!r}")


if __name__ == "__main__":
    main()
