"""What the generator promises, checked: /usr/bin/python3 -m unittest discover -s models/mrz"""

import unittest

import numpy as np

import generate
import line
import mrztext


class Text(unittest.TestCase):
    def test_check_digit_is_that_of_the_specimen_in_icao_9303(self):
        self.assertEqual(mrztext.check_digit("L898902C3"), "6")
        self.assertEqual(mrztext.check_digit("AB2134<<<"), "5")

    def test_every_format_has_its_lengths_and_alphabet(self):
        rng = np.random.default_rng(1)
        cases = ((mrztext.td3, 2, 44), (mrztext.td1, 3, 30), (mrztext.td2, 2, 36), (mrztext.idfra, 2, 36))
        for make, rows, length in cases:
            for _ in range(200):
                lines = make(rng)
                self.assertEqual([len(l) for l in lines], [length] * rows, lines)
                self.assertLessEqual(set("".join(lines)), set(mrztext.ALPHABET))

    def test_composite_check_digit_of_td3_holds(self):
        rng = np.random.default_rng(2)
        for _ in range(100):
            l = mrztext.td3(rng)[1]
            self.assertEqual(l[43], mrztext.check_digit(l[0:10] + l[13:20] + l[21:43]))


class Pictures(unittest.TestCase):
    def test_same_seed_same_lines(self):
        for a, b in zip(generate.chunk(5, 6), generate.chunk(5, 6)):
            np.testing.assert_array_equal(a, b)

    def test_frames_decode_to_the_text_they_label(self):
        rng = np.random.default_rng(3)
        for _ in range(60):
            fitted, label, _, text = generate.sample(rng)
            scores = np.zeros((line.FRAMES, line.CLASSES), np.float32)
            for t, c in enumerate(label):
                scores[t, 0 if c == generate.IGNORE else c] = 9
            self.assertEqual(line.decode(scores, fitted.shape[1])[0], text)

    def test_normalised_line_has_mean_zero_and_empty_padding(self):
        fitted = generate.sample(np.random.default_rng(4))[0][:, :500]
        x = line.normalise(fitted)
        self.assertAlmostEqual(float(x[0, :, : fitted.shape[1]].mean()), 0, 4)
        self.assertFalse(x[0, :, fitted.shape[1] :].any())


if __name__ == "__main__":
    unittest.main()
