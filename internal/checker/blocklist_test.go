package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAFaceOnTheBlockListRefersWhereTheGalleryWouldCountIt(t *testing.T) {
	gallery := idv.GallerySearch{Consented: true, Faces: 900, Alone: 0.5, Beside: 0.4}
	other := idv.SeenSession{ID: "ses_listed", Same: []idv.SeenBy{idv.SeenByFace}, Alike: 0.6, Births: []string{"1980-01-02"}}
	listed := []idv.ListedFace{{Entry: "blk_1", Session: "ses_listed"}}
	for name, tt := range map[string]struct {
		change func(*idv.Seen)
		want   []string
		among  bool // the finding says among which faces was searched
	}{
		"a face that is alike enough by itself": {func(*idv.Seen) {}, []string{"blocklist.face"}, true},
		"one that is at the threshold":          {func(s *idv.Seen) { s.Others[0].Alike = 0.5 }, []string{"blocklist.face"}, true},
		"one just below it":                     {func(s *idv.Seen) { s.Others[0].Alike = 0.4999 }, nil, true},
		"one below it with the same date of birth": {
			func(s *idv.Seen) { s.Others[0].Alike, s.Births = 0.45, []string{"1980-01-02"} }, []string{"blocklist.face"}, true,
		},
		"one below both with the same date of birth": {
			func(s *idv.Seen) { s.Others[0].Alike, s.Births = 0.39, []string{"1980-01-02"} }, nil, true,
		},
		"a session that its applicant left": {func(s *idv.Seen) { s.Others[0].State = idv.Expired }, []string{"blocklist.face"}, true},
		"a face of which a reviewer said that it is somebody else's": {
			func(s *idv.Seen) { s.Others[0].NotSame = []idv.SeenSign{idv.SignFace} }, nil, true,
		},
		"a session that is on the list and shares only the document": {
			func(s *idv.Seen) { s.Others[0].Same = []idv.SeenBy{idv.SeenByDocument} }, nil, true,
		},
		"a face that is on no list":           {func(s *idv.Seen) { s.Listed = nil }, nil, false},
		"somebody else's face is on the list": {func(s *idv.Seen) { s.Listed[0].Session = "ses_else" }, nil, true},
		"an applicant who did not agree":      {func(s *idv.Seen) { s.Gallery.Consented = false }, nil, false},
		"a workflow that compares no faces":   {func(s *idv.Seen) { s.Gallery = nil }, nil, false},
		"a gallery that is not read yet": {
			func(s *idv.Seen) { s.Gallery.Fault, s.Others = idv.GalleryLoading, nil }, []string{"duplicate.gallery_unready"}, true,
		},
		"a gallery of another model": {
			func(s *idv.Seen) { s.Gallery.Fault, s.Others = idv.GalleryModel, nil }, []string{"duplicate.gallery_unready"}, true,
		},
		"a gallery that is not read, and no face listed": {func(s *idv.Seen) { s.Gallery.Fault, s.Listed = idv.GalleryLoading, nil }, nil, false},
		"a gallery that is too large": {
			func(s *idv.Seen) { s.Gallery.Fault, s.Gallery.Alone, s.Others = idv.GalleryTooLarge, 0, nil }, []string{"duplicate.gallery_too_large"}, true,
		},
		"a gallery that is too large, with the same date of birth": {
			func(s *idv.Seen) {
				s.Gallery.Fault, s.Gallery.Alone, s.Births = idv.GalleryTooLarge, 0, []string{"1980-01-02"}
			}, []string{"blocklist.face", "duplicate.gallery_too_large"}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := gallery
			seen := idv.Seen{Sought: bothSought, Gallery: &g, Others: []idv.SeenSession{other}, Listed: []idv.ListedFace{listed[0]}}
			tt.change(&seen)
			f, got := raisedBy(t, BlockList{faces: fixedFaces(idv.FaceSame)}, idv.Evidence{Seen: &seen})
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome == idv.Fail || (f.Outcome == idv.Pass) != (len(tt.want) == 0) {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
			var entries []idv.BlockedBy
			if len(tt.want) > 0 && tt.want[0] == "blocklist.face" {
				entries = []idv.BlockedBy{{Entry: "blk_1", Kind: idv.BlockFace}}
			}
			if diff := cmp.Diff(entries, f.Seen.Entries, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the entries that it names (-want +got)\n%s", diff)
			}
			if (f.Seen.Gallery != nil) != tt.among {
				t.Errorf("among which faces was searched: %+v", f.Seen.Gallery)
			}
		})
	}
}

func TestAConfirmedDocumentDeclinesBesideAFaceThatRefers(t *testing.T) {
	ev := clean(t).claim(idv.DocumentNumber, "P1234567").Evidence
	ev.Seen = &idv.Seen{
		Sought: bothSought, Blocked: []idv.BlockedBy{{Entry: "blk_1", Kind: idv.BlockDocument, Declines: true}},
		Gallery: &idv.GallerySearch{Consented: true, Alone: 0.5, Fault: idv.GalleryModel},
		Others:  []idv.SeenSession{{ID: "ses_listed", Same: []idv.SeenBy{idv.SeenByFace}, Alike: 0.6}},
		Listed:  []idv.ListedFace{{Entry: "blk_2", Session: "ses_listed"}},
	}
	f, got := raisedBy(t, BlockList{}, ev)
	if diff := cmp.Diff([]string{"blocklist.document_confirmed", "blocklist.face"}, got); diff != "" || f.Outcome != idv.Fail {
		t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
	}
}
