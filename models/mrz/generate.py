"""Draws machine-readable lines as a camera and a text detector would hand them over: OCR-B on security print, bent, lit, blurred, compressed, cropped.

Lengths u (along the line) and v (across it, 0 = middle of the capitals) are in capital heights. `sample(rng)` gives one labelled line;
`chunk(seed, n)` many, as arrays. Deterministic by seed.
"""

import functools
import glob
import os
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))

import mrztext
from line import FRAMES, HEIGHT, STRIDE, WIDTH, fit
from mrztext import ALPHABET
from picture import BORDER, REACH, bend, camera, light, paper, put, scratch, u, weight

OCRB = "/usr/share/fonts/opentype/ocr-b/"  # Debian fonts-ocr-b; the reversed cuts (E, X) are not print on paper
CUTS, CUT_ODDS = ["OCRB.otf", "OCRBS.otf", "OCRBL.otf", "OCRBF.otf"], [0.55, 0.37, 0.06, 0.02]
OTHER = sorted(glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf"))
MONO = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
MASTERS = (14, 24, 44)  # capital heights in pixels at which glyphs are drawn before they are bent into the picture
LONGEST = 48  # characters kept of a line's label
IGNORE = 255


@functools.lru_cache(maxsize=None)
def glyphs(path, cap, wide=1.0, letters=1.0):
    """Masks of the alphabet for one font, {char: uint8 [h, w]}, the capitals' middle in the middle of each. Foundries disagree on OCR-B's
    width and on how tall letters are beside digits: `wide` and `letters` scale for that."""
    size = cap / 0.72
    for _ in range(3):
        font = ImageFont.truetype(path, round(size))
        mask = font.getmask("H")
        size *= cap / max(1, mask.getbbox()[3] - mask.getbbox()[1])
    font = ImageFont.truetype(path, round(size))
    probe = Image.new("L", (cap * 3, cap * 3))
    ImageDraw.Draw(probe).text((cap, 0), "H", font=font, fill=255)
    top, bottom = probe.getbbox()[1], probe.getbbox()[3]
    middle, width = (top + bottom) // 2, int(cap * 1.5)
    found = {}
    for c in ALPHABET:
        cell = Image.new("L", (width, cap * 2))
        ImageDraw.Draw(cell).text((width / 2 - font.getlength(c) / 2, cap - middle), c, font=font, fill=255)
        found[c] = scale(np.asarray(cell), wide, 1.0 if c in mrztext.DIGITS else letters)
    return found


def scale(cell, x, y):
    """The cell stretched about its middle, same size."""
    if x == y == 1:
        return cell
    h, w = cell.shape
    m = np.float32([[x, 0, (1 - x) * (w - 1) / 2], [0, y, (1 - y) * (h - 1) / 2]])
    return cv2.warpAffine(cell, m, (w, h), flags=cv2.INTER_LINEAR)


def draw_row(rng, canvas, text, cells, cap, left, v, pitch, jitter):
    """Draws one row; returns the u of each character's middle."""
    strength = u(rng, 0.0, 0.25) if rng.random() < 0.25 else 0.0
    centres = left + (np.arange(len(text)) + 0.5) * pitch + rng.normal(0, jitter, len(text)) * pitch
    lift = rng.normal(0, jitter * 0.7, len(text))
    for c, centre, dv in zip(text, centres, lift):
        cell = cells[c]
        if strength:  # a typewriter's or worn ribbon's unequal ink
            cell = (cell * (1 - strength * rng.random())).astype(np.uint8)
        put(canvas, cell, round(centre * cap - cell.shape[1] / 2), round((REACH + v + dv) * cap - cell.shape[0] / 2))
    return centres


def draw_clutter(rng, canvas, cap, v, length):
    """Printed text in another face on a neighbouring row."""
    font = ImageFont.truetype(OTHER[rng.integers(len(OTHER))], max(6, round(cap * u(rng, 0.7, 1.6))))
    text = " ".join(mrztext.word(rng, mrztext.SURNAMES).title() + str(rng.integers(1000)) for _ in range(rng.integers(1, 6)))
    cell = Image.new("L", (max(1, int(font.getlength(text))), round(cap * 2.2)))
    ImageDraw.Draw(cell).text((0, 0), text, font=font, fill=int(rng.integers(90, 255)))
    put(canvas, np.asarray(cell), int(u(rng, 0, length) * cap), round((REACH + v) * cap - cap))


def canvas(rng, cap):
    """Ink of one line and what stands above and below it. Returns mask, text, centres in u (from the canvas's left), pitch."""
    rows = mrztext.lines(rng)
    at = int(rng.integers(len(rows)))
    font = MONO if rng.random() < 0.02 else OCRB + CUTS[rng.choice(len(CUTS), p=CUT_ODDS)]
    cells = glyphs(font, cap, float(rng.choice([0.9, 1.0, 1.1], p=[0.15, 0.7, 0.15])), float(rng.choice([0.95, 1.0, 1.06], p=[0.12, 0.7, 0.18])))
    pitch = 1.058 * u(rng, 0.9, 1.14)
    spacing, left, jitter = u(rng, 1.5, 2.8), BORDER, u(rng, 0, 0.02) if rng.random() < 0.7 else u(rng, 0.02, 0.06)
    length = left * 2 + len(rows[at]) * pitch
    ink = np.zeros((round(2 * REACH * cap), round(length * cap)), np.uint8)
    for i, row in enumerate(rows):
        if i != at:
            draw_row(rng, ink, row, cells, cap, left + u(rng, -0.05, 0.05), (i - at) * spacing, pitch, jitter)
    if at == 0 and rng.random() < 0.3:
        draw_clutter(rng, ink, cap, -u(rng, 1.4, 2.6), length)
    if at == len(rows) - 1 and rng.random() < 0.08:
        draw_clutter(rng, ink, cap, u(rng, 1.5, 2.6), length)
    centres = draw_row(rng, ink, rows[at], cells, cap, left, 0, pitch, jitter)
    if rng.random() < 0.06:  # a frame, a photograph's border, a rule beside or under the line
        x = int(u(rng, 0, left - 1) * cap) if rng.random() < 0.5 else int((length - u(rng, 0, left - 1)) * cap)
        ink[:, max(0, x) : x + max(1, cap // 8)] = int(rng.integers(80, 255))
    return ink, rows[at], centres, pitch


def place(rng, centres, pitch):
    """The crop: u range, margins above and below, and which characters it holds."""
    n, first, last = len(centres), 0, len(centres)
    if rng.random() < 0.10:
        first = int(rng.integers(1, 5))
    if rng.random() < 0.10:
        last = n - int(rng.integers(1, 5))
    if rng.random() < 0.06:
        first = int(rng.integers(0, n - 8))
        last = int(rng.integers(first + 5, n + 1))
    gap = pitch / 2
    wide = 2.2 if rng.random() < 0.8 else 6.0
    start = centres[first] - gap - (u(rng, -0.06, 0.12) if first else u(rng, -0.05, wide))
    end = centres[last - 1] + gap + (u(rng, -0.06, 0.12) if last < n else u(rng, -0.05, wide))
    base = u(rng, 0.1, 0.5) if rng.random() < 0.85 else u(rng, 0.0, 0.8)
    shift = rng.normal(0, 0.12)
    return start, end, max(0.0, base + shift), max(0.0, base - shift), first, last


def crop(rng, h=None):
    """One grey crop (uint8), its text, and each character's x and pitch in crop pixels; h = capital height in pixels."""
    h = h or float(np.exp(u(rng, np.log(8.5), np.log(40))))
    cap = next((m for m in MASTERS if m >= h * 0.95), MASTERS[-1])
    ink, text, centres, pitch = canvas(rng, cap)
    start, end, above, below, first, last = place(rng, centres, pitch)
    bent, v, along, to_x = bend(rng, ink, cap, h, start, end, above, below)
    high, w = bent.shape
    bg = paper(rng, high, w, h, v, along, ink.shape[1] / cap)
    a = weight(rng, bent.astype(np.float32) / 255, h)
    black = float(bg.mean()) * (1 - u(rng, 0.55, 1.0) if rng.random() < 0.85 else 1 - u(rng, 0.3, 0.6))
    img = light(rng, bg * (1 - a) + black * a, h)
    if rng.random() < 0.15:
        img = scratch(rng, np.ascontiguousarray(img, dtype=np.float32), h)
    xs = to_x(centres[first:last])
    return camera(rng, img.astype(np.float32), h), text[first:last], xs, pitch * h


def frames(text, xs, pitch):
    """Class of each frame from the glyphs' places in input columns: near a middle its class, between two blank, IGNORE in the soft zone."""
    at = np.arange(FRAMES) * STRIDE
    distance = np.abs(at[:, None] - xs[None]) / pitch
    nearest = distance.argmin(1)
    d = distance[np.arange(FRAMES), nearest]
    classes = np.array([ALPHABET.index(c) + 1 for c in text], np.uint8)
    label = np.where(d < 0.26, classes[nearest], np.where(d < 0.37, IGNORE, 0))
    return label.astype(np.uint8), classes


def sample(rng, h=None):
    """One training line: uint8 [32, w], frame classes [192], classes of the text."""
    img, text, xs, pitch = crop(rng, h)
    fitted = fit(img)
    k = fitted.shape[1] / img.shape[1]
    label, classes = frames(text, xs * k - 0.5, pitch * k)
    return fitted, label, classes, text


def chunk(seed, n, h=None):
    """n lines as arrays: pictures [n, 32, 768], widths [n], frame classes [n, 192], classes [n, LONGEST], lengths [n]."""
    rng = np.random.default_rng(seed)
    pictures = np.zeros((n, HEIGHT, WIDTH), np.uint8)
    widths, lengths = np.zeros(n, np.int64), np.zeros(n, np.int64)
    labels, targets = np.zeros((n, FRAMES), np.uint8), np.zeros((n, LONGEST), np.int64)
    for i in range(n):
        fitted, labels[i], classes, _ = sample(rng, h)
        widths[i], lengths[i] = fitted.shape[1], len(classes)
        pictures[i, :, : widths[i]] = fitted
        targets[i, : lengths[i]] = classes
    return pictures, widths, labels, targets, lengths
