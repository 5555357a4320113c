"""What both trainings share, checked: /usr/bin/python3 -m unittest discover -s models/synth"""

import os
import tempfile
import unittest

import cv2
import numpy as np
import torch
from torch import nn

import counting
import onnxfile
import reading
import training


class Reading(unittest.TestCase):
    def test_a_crop_keeps_its_proportions_within_its_bounds(self):
        for (high, wide), want in (((16, 100), 200), ((64, 100), 50), ((32, 4), 16), ((20, 4000), 768)):
            self.assertEqual(reading.fit(np.zeros((high, wide), np.uint8), 32, 16, 768).shape, (32, want))

    def test_input_has_mean_zero_deviation_one_and_empty_padding(self):
        x = reading.normalise(np.random.default_rng(1).integers(0, 255, (32, 50), np.uint8), 64)
        self.assertEqual(x.shape, (1, 32, 64))
        self.assertAlmostEqual(float(x[:, :, :50].mean()), 0, 4)
        self.assertAlmostEqual(float(x[:, :, :50].std()), 1, 4)
        self.assertFalse(x[:, :, 50:].any())
        self.assertFalse(reading.normalise(np.full((32, 50), 7, np.uint8), 64).any())

    def test_runs_are_merged_blanks_dropped_and_padding_not_read(self):
        scores = np.full((10, 4), -9.0, np.float32)
        for t, c in enumerate((1, 1, 0, 1, 3, 3, 3, 2, 2, 2)):
            scores[t, c] = 9
        text, sure, frame = reading.decode(scores, 26, "abc", 4)  # frames from column 30 on are padding
        self.assertEqual((text, frame), ("aacb", [0.5, 3.0, 5.0, 7.0]))
        self.assertTrue(min(sure) > 0.99)


RATE = 0.1


class Count(nn.Module):
    """A reader of nothing: its answer is its bias."""

    def __init__(self):
        super().__init__()
        self.head = nn.Conv2d(1, 3, 1)

    def forward(self, x):
        return self.head(x).mean(2).transpose(1, 2)


def chunk(seed, n):
    return [(seed, i) for i in range(n)]


class Pool(training.Pool):
    def __init__(self, first):
        super().__init__(chunk, 8, 5, first)
        self.got = []

    def keep(self, fresh):
        self.got.append(fresh)


class Training(unittest.TestCase):
    def test_the_rate_warms_up_falls_and_ends_at_nothing(self):
        rates = [training.rate_at(s, 3e-3, 0.8) for s in (0, 0.005, 0.01, 0.4, 0.8, 0.9, 1)]
        self.assertEqual(rates[0], 0)
        self.assertAlmostEqual(rates[1], 1.5e-3)
        self.assertAlmostEqual(rates[2], 3e-3)
        self.assertTrue(3e-4 < rates[3] < 3e-3)
        self.assertAlmostEqual(rates[4], 3e-4, 5)
        self.assertAlmostEqual(rates[5], 1.5e-4, 5)
        self.assertAlmostEqual(rates[6], 1e-6)

    def test_chunks_come_in_the_order_of_their_numbers(self):
        pool = Pool(3)
        for _ in range(3):
            pool.refill()
        pool.maker.terminate()
        self.assertEqual([c[0] for c in pool.got], [((5, 3), 0), ((5, 4), 0), ((5, 5), 0)])
        self.assertEqual((pool.made, pool.next), (3, 6))

    def test_ctc_keeps_a_fifth_of_the_cross_entropy_and_what_is_ignored_does_not_count(self):
        torch.manual_seed(1)
        logits, labels = torch.randn(2, 6, 3), torch.tensor([[0, 1, 1, 0, 2, 9], [9] * 6])
        targets, lengths = torch.tensor([1, 2, 1]), torch.tensor([2, 1])
        frame = training.loss_of(logits, labels, targets, lengths, False, 9)
        self.assertAlmostEqual(float(frame), float(nn.functional.cross_entropy(logits[0, :5], labels[0, :5])), 5)
        both = training.loss_of(logits, labels, targets, lengths, True, 9)
        self.assertGreater(float(both), 0.2 * float(frame))

    def test_a_run_goes_on_where_its_checkpoint_stands(self):
        torch.manual_seed(2)
        x, want = torch.ones(1, 1, 32, 8), torch.zeros(1, 8, dtype=torch.long)

        def step(run):
            def loss():
                l = nn.functional.cross_entropy(run.model(x).transpose(1, 2), want)
                l.backward()
                return float(l.detach())

            return run.learn(RATE, loss)

        with tempfile.TemporaryDirectory() as d:
            whole = training.Run(os.path.join(d, "whole"), Count(), RATE)
            first = training.Run(os.path.join(d, "parts"), Count(), RATE)
            first.model.load_state_dict(whole.model.state_dict()), first.mean.load_state_dict(whole.mean.state_dict())
            for _ in range(4):
                step(whole)
            for _ in range(2):
                step(first)
            first.elapsed, first.chunks, first.lines = 61.5, 7, 64
            first.save()
            second = training.Run(os.path.join(d, "parts"), Count(), RATE)
            self.assertEqual((second.step, second.elapsed, second.chunks, second.lines), (2, 61.5, 7, 64))
            losses = [step(second) for _ in range(2)]
            self.assertLess(losses[1], losses[0])
            for a, b in ((whole.model, second.model), (whole.mean, second.mean)):
                for name, w in a.state_dict().items():
                    torch.testing.assert_close(w, b.state_dict()[name])
            for run in (whole, first, second):
                run.log.close()


class File(unittest.TestCase):
    def test_a_file_computes_what_its_weights_do_and_another_is_refused(self):
        cv2.setNumThreads(1)
        model, other = Count().eval(), Count().eval()
        x = np.random.default_rng(3).normal(size=(2, 1, 32, 24)).astype(np.float32)
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "count.onnx")
            onnxfile.export(model, path, 32, 16, line={3: "W"}, logits={1: "T"})
            onnxfile.prove(model, path, x)
            with self.assertRaises(SystemExit):
                onnxfile.prove(other, path, x)


class Counting(unittest.TestCase):
    def test_edits_are_counted(self):
        for a, b, want in (("", "", 0), ("AB", "AB", 0), ("AB", "B", 1), ("KITTEN", "SITTING", 3), ("", "ABC", 3)):
            self.assertEqual(counting.edits(a, b), want)

    def test_heights_stay_in_their_band(self):
        rng = np.random.default_rng(4)
        self.assertTrue(all(8 <= counting.height(rng, (8, 11)) <= 11 for _ in range(200)))


if __name__ == "__main__":
    unittest.main()
