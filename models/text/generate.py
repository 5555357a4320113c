"""Draws printed lines of identity documents as a camera and a text detector would hand them over.

Lengths u (along the line) and v (across it, 0 = middle of the capitals) are in capital heights. `sample(rng)` gives one labelled line;
`chunk(seed, n)` many. Deterministic by seed and by the fonts that are installed.
"""

import os
import sys
import unicodedata

import cv2
import numpy as np
from PIL import Image

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))

import card
import fonts
import mrztext
import vocabulary as words
from line import ALPHABET, CLASS, LATIN, READER, STRIDE, fit, tensor_width
from picture import REACH, bend, camera, light, paper, scratch, soft_noise, u, weight

MASTER = 40  # capital height in pixels at which print is drawn, before it is brought to size
BORDER = 3.0  # u of canvas left and right of the text
IGNORE = -100
MACHINE = 0.14 if READER == LATIN else 0.02  # share of machine-readable lines
EMPTY = 0.02  # share of crops without any print
EVEN = 0.15  # share of lines on a page held still in ordinary light
LEAST = 6.5  # pixels of capitals, of the smallest label before a value
CARD = 0.4  # share of lines as they stand on cards and data pages (card.py)
SMALL = 0.3  # share of those that are as small as labels are
SHRUNK = 0.25  # share of lines of a picture that was made smaller after it was taken
TINY = (5.0, 11.0)  # pixels of capitals there,
TINIEST = 4.5  # and of a label before a value
SHRINKERS = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)
OCRB = [fonts.Font(f"/usr/share/fonts/opentype/ocr-b/{cut}.otf", set(mrztext.ALPHABET)) for cut in ("OCRB", "OCRBS", "OCRBL", "OCRBF")]
def capitals(*marks):
    """The capitals of the alphabet that bear one of these marks."""
    return {c for c in ALPHABET if c.isupper() and set(unicodedata.normalize("NFD", c)) & set(marks)}


BELOW = {c for c in ALPHABET if "\u0323" in unicodedata.normalize("NFD", c)}  # Vietnamese letters with a dot below
TWICE = capitals("\u0302", "\u0306") & capitals("\u0300", "\u0301", "\u0303", "\u0309")  # and capitals with one mark on the other
HIGH = {c for c in ALPHABET if (0xBF < ord(c) < 0x370 or ord(c) > 0x1EA0) and c.isupper()} - set("ÆÇŁĐŊÞØŒĄĘĮŲŦĦƏẠẸỊỌỤỴ") | set("ЙЁЇЃЌЎӢӮΪΫ")  # capitals with a mark above
LOW = set("çÇşŞșȘţŢțȚąĄęĘįĮųŲģĢķĶļĻņŅŗŖgjpqyýÿŷ,;QŊŋ" + "ЦцЩщДдруфјўӯЂҚқҢңҒҷҲҳҰұβγζημξρςφχψ") | BELOW


def script(rng, machine):
    """Rows of text, which of them is the line, and its font."""
    if machine:
        rows = mrztext.lines(rng)
        font = OCRB[rng.choice(4, p=[0.55, 0.35, 0.06, 0.04])] if rng.random() < 0.85 else fonts.choose(rng, mrztext.ALPHABET)
        at = int(rng.integers(len(rows)))
        if rng.random() < 0.15:  # a part of a row, as a detector may cut it
            n = int(rng.integers(4, 20))
            rows[at] = rows[at][:n] if rng.random() < 0.5 else rows[at][-n:]
        return rows, at, font
    text = words.line(rng)
    rows = [words.line(rng) if rng.random() < 0.55 else "" for _ in range(3)]
    rows[1] = text
    return rows, 1, fonts.choose(rng, text)


def canvas(rng, machine):
    """Ink of one line and of what stands round it at MASTER size. Returns mask, text, middles and advances in u from the canvas's left."""
    rows, at, font = script(rng, machine)
    text = rows[at]
    spacing = 0.0 if rng.random() < 0.7 else u(rng, -0.04, 0.12) if rng.random() < 0.8 else u(rng, 0.1, 0.35)
    spread = 1.0 if machine or rng.random() < 0.7 else u(rng, 0.8, 1.8) if rng.random() < 0.8 else u(rng, 1.8, 8)
    if machine:
        spacing = u(rng, -0.06, 0.12)
    guess = sum(font.at(MASTER).getlength(c) + spacing * MASTER for c in text) + text.count(" ") * max(0.0, spread - 1) * font.at(MASTER).getlength(" ")
    wide, high = int(guess + (2 * BORDER + 0.5) * MASTER), round(2 * REACH * MASTER)
    page, base = Image.new("L", (wide, high)), (REACH + 0.5) * MASTER
    middles, advances = fonts.write(page, BORDER * MASTER, base, text, font, MASTER, spacing, stretch_space=spread)
    gap = u(rng, 1.15, 1.6) if rng.random() < 0.4 else u(rng, 1.5, 2.6)
    if machine and rng.random() < 0.7 or HIGH & set(text):
        gap = u(rng, 1.5, 2.6)
    for i, row in enumerate(rows):
        if i != at and row:
            other, cap = (font, MASTER) if machine or rng.random() < 0.4 else (fonts.choose(rng, row), max(12, round(MASTER * u(rng, 0.5, 1.5))))
            x = BORDER if machine or rng.random() < 0.5 else u(rng, -6, max(1.0, wide / MASTER - 3))
            fonts.write(page, x * MASTER, base + (i - at) * gap * MASTER, row, other, cap, 0.0, 255 if rng.random() < 0.7 else int(rng.integers(90, 255)))
    ink = np.array(page)
    if not machine:
        rules(rng, ink)
    if rng.random() < 0.08:  # a matrix of dots: laser engraving, needle and thermal printers
        ink = dots(rng, ink)
    return ink, text, np.array(middles) / MASTER, np.array(advances) / MASTER


def rules(rng, ink):
    """Rules under and over the line, dotted leaders, frames, a bar beside it."""
    high, wide = ink.shape
    def row(v):
        return int((REACH + v) * MASTER)
    tone, thick = int(rng.integers(70, 255)), max(1, round(MASTER * u(rng, 0.02, 0.12)))
    if rng.random() < 0.10:
        y = row(u(rng, 0.62, 1.3))
        cv2.line(ink, (int(u(rng, -1, 0.2) * wide), y), (int(u(rng, 0.7, 1.3) * wide), y), tone, thick)
    if rng.random() < 0.04:
        y = row(-u(rng, 0.85, 1.4))
        cv2.line(ink, (0, y), (wide, y), tone, thick)
    if rng.random() < 0.02:
        y, step = row(u(rng, 0.5, 0.75)), max(4, round(MASTER * u(rng, 0.15, 0.3)))
        ink[y : y + max(2, thick), :: step] = tone
    if rng.random() < 0.05:
        x = int(u(rng, 0, BORDER - 0.35) * MASTER) if rng.random() < 0.5 else wide - int(u(rng, 0, BORDER - 0.35) * MASTER)
        cv2.line(ink, (x, 0), (x, high), tone, thick)


def dots(rng, ink):
    p = MASTER * u(rng, 0.09, 0.16)
    y, x = np.arange(ink.shape[0])[:, None], np.arange(ink.shape[1])[None]
    wave = (np.cos(x * 2 * np.pi / p) + 1) * (np.cos(y * 2 * np.pi / p) + 1) / 4
    mask = np.clip((wave - u(rng, 0.05, 0.25)) * 4, u(rng, 0, 0.4), 1)
    return (ink * mask).astype(np.uint8)


def place(rng, text, middles, advances):
    """The crop: its ends in u, margins above and below, and which characters it holds. What tells two letters apart mostly stays inside."""
    n = len(middles)
    first, last = 0, n
    if n >= 7 and rng.random() < 0.06:
        first = int(rng.integers(1, 4))
    if n >= 7 and rng.random() < 0.06:
        last = n - int(rng.integers(1, 4))
    wide = 1.0 if rng.random() < 0.75 else 2.8
    start = middles[first] - advances[first] / 2 - (u(rng, -0.03, 0.06) if first else u(rng, -0.02, wide))
    end = middles[last - 1] + advances[last - 1] / 2 + (u(rng, -0.03, 0.06) if last < n else u(rng, -0.02, wide))
    base, shift = u(rng, 0.1, 0.6) if rng.random() < 0.88 else u(rng, 0.02, 1.0), rng.normal(0, 0.08)
    above, below = max(0.0, base + shift), max(0.0, base - shift)
    if HIGH & set(text) and rng.random() < 0.95:
        above = max(above, u(rng, 0.3, 0.45) if not TWICE & set(text) else u(rng, 0.42, 0.6))
    if LOW & set(text) and rng.random() < 0.95:
        below = max(below, u(rng, 0.25, 0.4))
    return start, end, above, below, first, last


def watermark(rng, bg, h):
    """A pale word, arms or number behind the line."""
    text = words.line(rng)[:12]
    font = fonts.choose(rng, text)
    cap = max(8, round(h * u(rng, 1.2, 4)))
    page = Image.new("L", (bg.shape[1], bg.shape[0]))
    fonts.write(page, int(u(rng, -0.3, 0.7) * bg.shape[1]), bg.shape[0] * u(rng, 0.4, 1.6), text, font, cap)
    mask = cv2.GaussianBlur(np.asarray(page, np.float32) / 255, (0, 0), max(0.3, h * u(rng, 0.01, 0.1)))
    return bg * (1 + mask * u(rng, -0.25, 0.2))


def tones(rng, bg):
    """Grey of the ink: black, coloured print turned grey, or light on dark (for which the ground is darkened)."""
    kind, level = rng.random(), float(bg.mean())
    if kind < 0.09:
        bg = bg * (u(rng, 0.2, 0.55))
        level = float(bg.mean())
        return bg, min(255.0, level + u(rng, 60, 190))
    drop = u(rng, 0.55, 1.0) if kind < 0.7 else u(rng, 0.3, 0.6) if kind < 0.95 else u(rng, 0.2, 0.3)
    return bg, level * (1 - drop)


def until_legible(make, *how):
    while True:
        found = make(*how)
        if found[1]:
            return found


def crop(rng, h=None, machine=None):
    """One legible crop; see draw."""
    return until_legible(draw, rng, h, machine)


def draw(rng, h=None, machine=None):
    """One grey crop (uint8), its text (empty if nobody could read it), and each character's middle and advance in crop pixels; h = capital height in pixels."""
    h = h or float(np.exp(u(rng, np.log(8), np.log(40))))
    machine = rng.random() < MACHINE if machine is None else machine
    ink, text, middles, advances = canvas(rng, machine)
    stretch = u(rng, 0.92, 1.08) if rng.random() < 0.6 else u(rng, 0.75, 1.25)
    size = (max(8, round(ink.shape[1] * stretch * h / MASTER)), max(8, round(ink.shape[0] * h / MASTER)))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    middles, advances = middles * stretch, advances * stretch
    start, end, above, below, first, last = place(rng, text, middles, advances)
    bent, v, along, to_x = bend(rng, ink, h, h, start, end, above, below)
    high, w = bent.shape
    bg = paper(rng, high, w, h, v, along, ink.shape[1] / h, BORDER)
    if rng.random() < 0.05:
        bg = watermark(rng, bg, h)
    a = weight(rng, bent.astype(np.float32) / 255, h)
    if rng.random() < 0.05:
        a = a * u(rng, 0.5, 1) + soft_noise(rng, high, w, h * 0.1) * u(rng, 0, 0.12)
    bg, tone = tones(rng, bg)
    img = light(rng, bg * (1 - a) + tone * a, h)
    if rng.random() < 0.15:
        img = scratch(rng, np.ascontiguousarray(img, dtype=np.float32), h)
    text, xs, wide = trimmed(text[first:last], to_x(middles[first:last]), advances[first:last] * h)
    img = camera(rng, img.astype(np.float32), h)
    return img, text if legible(img, a) else "", xs, wide


def even(rng, h):
    """A line as on a page held still in ordinary light: level, slight blur and noise, no clutter but neighbouring rows and rules. As draw."""
    ink, text, middles, advances = canvas(rng, False)
    stretch = u(rng, 0.92, 1.08)
    size = (max(8, round(ink.shape[1] * stretch * h / MASTER)), max(8, round(ink.shape[0] * h / MASTER)))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    middles, advances = middles * stretch * h, advances * stretch * h
    left, right = middles[0] - advances[0] / 2 - u(rng, 0.1, 0.8) * h, middles[-1] + advances[-1] / 2 + u(rng, 0.1, 0.8) * h
    left, above, below = max(0, round(left)), u(rng, 0.3, 0.55), u(rng, 0.25, 0.5)
    a = ink[round((REACH - 0.5 - above) * h) : round((REACH + 0.5 + below) * h), left : round(right)].astype(np.float32) / 255
    bg, tone = tones(rng, np.full(a.shape, u(rng, 150, 240), np.float32) * (1 + soft_noise(rng, *a.shape, h * u(rng, 0.3, 3)) * u(rng, 0, 0.06)))
    img = cv2.GaussianBlur((bg * (1 - a) + tone * a).astype(np.float32), (0, 0), max(0.25, h * u(rng, 0.01, 0.05))) + rng.normal(0, u(rng, 0.5, 5), a.shape)
    return compressed(rng, img, 60, 96), text, middles - left, advances


def printed(rng, h, least=None):
    """A line as it stands on a card: a label and its value, over guilloches, perhaps under another word. least: height of the smallest print as a part
    of the value's. As draw."""
    ink, text, middles, advances = card.canvas(rng, MASTER, least or LEAST / h)
    stretch = u(rng, 0.9, 1.1)
    size = (max(8, round(ink.shape[1] * stretch * h / MASTER)), max(8, round(ink.shape[0] * h / MASTER)))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    middles, advances = middles * stretch, advances * stretch
    start, end, above, below, first, last = place(rng, text, middles, advances)
    bent, v, along, to_x = bend(rng, ink, h, h, start, end, above, below)
    a = bent.astype(np.float32) / 255
    if rng.random() < 0.06:
        a = dots(rng, (a * 255).astype(np.uint8)).astype(np.float32) / 255
    bg, tone = tones(rng, card.ground(rng, *a.shape, h))
    img = bg * (1 - a) + tone * a
    if rng.random() < 0.33:
        img = card.overprinted(rng, img, h)
    img = card.seen(rng, img, h)
    text, xs, wide = trimmed(text[first:last], to_x(middles[first:last]), advances[first:last] * h)
    return img, text if legible(img, a) else "", xs, wide


def shrunk(rng, tiny=None):
    """A line of a page whose picture was made smaller after it was taken, as specimens on web pages and sent pictures are: by any of the usual ways of
    scaling, perhaps sharpened, compressed once more, perhaps enlarged again; tiny = capital height there. As draw."""
    h = float(np.exp(u(rng, np.log(12), np.log(26))))
    tiny = tiny or float(np.exp(u(rng, *np.log(TINY))))
    img, text, xs, wide = printed(rng, h, TINIEST / tiny) if rng.random() < 0.7 else even(rng, h)
    k = tiny / h
    small = img.astype(np.float32)
    if rng.random() < 0.4:
        small = cv2.GaussianBlur(small, (0, 0), h * u(rng, 0.02, 0.12))
    size = (max(8, round(img.shape[1] * k)), max(8, round(img.shape[0] * k)))
    small = cv2.resize(small, size, interpolation=int(rng.choice(SHRINKERS, p=(0.5, 0.15, 0.2, 0.15))))
    if rng.random() < 0.35:
        small = small + (small - cv2.GaussianBlur(small, (0, 0), u(rng, 0.5, 1.2))) * u(rng, 0.3, 1.5)
    small = compressed(rng, small + rng.normal(0, u(rng, 0, 4), small.shape), 50, 96)
    k = size[0] / img.shape[1]
    if rng.random() < 0.25:
        more = u(rng, 1.2, 2.2)
        size = (round(size[0] * more), round(size[1] * more))
        small = compressed(rng, cv2.resize(small, size, interpolation=int(rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))), 60, 96)
        k = size[0] / img.shape[1]
    if small.min() + 40 > small.max():
        text = ""
    return small, text, xs * k, wide * k


def compressed(rng, img, least, most):
    """float → uint8, as JPEG keeps it."""
    packed = cv2.imencode(".jpg", np.clip(img, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(least, most))])[1]
    return cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)


def trimmed(text, xs, wide):
    """Without spaces at the ends: a crop must not begin or end with a space that nobody can see."""
    while text.endswith(" "):
        text, xs, wide = text[:-1], xs[:-1], wide[:-1]
    while text.startswith(" "):
        text, xs, wide = text[1:], xs[1:], wide[1:]
    return text, xs, wide


def legible(img, a):
    """Whether print can still be seen all along the line: not drowned in light, shadow or weak ink. What nobody can read teaches to guess."""
    for part, ink in zip(np.array_split(img.astype(np.float32), 5, 1), np.array_split(a, 5, 1)):
        dark, ground = ink > 0.45, ink < 0.1
        if dark.sum() > 8 and ground.sum() > 8 and abs(part[dark].mean() - part[ground].mean()) < 7:
            return False
    return True


def frames(text, xs, wide, count):
    """Class of each of `count` frames from the glyphs' places in input columns: near a middle its class, between two blank, IGNORE in the soft zone.
    The frame nearest to a middle has always its class, and between two equal neighbours one frame at least is blank."""
    classes = np.array([CLASS[c] for c in text], np.int16)
    at = np.arange(count) * STRIDE
    offset = np.abs(at[:, None] - xs[None])
    nearest = offset.argmin(1)
    d = offset[np.arange(count), nearest] / np.maximum(wide[nearest], 2.0)
    label = np.where(d < 0.26, classes[nearest], np.where(d < 0.37, IGNORE, 0)).astype(np.int16)
    middle = np.clip(np.round(xs / STRIDE).astype(int), 0, count - 1)
    for i in np.nonzero(classes[1:] == classes[:-1])[0]:
        label[(middle[i] + middle[i + 1]) // 2 if middle[i + 1] - middle[i] > 1 else middle[i]] = 0
    label[middle] = classes
    return label, classes


def empty(rng):
    """A crop that shows no print: paper, a portrait's or pattern's blotches, squares of a bar code, a signature's strokes."""
    h = float(np.exp(u(rng, np.log(10), np.log(32))))
    high, wide = round(h * u(rng, 1.2, 2)), round(h * u(rng, 1.2, 14))
    v = np.broadcast_to((np.arange(high, dtype=np.float32)[:, None] - high / 2) / h, (high, wide))
    bg = paper(rng, high, wide, h, v, np.linspace(0, wide / h, wide, dtype=np.float32), wide / h, 0.0)
    kind = rng.random()
    if kind < 0.3:
        cells = rng.random((max(2, round(high / h * u(rng, 2, 8))), max(2, round(wide / h * u(rng, 2, 8))))).astype(np.float32)
        bg = bg * np.where(cv2.resize(cells, (wide, high), interpolation=int(rng.choice([cv2.INTER_NEAREST, cv2.INTER_CUBIC]))) < 0.5, u(rng, 0, 0.7), 1)
    elif kind < 0.6:
        points = np.cumsum(rng.normal((u(rng, 0.05, 0.4), 0), (0.5, 0.6), (int(rng.integers(8, 40)), 2)), 0) * h * 0.5 + (0, high / 2)
        smooth = cv2.GaussianBlur(np.repeat(points, 6, 0).astype(np.float32), (1, 13), 0)
        cv2.polylines(bg, [np.int32(smooth)], False, u(rng, 0, 120), max(1, round(h * u(rng, 0.03, 0.1))), cv2.LINE_AA)
    elif kind < 0.8:
        bg = bg + soft_noise(rng, high, wide, h * u(rng, 0.1, 2)) * u(rng, 20, 120)
    return camera(rng, light(rng, bg.astype(np.float32), h).astype(np.float32), h)


def sample(rng, h=None, machine=None):
    """One training line: uint8 [32, w], frame classes [W/2], classes of the text, the text."""
    if h is None and rng.random() < EMPTY:
        fitted = fit(empty(rng))
        return fitted, np.zeros(tensor_width(fitted.shape[1]) // STRIDE, np.int16), np.zeros(0, np.int16), ""
    kind = rng.random() if h is None else 1.0
    if kind < EVEN:
        img, text, xs, wide = even(rng, float(np.exp(u(rng, np.log(8), np.log(40)))))
    elif kind < EVEN + CARD:
        img, text, xs, wide = until_legible(printed, rng, float(np.exp(u(rng, np.log(7), np.log(13)) if rng.random() < SMALL else u(rng, np.log(9), np.log(40)))))
    elif kind < EVEN + CARD + SHRUNK:
        img, text, xs, wide = until_legible(shrunk, rng)
    else:
        img, text, xs, wide = crop(rng, h, machine)
    fitted = fit(img)
    k = fitted.shape[1] / img.shape[1]
    label, classes = frames(text, xs * k - 0.5, wide * k, tensor_width(fitted.shape[1]) // STRIDE)
    return fitted, label, classes, text


def chunk(seed, n, h=None):
    """n lines: (picture [32, w], frame classes, classes of the text) each."""
    rng = np.random.default_rng(seed)
    return [sample(rng, h)[:3] for _ in range(n)]
