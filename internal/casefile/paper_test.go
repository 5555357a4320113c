package casefile

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pdf"
)

// grey is a picture of a size.
func grey(t *testing.T, w, h int) Opener {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = 128
	}
	img.Set(w/2, h/2, color.Black)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return func(context.Context) ([]byte, error) { return out.Bytes(), nil }
}

// reader opens documents; PDFium is compiled once for all tests, which takes its time on a busy machine.
var reader = pdf.New(pdf.Options{Timeout: 5 * time.Minute, Wait: 5 * time.Minute})

// saying is what a document says, with each run of spaces and line breaks as one space.
func saying(t *testing.T, document []byte) string {
	t.Helper()
	pages, err := reader.Text(t.Context(), document)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
}

func TestAPaperSaysWhatTheCaseWas(t *testing.T) {
	t.Parallel()
	c := content()
	c.Report.Notices = []string{"liveness_not_required"}
	c.Report.Claims = append(c.Report.Claims, idv.Claim{Name: idv.GivenNames, Value: "Łukasz Ευτυχία Ирина", Source: idv.FromPrinted},
		idv.Claim{Name: idv.PlaceOfBirth, Value: "北京 القاهرة", Source: idv.FromPrinted})
	open := map[string]Opener{"pictures/01_selfie.jpg": grey(t, 1600, 1200)}
	document, err := Paper(t.Context(), c, open, English)
	if err != nil {
		t.Fatal(err)
	}
	said := saying(t, document)
	for name, want := range map[string]string{
		"the session":                 string(id),
		"the decision, and by whom":   "On 2024-03-01 10:00:00 UTC by policy.",
		"what was not checked":        "Note: No liveness challenge was required",
		"the reasons of a check":      "Two sources state different facts",
		"a check that was not run":    "Not run",
		"the error rates":             "on real people",
		"facts in Latin":              "ERIKSSON",
		"letters with strokes":        "Łukasz",
		"Greek":                       "Ευτυχία",
		"Cyrillic":                    "Ирина",
		"other scripts, transcribed":  "<Bei Jing>",
		"that they were transcribed":  "transliterated",
		"markup as text":              "<script>note</script>",
		"the report":                  "77aa",
		"the first of two notes":      "the passport agrees",
		"the second":                  "and so does the picture",
		"who was first of a link":     "first of two",
		"a picture that did not open": "could not be opened",
		"its own page":                "1 of",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q is not in it:\n%s", name, want, said)
		}
	}
	again, err := Paper(t.Context(), c, open, English)
	if err != nil || !bytes.Equal(again, document) {
		t.Errorf("made again it is another document (%v)", err)
	}
	if pages, err := reader.Render(t.Context(), document); err != nil || len(pages) < 2 {
		t.Errorf("%d pages can be seen: %v", len(pages), err)
	}
	if bytes.Contains(document, []byte("/URI")) || bytes.Contains(document, []byte("/JavaScript")) {
		t.Error("it has a link or a script")
	}
}

func TestAPaperOfAnErasedCaseHasNothingPersonal(t *testing.T) {
	t.Parallel()
	c := Content{Format: Format, MadeAt: at, MadeBy: "Ida (usr_1)", Session: Session{ID: id, Mode: idv.Live, State: idv.Approved, CreatedAt: at, ErasedAt: &at}}
	document, err := Paper(t.Context(), c, nil, English)
	if err != nil {
		t.Fatal(err)
	}
	said := saying(t, document)
	if !strings.Contains(said, "Nothing personal is left.") || !strings.Contains(said, "No decision is on record.") || strings.Contains(said, "ERIKSSON") {
		t.Errorf("it says:\n%s", said)
	}
}

func TestAPaperGoesOnOnOtherPages(t *testing.T) {
	t.Parallel()
	c := content()
	for range 120 {
		c.Timeline = append(c.Timeline, Event{Type: "session.captured", At: at, By: "applicant"})
	}
	document, err := Paper(t.Context(), c, map[string]Opener{"pictures/01_selfie.jpg": grey(t, 900, 1600)}, English)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(saying(t, document), "Picture sent"); got != 120 {
		t.Errorf("%d of 120 events are in it", got)
	}
}

func TestAPictureThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	broken := func(context.Context) ([]byte, error) { return []byte("no picture"), nil }
	if _, err := Paper(t.Context(), content(), map[string]Opener{"pictures/01_selfie.jpg": broken}, English); err == nil {
		t.Error("a document was made")
	}
}

func FuzzTextsOfAPaper(f *testing.F) {
	f.Add("Łukasz", "北京")
	f.Add("\x00\u202e\U0001f600", strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, name, note string) {
		c := content()
		c.Pictures = nil
		c.Report.Claims[0].Value, c.Reviews[0].Note, c.Session.ExternalReference = name, note, name
		if _, err := Paper(t.Context(), c, nil, English); err != nil {
			t.Fatal(err)
		}
	})
}
