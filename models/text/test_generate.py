"""What the generator promises, checked: /usr/bin/python3 -m unittest discover -s models/text"""

import os
import unittest

import cv2
import numpy as np
import torch

import fonts
import generate
import line
import onnxfile
import words
from net import Reader, unfold

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text-line.onnx")


def scores(label):
    """Logits of a reader that answers the labels themselves."""
    out = np.zeros((len(label), line.CLASSES), np.float32)
    for t, c in enumerate(label):
        out[t, max(c, 0)] = 9
    return out


class Alphabet(unittest.TestCase):
    def test_every_class_has_one_character_and_the_space_is_last(self):
        self.assertEqual(len(set(line.ALPHABET)), 298)
        self.assertEqual(line.ALPHABET[-1], " ")
        self.assertEqual(line.CLASSES, 299)

    def test_both_cases_of_every_letter_are_there(self):
        for c in line.ALPHABET:
            for other in (c.lower(), words.upper(c)):
                if len(other) == 1 and c not in "ªºı" and other != "Đ":
                    self.assertIn(other, line.ALPHABET, c)


class Words(unittest.TestCase):
    def test_lines_are_of_the_alphabet_without_spaces_at_the_ends_or_doubled(self):
        rng = np.random.default_rng(1)
        for _ in range(3000):
            s = words.line(rng)
            self.assertLessEqual(set(s), words.KNOWN)
            self.assertEqual(s, " ".join(s.split()))
            self.assertTrue(1 <= len(s) <= 70)

    def test_every_character_turns_up(self):
        rng = np.random.default_rng(2)
        seen = set()
        for _ in range(12000):
            seen.update(words.line(rng))
        self.assertEqual(words.KNOWN - seen, set())

    def test_accents_keep_the_case_and_belong_to_the_language(self):
        rng = np.random.default_rng(3)
        for _ in range(200):
            w = words.accent(rng, "LACZEWSKi", "pl", 1.0)
            self.assertEqual([c.isupper() for c in w], [True] * 8 + [False], w)
            self.assertLessEqual(set(w.lower()) - set("laczewski"), set(words.ACCENTS["pl"]))

    def test_numbers_of_documents_hold_hardly_a_letter_that_is_taken_for_a_digit(self):
        rng = np.random.default_rng(11)
        words = " ".join(generate.card.serial(rng) for _ in range(3000)).split()
        text = "".join(w for w in words if set(w) & set("0123456789"))  # a postal code has its town before it
        self.assertGreater(text.count("0"), 30 * sum(text.count(c) for c in "OQI") / 3)

    def test_a_marked_name_bears_marks_of_one_language(self):
        rng = np.random.default_rng(12)
        for _ in range(300):
            name = generate.card.marked(rng)
            marks = {c.lower() for c in name if not c.isascii()} - {"ß", "ẞ"}
            self.assertTrue(any(marks <= set(known.replace("ð", "ðđ")) for known in words.ACCENTS.values()), name)


class Fonts(unittest.TestCase):
    def test_the_chosen_font_holds_the_text(self):
        rng = np.random.default_rng(4)
        for _ in range(300):
            text = words.line(rng)
            self.assertLessEqual(set(text) - {" "}, fonts.choose(rng, text).held)


class Pictures(unittest.TestCase):
    def test_same_seed_same_lines(self):
        for a, b in zip(generate.chunk(5, 6), generate.chunk(5, 6)):
            for x, y in zip(a, b):
                np.testing.assert_array_equal(x, y)

    def test_frames_decode_to_the_text_they_label(self):
        rng = np.random.default_rng(6)
        wrong = 0
        for _ in range(300):
            fitted, label, _, text = generate.sample(rng)
            wrong += line.decode(scores(label), fitted.shape[1])[0] != text
        self.assertLessEqual(wrong, 2)  # letters narrower than two frames

    def test_normalised_line_has_mean_zero_and_empty_padding(self):
        fitted = generate.sample(np.random.default_rng(7))[0]
        x = line.normalise(fitted)
        self.assertIn(x.shape[2], line.WIDTHS)
        self.assertAlmostEqual(float(x[0, :, : fitted.shape[1]].mean()), 0, 4)
        self.assertFalse(x[0, :, fitted.shape[1] :].any())

    def test_lines_of_cards_have_a_place_for_each_character_in_order(self):
        rng, several = np.random.default_rng(8), 0
        for _ in range(60):
            img, text, xs, wide = generate.until_legible(generate.printed, rng, 16.0)
            self.assertEqual((len(xs), len(wide)), (len(text), len(text)))
            self.assertTrue((np.diff(xs) > 0).all(), text)
            self.assertLessEqual(set(text), words.KNOWN | {" "})
            self.assertEqual(img.dtype, np.uint8)
            several += " " in text
        self.assertGreater(several, 20)  # labels before values

    def test_no_part_of_a_card_s_line_is_lower_than_can_be_read(self):
        rng = np.random.default_rng(9)
        for least in (0.4, 0.7):
            for _ in range(200):
                self.assertTrue(all(high >= least for _, high, _ in generate.card.script(rng, least)))


class Weights(unittest.TestCase):
    def test_a_reader_that_begins_with_the_exported_file_answers_as_it_does(self):
        cv2.setNumThreads(1)
        x = [torch.from_numpy(line.normalise(p))[None] for p, _, _ in generate.chunk(10, 24)]
        reader, exported = Reader(), onnxfile.Interpreter(FILE)
        unfold(reader, FILE, x)
        self.assertTrue(reader.training)
        reader.eval()
        with torch.no_grad():
            for one in x[:6]:
                self.assertLess(float(np.abs(reader(one)[0].numpy() - exported.run(one[0].numpy())).max()), onnxfile.TOLERANCE)
        scales = torch.stack([m.weight.abs().mean() for m in reader.modules() if isinstance(m, torch.nn.BatchNorm2d)])
        self.assertTrue((scales > 0.01).all())


if __name__ == "__main__":
    unittest.main()
