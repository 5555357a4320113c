package biometric

import (
	"math"
	"testing"
)

func TestAChestStaysOrFollowsAndNeverSwingsAgainstTheHead(t *testing.T) {
	for name, follows := range map[string]float64{"it stays": 0, "it follows in part": .3, "it swings to the other side": -.4} {
		got := headMotion(turning(nosedFace, follows))
		if got.Sought != mostViews || got.Chests != mostViews || math.Abs(got.Chest-follows) > .06 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAChestThatIsBentIsNotFoundAgain(t *testing.T) {
	seen, other := turning(nosedFace, 0), cloth(9)
	for _, g := range seen[6:] {
		for i := 240 * 241; i < len(g.view.Pix); i++ {
			g.view.Pix[i] = uint8(max(0, min(255, other(float64(i%240), float64(i/240)))))
		}
	}
	if got := headMotion(seen); got.Sought != mostViews || got.Chests != 0 || got.Chest != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAChestThatIsNotInViewSaysNothing(t *testing.T) {
	seen := turning(nosedFace, -.4)
	for i := range seen {
		cut := *seen[i].view
		cut.H, cut.Pix = 230, cut.Pix[:240*230]
		seen[i].view = &cut
	}
	if got := headMotion(seen); got.Views != mostViews || got.Sought != 0 {
		t.Errorf("%+v", got)
	}
}
