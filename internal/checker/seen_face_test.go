package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// gathered is a search among so many faces that one counts by itself from 0.5, and beside a fact from 0.4.
func gathered() idv.GallerySearch {
	return idv.GallerySearch{Faces: 2000, Target: 0.01, Alone: 0.5, Beside: 0.4, Strangers: 0.01, FNMR: 0.12, MostAlone: 2413, Consented: true}
}

// another is a session with a face that is so alike, of another person unless the change says otherwise.
func another(alike float64, change func(*idv.SeenSession)) idv.SeenSession {
	o := earlier(idv.SeenByFace)
	o.Names, o.Births, o.Alike = []string{"BERTA SOMMER"}, []string{"1980-01-02"}, alike
	if change != nil {
		change(&o)
	}
	return o
}

func identical(o *idv.SeenSession) {
	o.Names, o.Births = []string{"ANNA ERIKSSON"}, []string{"1974-08-12"}
}
func born(o *idv.SeenSession)    { o.Births = []string{"1974-08-12"} }
func unread(o *idv.SeenSession)  { o.Names, o.Births = nil, nil }
func left(o *idv.SeenSession)    { identical(o); o.State = idv.Expired }
func chained(o *idv.SeenSession) { identical(o); o.Chained = true }

func TestAFaceThatIsInAnotherSessionRefers(t *testing.T) {
	closed := func(g *idv.GallerySearch) { g.Alone, g.Fault = 0, idv.GalleryTooLarge }
	tests := []struct {
		name   string
		change func(*idv.GallerySearch)
		set    idv.SeenSettings
		others []idv.SeenSession
		want   []string
	}{
		{"nobody is alike", nil, idv.SeenSettings{}, nil, nil},
		{"one face under another name", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, nil)}, []string{"duplicate.face_other_person"}},
		{"one face under the same name", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, identical)}, []string{"duplicate.face_elsewhere"}},
		{"one face, and nothing was read", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, unread)}, []string{"duplicate.face_elsewhere"}},
		{"both, the graver one first", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, identical), another(0.6, nil)},
			[]string{"duplicate.face_other_person", "duplicate.face_elsewhere"}},
		{"less alike, and nothing else agrees", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.45, nil)}, nil},
		{"less alike, with the same date of birth and another name, as twins are", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.45, born)},
			[]string{"duplicate.face_other_person"}},
		{"less alike, with the same document", nil, idv.SeenSettings{},
			[]idv.SeenSession{another(0.45, func(o *idv.SeenSession) { unread(o); o.Same = append(o.Same, idv.SeenByDocument) })},
			[]string{"duplicate.face_elsewhere"}},
		{"just not alike enough, with the same name", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.399, identical)}, nil},
		{"too many for a face by itself, which says so", closed, idv.SeenSettings{}, []idv.SeenSession{another(0.9, nil)}, []string{"duplicate.gallery_too_large"}},
		{"too many for a face by itself, and a fact agrees", closed, idv.SeenSettings{}, []idv.SeenSession{another(0.45, identical)},
			[]string{"duplicate.face_elsewhere", "duplicate.gallery_too_large"}},
		{"the gallery is being read", func(g *idv.GallerySearch) { g.Fault = idv.GalleryLoading }, idv.SeenSettings{}, nil, []string{"duplicate.gallery_unready"}},
		{"the model changed", func(g *idv.GallerySearch) { g.Fault = idv.GalleryModel }, idv.SeenSettings{}, nil, []string{"duplicate.gallery_unready"}},
		{"no template", func(g *idv.GallerySearch) { g.Fault = idv.GalleryNoFace }, idv.SeenSettings{}, nil, []string{"duplicate.gallery_unready"}},
		{"somebody who left", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, left)}, nil},
		{"the session that another document follows", nil, idv.SeenSettings{}, []idv.SeenSession{another(0.55, chained)}, nil},
		{"a re-verification", nil, idv.SeenSettings{Again: true},
			[]idv.SeenSession{another(0.55, func(o *idv.SeenSession) { identical(o); o.SameReference = true })}, nil},
		{"another name under one reference", nil, idv.SeenSettings{Again: true},
			[]idv.SeenSession{another(0.55, func(o *idv.SeenSession) { o.SameReference = true })}, []string{"duplicate.face_other_person"}},
		{"a session that shares the document alone is another check's", nil, idv.SeenSettings{}, []idv.SeenSession{earlier(idv.SeenByDocument)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev, g := seeing(tt.set, tt.others...), gathered()
			if tt.change != nil {
				tt.change(&g)
			}
			ev.Seen.Gallery = &g
			f, got := raisedBy(t, DuplicateFace{faces: fixedFaces(idv.FaceSame)}, ev)
			want := idv.Pass
			if len(tt.want) > 0 {
				want = idv.Inconclusive
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome != want {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
			if diff := cmp.Diff(&g, f.Seen.Gallery); diff != "" {
				t.Errorf("how it was searched (-want +got)\n%s", diff)
			}
		})
	}
}

func TestWhoDoesNotAgreeIsNotCompared(t *testing.T) {
	ev := seeing(idv.SeenSettings{}, another(0.9, nil))
	ev.Seen.Gallery = &idv.GallerySearch{}
	f, codes := raisedBy(t, DuplicateFace{faces: fixedFaces(idv.FaceSame)}, ev)
	if !f.NotApply || len(codes) > 0 || f.Seen != nil {
		t.Errorf("%+v, reasons %v", f, codes)
	}
}
