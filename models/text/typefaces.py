"""Makes the typefaces of package.json into files that FreeType opens, one a cut: a web font is in parts, one a script, and the parts are put together.

    npm ci --ignore-scripts --prefix models/text && /usr/bin/python3 models/text/typefaces.py --out build/text/typefaces
"""

import argparse
import concurrent.futures
import contextlib
import io
import logging
import os

from fontTools import merge, ttLib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "node_modules", "@fontsource")
PARTS = ("latin", "latin-ext", "vietnamese")
CUTS = ("400-normal", "500-normal", "600-normal", "700-normal", "400-italic")
UNUSED = ("GSUB", "GPOS", "GDEF", "BASE", "JSTF", "STAT", "DSIG", "kern", "meta", "gasp", "MVAR", "avar", "VDMX", "hdmx", "LTSH")  # nothing that a drawn letter needs


def together(family, cut, out):
    """Writes one cut of a family; says whether there is one."""
    paths = [os.path.join(HERE, family, "files", f"{family}-{part}-{cut}.woff2") for part in PARTS]
    paths = [path for path in paths if os.path.exists(path)]
    if len(paths) < 2:  # without Latin Extended-A nothing is learned of marks
        return False
    parts = []
    for path in paths:
        font = ttLib.TTFont(path)
        for table in UNUSED:
            if table in font:
                del font[table]
        font.flavor = None
        held = io.BytesIO()
        font.save(held)
        held.seek(0)
        parts.append(held)
    whole = merge.Merger().merge(parts)
    for record in whole["name"].names:
        if record.nameID in (1, 16):
            whole["name"].setName(family, record.nameID, record.platformID, record.platEncID, record.langID)
    whole.save(os.path.join(out, f"{family}-{cut}.ttf"))
    return True


def made(family, out):
    with contextlib.redirect_stdout(io.StringIO()):
        return family, sum(together(family, cut, out) for cut in CUTS)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--out", required=True)
    a = a.parse_args()
    logging.disable(logging.WARNING)
    os.makedirs(a.out, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for family, cuts in pool.map(made, sorted(os.listdir(HERE)), [a.out] * len(os.listdir(HERE))):
            print(f"{family}\t{cuts}")


if __name__ == "__main__":
    main()
