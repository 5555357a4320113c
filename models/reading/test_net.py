"""The network answers what internal/reading's test of it expects of the same weights (TestTheNetworkAnswersAsItWasTrained)."""

import numpy as np
import torch

from net import Reader
from pages import NUMBERS, batch


def invented():
    """A network whose weights are a formula, and a page of three words and two candidates."""
    net = Reader(5)
    with torch.no_grad():
        for name, p in net.named_parameters():
            i = torch.arange(p.numel(), dtype=torch.float64)
            p.copy_((.1 * torch.sin(.37 * i + len(name))).reshape(p.shape))
    numbers = np.array([[.01 * (i + k) for k in range(NUMBERS)] for i in range(3)], dtype=np.float32)
    page = {
        "parts": np.array([1, 2, 3, 500, 16000]), "part_counts": np.array([2, 2, 1]), "forms": np.array([4, 5, 2000]), "form_counts": np.array([1, 1, 1]),
        "numbers": numbers, "places": np.array([[0, 6, 24], [16, 0, 30], [54, 60, 0]], dtype=np.uint8), "tags": np.array([0, 27, 255]),
        "first": np.array([0, 2]), "last": np.array([1, 2]), "counts": np.array([2, 1]), "words": np.array([0, 1, 2]),
        "terms": np.array([0, 3, 4]), "values": np.array([1, .5, 2], dtype=np.float32), "term_counts": np.array([2, 1]),
        "missed": np.array([1]), "missed_values": np.array([1], dtype=np.float32), "fact": np.array([0, 0]), "at": np.array([0, 1]),
        "right": np.array([1, 0]), "none": np.zeros(13, dtype=np.uint8),
    }
    return net, page


def test_answers():
    net, page = invented()
    with torch.no_grad():
        scores, none, _ = net(batch([page, page], 5))
    assert torch.allclose(scores[:2], scores[2:], atol=1e-5), "a page is judged alike beside another one"
    got = [float(scores[0, 0]), float(scores[1, 12]), float(none[0, 0]), float(none[0, 12])]
    assert np.allclose(got, WANT, atol=1e-4), got


def test_losses():
    net, page = invented()
    loss, best = net.loss(batch([page], 5), tags=0)
    scores, none, _ = net(batch([page], 5))
    alone = torch.stack([none[0, 0], scores[0, 0], scores[1, 0]])
    assert abs(float(loss) - float(torch.logsumexp(alone, 0) - scores[0, 0])) < 1e-5
    assert len(best) == 1 and bool(best[0]) == (int(alone.argmax()) == 1)


WANT = [0.232707, -0.331018, 0.031854, 0.450610]

if __name__ == "__main__":
    test_losses()
    test_answers()
