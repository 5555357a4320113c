"""Lines as they stand on plastic cards and data pages: a small label before its value, guilloches and rosettes under them, a large word printed over them.

What version 2 read wrongly on generated documents (README, "What falls short") is drawn here more often than chance would. Lengths are in capital
heights of the value, as in generate.py.
"""

import cv2
import numpy as np
from PIL import Image

import fonts
import mrztext
import vocabulary as words
from line import EASTERN, READER
from mrztext import chars, pick
from picture import REACH, soft_noise, u

BORDER = 3.0
LETTER_MOST = 66  # characters of a line


def label(rng):
    """What stands small before a value: a field's number, its name in a language or two, or both."""
    kind = rng.random()
    if kind < 0.3:
        return pick(rng, words.NUMBERED)
    if kind < 0.55:
        return pick(rng, ["", "", pick(rng, words.NUMBERED).rstrip(".") + " "]) + pick(rng, words.SHORT)
    if READER != EASTERN and rng.random() < words.COMMON_SHARE:
        known = words.FIELDS[pick(rng, list(words.FIELDS))]
        some = [pick(rng, pick(rng, known)) for _ in range(1 if rng.random() < 0.55 else 2)]
    else:
        row = pick(rng, words.LABELS)
        some = [row[int(rng.integers(8)) if rng.random() < 0.8 else int(rng.integers(len(row)))] for _ in range(1 if rng.random() < 0.55 else 2)]
    s = pick(rng, ["/", "/", " / ", " · ", " "]).join(some)
    return words.upper(s) if rng.random() < 0.4 else s


def value(rng):
    kind = rng.random()
    if kind < 0.06:
        return marked(rng)
    if kind < 0.34:
        return words.names(rng)
    if kind < 0.52:
        return words.date(rng)
    if kind < 0.70:
        return serial(rng)
    if kind < 0.80:
        return words.place(rng)
    if kind < 0.92:
        return words.tiny(rng)
    return pick(rng, [words.address, words.office, words.licence])(rng)


def marked(rng):
    """A name of which most letters that can bear a mark bear one: what tells one mark from another is learned here."""
    language = pick(rng, [name for name, known in words.ACCENTS.items() if known])
    return words.cased(rng, " ".join(words.accent(rng, mrztext.word(rng, mrztext.SURNAMES), language, 0.8) for _ in range(rng.integers(1, 3))))


def serial(rng):
    """A number as documents bear it: letters at its head, few of them among digits, and hardly ever one that is taken for a digit."""
    kind, letters = rng.random(), words.letters(rng)
    if kind < 0.3:
        return chars(rng, letters, rng.integers(1, 4)) + chars(rng, mrztext.DIGITS, rng.integers(5, 11))
    if kind < 0.45:
        return chars(rng, mrztext.DIGITS * 4 + letters, rng.integers(6, 13))
    if kind < 0.55:
        return chars(rng, letters, rng.integers(0, 3)) + pick(rng, "-- /.").join(chars(rng, mrztext.DIGITS, rng.integers(2, 6)) for _ in range(rng.integers(2, 5)))
    if kind < 0.62:  # a postal code, mostly after a place
        code = "".join(chars(rng, letters if c == "A" else mrztext.DIGITS, 1) if c in "A9" else c for c in pick(rng, ["A9A 9A9", "A9 9AA", "AA99 9AA", "99999", "99999-9999", "99-999", "9999 AA"]))
        return pick(rng, ["", clean(words.place(rng)) + pick(rng, [", ", " "])]) + pick(rng, ["", chars(rng, letters, 2) + pick(rng, [", ", " "])]) + code
    if kind < 0.8:
        return chars(rng, mrztext.DIGITS, rng.integers(6, 14))
    return words.number(rng)


def clean(s):
    return " ".join("".join(c for c in s.replace("Ð", "Đ") if c in words.KNOWN).split())


def script(rng, least):
    """[(text, height, gap before it)] of one line: a label and a value, a value alone, two of each, or a word of another size; least: height of the smallest."""
    kind, big = rng.random(), clean(value(rng))
    if kind < 0.35 and least < 0.6:
        return [(big, 1.0, 0.0)]
    if kind < 0.35 or least > 0.85 and kind < 0.7:  # print as small as this is mostly a label that stands over its value
        return [(clean(label(rng)), 1.0, 0.0)]
    small = min(1.0, max(least, u(rng, 0.42, 0.8)))
    gap = u(rng, 0.3, 1.2) if rng.random() < 0.6 else u(rng, 1, 4) if rng.random() < 0.7 else u(rng, 4, 12)
    first = clean(label(rng))
    if kind < 0.85:
        return [(first, small, 0.0), (big, 1.0, gap)]
    if kind < 0.93:  # two columns
        return [(first, small, 0.0), (clean(words.tiny(rng)), 1.0, gap), (clean(label(rng)), small, u(rng, 1.5, 6)), (clean(words.tiny(rng)), 1.0, u(rng, 0.3, 1.5))]
    return [(clean(words.label(rng)), 1.0, 0.0)]


def canvas(rng, size, least):
    """Ink of one line at `size`, no part lower than `least`, and of the rows above and below. As generate.canvas."""
    while True:
        parts = [p for p in script(rng, least) if p[0]]
        text = " ".join(p[0] for p in parts)
        if 0 < len(text) <= LETTER_MOST:
            break
    faces, wide = [], 2 * BORDER * size
    for s, high, gap in parts:
        face = fonts.choose(rng, s) if not faces or rng.random() < 0.6 else faces[0]
        face = face if set(s) - {" "} <= face.held else fonts.choose(rng, s)
        faces.append(face)
        wide += face.at(max(10, round(size * high))).getlength(s) + (gap + 0.15 * len(s)) * size
    page, base = Image.new("L", (int(wide), round(2 * REACH * size))), (REACH + 0.5) * size
    x, middles, advances, tone = BORDER * size, [], [], 255 if rng.random() < 0.5 else int(rng.integers(150, 255))
    spacing = 0.0 if rng.random() < 0.7 else u(rng, -0.03, 0.12)
    for (s, high, gap), face in zip(parts, faces):
        if middles:  # the gap is the space between the two
            middles.append(x + gap * size / 2)
            advances.append(gap * size)
            x += gap * size
        cap = max(10, round(size * high))
        m, a = fonts.write(page, x, base, s, face, cap, spacing, 255 if high == 1 else tone)
        middles, advances, x = middles + m, advances + a, x + sum(a) + spacing * cap * len(s)
    gap = u(rng, 1.3, 2.4)
    for side in (-1, 1):
        if rng.random() < 0.6:
            row = words.line(rng)
            fonts.write(page, u(rng, -4, max(1.0, wide / size - 4)) * size, base + side * gap * size, row, fonts.choose(rng, row), max(10, round(size * u(rng, 0.4, 1.2))), 0.0, int(rng.integers(110, 256)))
    return np.array(page), text, np.array(middles) / size, np.array(advances) / size


def lines_of(field, pitch, thick):
    """Darkness 0…1 of thin lines wherever the field, in pixels, passes a multiple of the pitch."""
    away = np.abs((field / pitch + 0.5) % 1 - 0.5) * pitch
    return np.clip(thick / 2 + 0.5 - away, 0, 1)


def guilloche(rng, high, w, h):
    """Security print in thin lines: bands of waves, nets of two, rosettes. Darkness 0…1 under the print."""
    x, y = np.arange(w, dtype=np.float32)[None], np.arange(high, dtype=np.float32)[:, None]
    dark = np.zeros((high, w), np.float32)
    for _ in range(rng.integers(1, 4)):
        pitch, thick, depth = h * u(rng, 0.1, 0.6), max(0.3, h * u(rng, 0.02, 0.08)), u(rng, 0.06, 0.5)
        if rng.random() < 0.6:
            angle, warp = rng.normal(0, 0.6), h * u(rng, 0.1, 1.5)
            field = y * np.cos(angle) + x * np.sin(angle) + warp * np.sin(x / (h * u(rng, 0.4, 4)) + u(rng, 0, 6)) + warp * u(rng, 0, 1) * np.sin((x + y) / (h * u(rng, 1, 6)))
        else:
            cx, cy, petals = w * u(rng, -0.2, 1.2), high * u(rng, -2, 3), int(rng.integers(6, 60))
            radius, turn = np.hypot(x - cx, y - cy), np.arctan2(y - cy, x - cx)
            field = radius * (1 + u(rng, 0.03, 0.35) * np.sin(petals * turn + u(rng, 0, 6)))
        ink = lines_of(field, max(pitch, 2.0), thick) * depth
        if rng.random() < 0.3:  # a band, not the whole ground
            ink = ink * np.clip(1.5 - np.abs(x - w * u(rng, 0, 1)) / max(1.0, w * u(rng, 0.1, 0.5)), 0, 1)
        dark = np.maximum(dark, ink)
    return dark


def overprinted(rng, img, h):
    """A large word, or a stamp's ring, over the line, through which the line can still be read."""
    high, w = img.shape
    if rng.random() < 0.75:
        text = pick(rng, ["SPECIMEN", "SPECIMEN", "MUSTER", "COPY", "VOID", "ESPÉCIMEN", "SAMPLE", words.upper(words.word(rng))])
        face, cap = fonts.choose(rng, text), max(10, round(h * u(rng, 1.3, 5)))
        page = Image.new("L", (w, high))
        fonts.write(page, u(rng, -3, 0.8 * w / h) * h, high * u(rng, 0.5, 1) + cap * u(rng, 0, 0.6), text, face, cap, u(rng, 0, 0.4))
        turned = cv2.getRotationMatrix2D((w / 2, high / 2), rng.normal(0, 15), 1)
        mask = cv2.warpAffine(np.array(page), turned, (w, high)).astype(np.float32) / 255
    else:
        mask = np.zeros((high, w), np.float32)
        for k in range(int(rng.integers(1, 3))):
            cv2.circle(mask, (int(w * u(rng, 0, 1)), int(high * u(rng, -2, 3))), max(3, int(h * u(rng, 2, 8)) + k), 1.0, max(1, round(h * u(rng, 0.05, 0.3))), cv2.LINE_AA)
    depth = u(rng, 0.1, 0.5)
    return img * (1 - mask * depth) + mask * depth * u(rng, 20, 200)


def ground(rng, high, w, h):
    """Grey of a card without its print."""
    base = u(rng, 130, 245)
    bg = np.full((high, w), base, np.float32) * (1 + soft_noise(rng, high, w, h * u(rng, 0.5, 6)) * u(rng, 0, 0.1))
    if rng.random() < 0.8:
        bg = bg * (1 - guilloche(rng, high, w, h) * u(rng, 0.3, 1))
    return bg


def seen(rng, img, h):
    """The page scanned or held still: slight blur, noise, JPEG. float → uint8."""
    img = cv2.GaussianBlur(img.astype(np.float32), (0, 0), max(0.25, h * u(rng, 0.01, 0.07)))
    img = img + rng.normal(0, u(rng, 0.5, 6), img.shape)
    return cv2.imdecode(cv2.imencode(".jpg", np.clip(img, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 96))])[1], cv2.IMREAD_GRAYSCALE)
