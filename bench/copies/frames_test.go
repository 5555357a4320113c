package copies

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

const project = `{"_via_img_metadata": {
	"000007.jpg123": {"filename": "000007.jpg", "regions": [
		{"shape_attributes": {"name": "polygon", "all_points_x": [1, 90, 91, 2], "all_points_y": [3, 4, 60, 61]}, "region_attributes": {"field_name": "doc_quad"}}]},
	"000008.jpg9": {"filename": "000008.jpg", "regions": []},
	"000009.jpg9": {"filename": "000009.jpg", "regions": [
		{"shape_attributes": {"all_points_x": [1, 2, 3], "all_points_y": [1, 2, 3]}, "region_attributes": {"field_name": "finger"}}]}}}`

func TestCornersAreThoseOfThePage(t *testing.T) {
	got, err := cornersOf([]byte(project))
	want := map[string]imaging.Quad{"000007.jpg": {{X: 1, Y: 3}, {X: 90, Y: 4}, {X: 91, Y: 60}, {X: 2, Y: 61}}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	three := `{"_via_img_metadata": {"a": {"filename": "a", "regions": [
		{"shape_attributes": {"all_points_x": [1, 2, 3], "all_points_y": [1, 2, 3]}, "region_attributes": {"field_name": "doc_quad"}}]}}}`
	if _, err := cornersOf([]byte(three)); !errors.Is(err, errCorners) {
		t.Errorf("three corners: %v", err)
	}
}

func TestOnlyFramesThatAreThereAreMeasured(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"grc_passport__03.cg0001.json": project, "grc_passport__03.cg0001__000007.jpg": "", "other.jpg": ""} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readStills(dir)
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v: %v", got, err)
	}
	if s := got[0]; s.document != "grc_passport__03" || s.file != "grc_passport__03.cg0001__000007.jpg" || s.width() != 125 || s.quad[2].Y != 60 {
		t.Errorf("%+v", s)
	}
	if _, err := readStills(t.TempDir()); err == nil {
		t.Error("a folder without frames is no error")
	}
}

func TestThresholdsAreChosenOnOtherDocumentsThanTheyAreMeasuredOn(t *testing.T) {
	score := func(document string, colour float64) Score {
		return Score{File: document + ".jpg", What: document, Signs: idv.Signs{Colour: colour, Pictured: true}}
	}
	res := judgeFrames([]Score{
		score("id__00", 1), score("id__00", 9), score("id__01", 1), score("id__02", 1), score("id__03", 9), score("id__03", 9),
	}, map[string]forensic.Sign{forensic.ColourSign: {Threshold: 3}, forensic.GridSign: {Threshold: 1, Over: true}})
	type counts struct{ Documents, Seen, OfSeen, Kept, OfKept, Missed int }
	got := counts{res.Documents, res.Chosen.Count, res.Chosen.Of, res.Kept.Count, res.Kept.Of, len(res.Missed)}
	if d := cmp.Diff(counts{4, 2, 3, 1, 3, 3}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r := res.Signs[forensic.ColourSign]; r.Count != 3 || r.Of != 6 || res.Kinds["id"] != res.Found {
		t.Errorf("by sign %+v, by kind %+v, all %+v", r, res.Kinds, res.Found)
	}
}

// FuzzCorners: corners are read or refused, and are numbers.
func FuzzCorners(f *testing.F) {
	f.Add([]byte(project))
	f.Add([]byte(`{"_via_img_metadata": {"a": {"regions": [{}]}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := cornersOf(raw)
		if err != nil {
			return
		}
		for file, q := range got {
			for _, p := range q {
				if p.X != p.X || p.X > top || p.Y < -top {
					t.Fatalf("%s: %+v", file, q)
				}
			}
		}
	})
}
