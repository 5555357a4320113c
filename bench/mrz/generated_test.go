package mrz_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench/mrz"
	"github.com/bonafide-id/bonafide/fixtures"
)

// leaveForTheNight skips a case with -short if it is one of the night's.
func leaveForTheNight(t *testing.T, nightly bool) {
	t.Helper()
	if nightly && testing.Short() {
		t.Skip("nightly: each picture takes a second, and one or two cases of this kind are read by day")
	}
}

// byDay is a smaller number with -short.
func byDay(day, night int) int {
	if testing.Short() {
		return day
	}
	return night
}

// needPictures skips where pictures cannot be made.
func needPictures(t *testing.T) {
	t.Helper()
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip("OCR-B is not installed (Debian: fonts-ocr-b)")
	}
}

func TestZonesAreFoundAndReadInEveryTrouble(t *testing.T) {
	needPictures(t)
	r := reader(t)
	for i, trouble := range mrz.Troubles() {
		t.Run(trouble, func(t *testing.T) {
			leaveForTheNight(t, i%4 != 0)
			g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: int64(4001 + 16*i), Pictures: 1, Trouble: trouble})
			if err != nil {
				t.Fatal(err)
			}
			if g.All.Exact.Count != 1 || g.All.VerifiedWrong.Count != 0 {
				t.Errorf("not exact: %+v", g.Misses)
			}
			if g.TwoInView.Count != g.TwoInView.Of || g.OneInView.Count > 0 {
				t.Errorf("%d documents in view were told, of %d; %d where there was one", g.TwoInView.Count, g.TwoInView.Of, g.OneInView.Count)
			}
		})
	}
}

func TestPrintedCheckDigitsThatAreWrongAreNeverSaidToBeRight(t *testing.T) {
	needPictures(t)
	r := reader(t)
	for i := range byDay(1, 4) {
		first := int64(7000 + 16*i) // another document each, whose pictures are by chance hard
		g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: first, Pictures: 2, Spoiled: true})
		if err != nil {
			t.Fatal(err)
		}
		if g.Broken.Of != 2 || g.Broken.Count != 0 || g.All.Verified.Of != 0 {
			t.Errorf("seed %d: %d of %d pages with wrong check digits were said to be valid", first, g.Broken.Count, g.Broken.Of)
		}
	}
}

// The lines of a small visa are the first characters of a large one's, whose check digits pass.
func TestAZoneThatIsNotWhollyInViewIsNeverVerified(t *testing.T) {
	needPictures(t)
	r := reader(t)
	for i, how := range mrz.Hiding() {
		for k, kind := range []fixtures.Kind{fixtures.Visa, fixtures.IDCard} {
			t.Run(how+" of "+string(kind), func(t *testing.T) {
				leaveForTheNight(t, i%2 != k) // by day each way with one of the kinds, and one picture
				pictures := byDay(1, 2)
				g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: int64(830008 + 32*i + 16*k), Pictures: pictures, Trouble: how, Kind: kind})
				if err != nil {
					t.Fatal(err)
				}
				if g.Hidden.Of != pictures || g.Hidden.Count > 0 {
					t.Errorf("%d of %d were verified: %+v", g.Hidden.Count, g.Hidden.Of, g.Misses)
				}
			})
		}
	}
	pictures := byDay(1, 2)
	g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: 831016, Pictures: pictures, Kind: fixtures.VisaB})
	if err != nil {
		t.Fatal(err)
	}
	if g.All.Verified.Count != pictures {
		t.Errorf("%d of %d small visas that are wholly in view were verified: %+v", g.All.Verified.Count, pictures, g.Misses)
	}
}

func TestWhatAStampMakesOfANameIsNeverVerified(t *testing.T) {
	needPictures(t)
	r := reader(t)
	// In each of them the edge of a stamp closes an F of a name to a P or an E, for both readers.
	for _, at := range []mrz.Options{{First: 970212, Trouble: "stamp across the zone"}, {First: 990033}} {
		at.Pictures = 1
		g, err := mrz.RunGenerated(t.Context(), r, at)
		if err != nil {
			t.Fatal(err)
		}
		if g.All.Found.Count != 1 || g.All.Verified.Count != 0 {
			t.Errorf("seed %d: found %d, verified %d: %+v", at.First, g.All.Found.Count, g.All.Verified.Count, g.Misses)
		}
	}
	t.Run("a stamp elsewhere in the zone hides nothing", func(t *testing.T) {
		leaveForTheNight(t, true)
		g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: 970214, Pictures: 6, Trouble: "stamp across the zone"})
		if err != nil {
			t.Fatal(err)
		}
		if g.All.Verified.Count == 0 || g.All.VerifiedWrong.Count != 0 {
			t.Errorf("of 6 with a stamp elsewhere in the zone %d are verified, %d of them wrongly: %+v", g.All.Verified.Count, g.All.VerifiedWrong.Count, g.Misses)
		}
	})
}

func TestAMeasurementGoesOnWhereItStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("nightly: only a measurement of many hours stops and goes on, and each picture takes a second")
	}
	needPictures(t)
	r := reader(t)
	at := mrz.Options{First: 155, Pictures: 3} // crosses from one kept part to the next
	whole, err := mrz.RunGenerated(t.Context(), r, at)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	var kept *mrz.Generated
	half := at
	half.Pictures = 2
	half.Save = func(g *mrz.Generated) error { kept = g; return nil }
	if _, err := mrz.RunGenerated(t.Context(), r, half); err != nil {
		t.Fatal(err)
	}
	at.From = kept
	resumed, err := mrz.RunGenerated(t.Context(), r, at)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, resumed); diff != "" {
		t.Errorf("in one go -, in two parts +:\n%s", diff)
	}
	at.From, at.First = kept, 1
	if _, err := mrz.RunGenerated(t.Context(), r, at); err == nil {
		t.Error("a part of other seeds was continued")
	}
	half.Save, half.From = func(*mrz.Generated) error { return stop }, nil
	if _, err := mrz.RunGenerated(t.Context(), r, half); !errors.Is(err, stop) {
		t.Errorf("a record that cannot be kept: %v", err)
	}
}

// A stamp hides the zone of the document that is meant, or it has none on the side that is shown: what is read beside it is another's.
func TestTheZoneOfAnotherDocumentInViewIsNeverVerified(t *testing.T) {
	needPictures(t)
	r := reader(t)
	for name, o := range map[string]mrz.Options{
		"a stamp over a small card's zone":                {First: 52946},
		"a stamp over a card's zone at the edge":          {First: 55028},
		"stamps over a card's zone":                       {First: 1400009, Trouble: mrz.Rivals()[0]},
		"stamps over a passport's zone, which lies askew": {First: 1400305, Trouble: mrz.Rivals()[0]},
		"a stamp, and another zone about as large":        {First: 1500038, Trouble: mrz.Rivals()[0]},
		"a front that has no zone":                        {First: 1402001, Trouble: mrz.Rivals()[1], Whole: true},
	} {
		t.Run(name, func(t *testing.T) {
			leaveForTheNight(t, o.First != 52946 && !o.Whole)
			o.Pictures = 1
			g, err := mrz.RunGenerated(t.Context(), r, o)
			if err != nil {
				t.Fatal(err)
			}
			if g.TwoInView.Of != 1 || g.TwoInView.Count != 1 {
				t.Errorf("the other document was not noticed: %+v", g.Misses)
			}
			if g.All.VerifiedWrong.Count+g.Hidden.Count > 0 {
				t.Errorf("another document's zone was verified: %+v", g.Misses)
			}
		})
	}
	t.Run("it is clear which of two is meant", func(t *testing.T) {
		leaveForTheNight(t, true)
		g, err := mrz.RunGenerated(t.Context(), r, mrz.Options{First: 1400013, Pictures: 1, Trouble: mrz.Rivals()[0]})
		if err != nil {
			t.Fatal(err)
		}
		if g.All.Verified.Count != 1 || g.TwoInView.Count != 1 {
			t.Errorf("where it is clear which of two is meant, its zone is not verified: %+v", g.Misses)
		}
	})
}
