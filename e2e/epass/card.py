"""The ePass of vsmartcard's vicc as a card in a reader: card.py FOLDER PORT.

Debian's vsmartcard-vpicc 3.3 installs it where no Python looks, its generator asks on a prompt, and ten of its lines are Python 2 or leave out the
protected status that ICAO 9303-11 section 9.8 asks for. So the files of the card are put together here, from FOLDER, and these lines are
changed in a copy. Basic Access Control, keys and secure messaging are its own. It needs python3-pycryptodome.
"""

import importlib
import logging
import os
import shutil
import sys
import tempfile

INSTALLED = "/usr/lib/python3/site-packages/virtualsmartcard/virtualsmartcard"
CHANGES = {
    "TLVutils.py": [('    return b"".join(result)\n', '    return bytes(result) if not isinstance(result, list) else b"".join(result)\n')],
    "SEutils.py": [
        ('return_data = ["", ]', 'return_data = [b"", ]'),
        ('to_authenticate = ""', 'to_authenticate = b""'),
        ("stringtoint(value[0])", "stringtoint(value[0:1])"),
        ('data="".join(return_data)', 'data=b"".join(return_data)'),
        ('        return_data = ""\n', '        return_data = b""\n'),
        ('if result != "":', 'if result not in ("", b""):'),
        ('encrypted = "\\x01" + encrypted', 'encrypted = b"\\x01" + encrypted'),
        (
            '        if sw == SW["NORMAL"]:\n            if self.cct.algorithm is None:',
            '        return_data += pack([(0x99, 2, inttostring(sw, 2))])\n'
            '        if sw in (SW["NORMAL"], 0x6282):\n            if self.cct.algorithm is None:',
        ),
    ],
}
FILES = {"EF.SOD": 0x011D, "DG1": 0x0101, "DG2": 0x0102, "DG11": 0x010B, "DG12": 0x010C}


def changed(where):
    """Copies vsmartcard with its changed lines."""
    there = os.path.join(where, "virtualsmartcard")
    shutil.copytree(INSTALLED, there)
    for name, pairs in CHANGES.items():
        path = os.path.join(there, name)
        with open(path) as f:
            text = f.read()
        for old, new in pairs:
            if old not in text:
                sys.exit(f"{name} of this vsmartcard is another one")
            text = text.replace(old, new)
        with open(path, "w") as f:
            f.write(text)
    sys.path.insert(0, where)


def crypto():
    """Gives pycryptodome the name by which vsmartcard knows it."""
    for name in ("Cipher", "Hash", "PublicKey", "Random", "Util", "Protocol"):
        sys.modules["Crypto." + name] = importlib.import_module("Cryptodome." + name)
        for part in ("DES3", "DES", "AES", "ARC4", "Blowfish", "RSA", "DSA", "SHA", "MD5", "SHA256", "KDF"):
            try:
                sys.modules[f"Crypto.{name}.{part}"] = importlib.import_module(f"Cryptodome.{name}.{part}")
            except ImportError:
                pass
    sys.modules["Crypto"] = importlib.import_module("Cryptodome")


def main(folder, port, where):
    crypto()
    changed(where)
    import virtualsmartcard.cards.ePass as ePass
    import virtualsmartcard.CryptoUtils as utils
    import virtualsmartcard.SmartcardFilesystem as filesystem
    import virtualsmartcard.VirtualSmartcard as card
    from virtualsmartcard.CardGenerator import CardGenerator

    utils.operation_on_string = lambda a, b, op: bytes(op(x, y) for x, y in zip(a, b))  # Python 2 in the original

    def generate(self):
        mf = filesystem.MF()
        df = filesystem.DF(parent=mf, fid=4, dfname=b"\xa0\x00\x00\x02G\x10\x01", bertlv_data=[])
        mf.append(df)
        for name, fid in FILES.items():
            with open(os.path.join(folder, name), "rb") as f:
                df.append(filesystem.TransparentStructureEF(parent=df, fid=fid, filedescriptor=0, data=f.read()))
        self.mf = mf
        walk = filesystem.walk
        filesystem.walk = lambda start, path: walk(start, b"\x00\x04\x01\x01")
        self.sam = ePass.PassportSAM(mf)
        filesystem.walk = walk

    CardGenerator.generateCard = generate
    card.VirtualICC(None, "ePass", "127.0.0.1", port, logginglevel=logging.ERROR).run()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(sys.argv[1], int(sys.argv[2]), directory)
