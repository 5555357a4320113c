"""The free fonts that print is drawn with, Debian's and those of package.json, and which characters each holds."""

import functools
import glob
import json
import os
import subprocess

from PIL import Image, ImageDraw, ImageFont

HERE = os.path.dirname(os.path.abspath(__file__))
WEB = [name.partition("/")[2] for name in json.load(open(os.path.join(HERE, "package.json")))["dependencies"]]
BUILT = os.path.join(HERE, "..", "..", "build", "text", "typefaces", "*.ttf")  # by typefaces.py
FOLDERS = (BUILT, "/usr/share/fonts/truetype/**/*.ttf", "/usr/share/fonts/opentype/**/*.otf", "/usr/share/texmf/fonts/opentype/**/*.otf")
# Families by how often print on documents looks like them. Every cut of a family (bold, italic, condensed) is one of its files.
FAMILIES = {
    3.0: ("Liberation Sans", "Arimo", "FreeSans", "Nimbus Sans", "DejaVu Sans", "Noto Sans", "Open Sans", "Roboto"),
    1.5: ("Liberation Sans Narrow", "Nimbus Sans Narrow", "Carlito", "Lato", "Roboto Condensed", "TeX Gyre Heros", "TeX Gyre Heros Cn", "Liberation Serif", "Inter", "OCR B", "B612", "Open Sans Condensed"),
    1.0: ("Liberation Mono", "Cousine", "DejaVu Sans Mono", "Nimbus Mono PS", "FreeMono", "Tinos", "FreeSerif", "Nimbus Roman", "Courier Prime", "B612 Mono", "Hack", "URW Gothic", "TeX Gyre Adventor", "Noto Mono", "Cantarell"),
    0.5: ("DejaVu Serif", "Noto Serif", "Caladea", "Linux Libertine O", "Linux Biolinum O", "EB Garamond", "C059", "P052", "URW Bookman", "TeX Gyre Termes", "TeX Gyre Cursor", "TeX Gyre Pagella", "Cabin", "Dosis",
          "Karla", "Play", "Quicksand", "Inconsolata", "JetBrains Mono", "Fira Code", "mononoki", "Andika", "Charis SIL", "Gentium Basic", "Vollkorn", "OCRA", "Roboto Slab", "Inter Display", "Courier Prime Code", "Junicode Two Beta", "Comfortaa"),
}
FAMILIES[0.6] = tuple(WEB)
LEFT_OUT = ("Black", "Thin", "Hairline", "ExtraLight", "Extra Light", "OCR B E", "OCR B X")


class Font:
    """One file: its path, the characters it holds, and the size in pixels at which its H is 40 pixels high."""

    def __init__(self, path, held):
        self.path, self.held = path, held

    @functools.lru_cache(maxsize=2)
    def at(self, cap):
        return ImageFont.truetype(self.path, max(6, round(cap / self.rise)), layout_engine=ImageFont.Layout.BASIC)

    @functools.cached_property
    def rise(self):
        """Height of H as a share of the size."""
        box = ImageFont.truetype(self.path, 200, layout_engine=ImageFont.Layout.BASIC).getmask("H").getbbox()
        return (box[3] - box[1]) / 200


def held(charset):
    """fc-query's list of hexadecimal ranges as a set of characters of the Latin blocks."""
    found = set()
    for span in charset.split():
        lo, _, hi = span.partition("-")
        found.update(map(chr, range(int(lo, 16), min(int(hi or lo, 16), 0x2200) + 1)))
    return found


@functools.lru_cache(maxsize=None)
def table():
    """[(weight, [Font of the family])], in a fixed order."""
    paths = sorted(p for f in FOLDERS for p in glob.glob(f, recursive=True) if "variable" not in p.lower() and "[" not in p and "VF" not in p)
    out = subprocess.run(["fc-query", "--index=0", "--format=%{file}|%{family}|%{style}|%{charset}\n", *paths], capture_output=True, text=True, check=True).stdout
    families = {}
    for row in out.splitlines():
        path, family, style, charset = row.split("|")
        if not any(x in f"{family} {style}" for x in LEFT_OUT) and "Keyboard" not in family and "Initials" not in family:
            families.setdefault(family.split(",")[0], []).append(Font(path, held(charset)))
    return [(w, families[name]) for w, group in FAMILIES.items() for name in group if name in families]


def require():
    """Ends the program if a typeface of package.json is missing."""
    there = {os.path.basename(font.path) for _, family in table() for font in family}
    missing = [name for name in WEB if f"{name}-400-normal.ttf" not in there]
    if missing:
        raise SystemExit(f"typefaces.py has to be run first: there is no {', '.join(missing)}")


@functools.lru_cache(maxsize=None)
def odds():
    weights = [w for w, _ in table()]
    return [w / sum(weights) for w in weights]


def choose(rng, text):
    """A font that holds every character of the text; DejaVu Sans holds all."""
    need = set(text) - {" "}
    for _ in range(12):
        family = table()[rng.choice(len(table()), p=odds())][1]
        font = family[rng.integers(len(family))]
        if need <= font.held:
            return font
    return next(f for _, family in table() for f in family if f.path.endswith("DejaVuSans.ttf"))


def write(canvas, x, baseline, text, font, cap, spacing=0.0, ink=255, stretch_space=1.0):
    """Draws text on a PIL picture from x on; returns each character's middle and advance, in pixels. spacing: between letters, in capital heights."""
    face, draw = font.at(cap), ImageDraw.Draw(canvas)
    middles, advances = [], []
    for i, c in enumerate(text):
        own = face.getlength(c)
        if c == " ":
            own *= stretch_space
        elif i + 1 < len(text) and text[i + 1] != " ":  # the font's kerning
            own = face.getlength(text[i : i + 2]) - face.getlength(text[i + 1])
        if c != " ":
            draw.text((x, baseline), c, font=face, fill=ink, anchor="ls")
        middles.append(x + own / 2)
        advances.append(own)
        x += own + spacing * cap
    return middles, advances
