import unittest

import letters  # first: it says which alphabet is read
import fonts
import letters_unseen
import numpy as np
import unseen
from line import CLASS


class Letters(unittest.TestCase):
    def test_same_seed_same_windows(self):
        (x, y), (x2, y2) = letters.chunk((5, 1), 40, letters.Seen()), letters.chunk((5, 1), 40, letters.Seen())
        self.assertTrue((x == x2).all() and (y == y2).all())
        self.assertEqual(x.shape, (40, letters.SIDE, letters.SIDE))

    def test_no_typeface_that_readers_are_measured_in_is_one_that_they_are_trained_in(self):
        measured = {name.lower().replace(" ", "-") for module in (letters_unseen, unseen) for name in module.FAMILIES[1.0]}
        trained = {name.lower().replace(" ", "-") for group in fonts.FAMILIES.values() for name in group}
        self.assertGreater(len(trained), 150)
        self.assertEqual(measured & trained, set())

    def test_accents_keep_number_and_case_of_letters(self):
        rng = np.random.default_rng(3)
        for _ in range(50):
            text = letters.accented(rng, "SAMPLE Text")
            self.assertEqual([c.isupper() for c in text], [c.isupper() for c in "SAMPLE Text"])

    def test_a_window_is_nothing_beyond_the_ends_of_its_line(self):
        w = letters.window(np.ones((letters.SIDE, 40), np.float32), 0)
        self.assertEqual(w[:, : letters.SIDE // 2].sum(), 0)
        self.assertEqual(w[:, letters.SIDE // 2 :].min(axis=0).sum(), 32)

    def test_rare_letters_are_shown_more_often_than_they_are_printed(self):
        seen, rng = letters.Seen(), np.random.default_rng(1)
        seen.count[:] = 10
        seen.count[CLASS["A"]] = 1000
        self.assertLess(sum(seen.wanted(rng, CLASS["A"]) for _ in range(200)), 40)
        self.assertEqual(sum(seen.wanted(rng, CLASS["Ț"]) for _ in range(200)), 200)


if __name__ == "__main__":
    unittest.main()
