package checker

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// fixedFaces says of every other session how its face compares.
type fixedFaces idv.FacesCompared

func (f fixedFaces) Compare(idv.Evidence, idv.SeenSession) (idv.FacesCompared, error) {
	return idv.FacesCompared(f), nil
}

func (fixedFaces) Model() idv.ModelRef { return idv.ModelRef{} }

// earlier is a session of Anna's that was approved.
func earlier(same ...idv.SeenBy) idv.SeenSession {
	return idv.SeenSession{
		ID: "ses_other", Same: same, State: idv.Approved, Outcome: idv.DecideApprove, Names: []string{"ANNA ERIKSSON"}, Births: []string{"1974-08-12"},
	}
}

func with(change func(*idv.SeenSession), o idv.SeenSession) idv.SeenSession {
	change(&o)
	return o
}

// bothSought is a session that states its document and its person.
var bothSought = []idv.MarkKind{idv.MarkDocument, idv.MarkPerson}

// seeing is the evidence of Anna's session beside others.
func seeing(set idv.SeenSettings, others ...idv.SeenSession) idv.Evidence {
	return idv.Evidence{
		Workflow: idv.WorkflowVersion{Seen: set},
		Seen:     &idv.Seen{Sought: bothSought, Names: []string{"ANNA ERIKSSON", "ANNA MARIA ERIKSSON"}, Births: []string{"1974-08-12"}, Others: others},
	}
}

func raisedBy(t *testing.T, c idv.Checker, ev idv.Evidence) (idv.Finding, []string) {
	t.Helper()
	f, err := c.Check(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	codes := []string{}
	for _, r := range f.Reasons {
		codes = append(codes, r.Code)
		if k, ok := problem.Lookup(r.Code); !ok || k.Severity.Explained() {
			t.Errorf("%s may be explained to the applicant", r.Code)
		}
	}
	return f, codes
}

// Cases 37 to 45 of the specification, as far as they need no gallery.
func TestTheSameDocumentInAnotherSession(t *testing.T) {
	document := idv.SeenByDocument
	again := idv.SeenSettings{Again: true}
	mine := func(o *idv.SeenSession) { o.SameReference = true }
	left := func(o *idv.SeenSession) { o.State = idv.Expired }
	for name, tt := range map[string]struct {
		face  idv.FacesCompared
		set   idv.SeenSettings
		other idv.SeenSession
		want  []string
	}{
		"the same number with another face is the strongest sign": {idv.FaceOther, idv.SeenSettings{}, earlier(document), []string{"duplicate.document_other_face"}},
		"also under the same reference, where re-verification is allowed": {
			idv.FaceOther, again, with(mine, earlier(document)), []string{"duplicate.document_other_face"},
		},
		"also where the other session was left by its applicant": {
			idv.FaceOther, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.State = idv.Expired }, earlier(document)),
			[]string{"duplicate.document_other_face"},
		},
		"another date of birth on the same number": {
			idv.FaceSame, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.Births = []string{"1980-01-01"} }, earlier(document)),
			[]string{"duplicate.document_other_facts"},
		},
		"declined yesterday, the same document today": {
			idv.FaceSame, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.State = idv.Declined }, earlier(document)),
			[]string{"duplicate.document_elsewhere"},
		},
		"a face that is not kept any more is said to be not comparable": {
			idv.FaceNotComparable, idv.SeenSettings{}, earlier(document), []string{"duplicate.face_not_comparable"},
		},
		"nor does a face between the thresholds pass": {idv.FaceUnclear, idv.SeenSettings{}, earlier(document), []string{"duplicate.face_not_comparable"}},
		"a customer who verifies again under the same reference, where that is allowed": {
			idv.FaceSame, again, with(mine, earlier(document)), []string{},
		},
		"and where it is not": {idv.FaceSame, idv.SeenSettings{}, with(mine, earlier(document)), []string{"duplicate.document_elsewhere"}},
		"a session that the same person left alone": {
			idv.FaceSame, idv.SeenSettings{}, with(left, earlier(document)), []string{},
		},
		"a session that began with another document": {
			idv.FaceSame, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.Chained = true }, earlier(document)), []string{},
		},
		"another document of the same person is no question of this check": {idv.FaceOther, idv.SeenSettings{}, earlier(idv.SeenByPerson), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := raisedBy(t, DuplicateDocument{faces: fixedFaces(tt.face)}, seeing(tt.set, tt.other))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reasons (-want +got)\n%s", diff)
			}
			if f.Outcome == idv.Fail || (f.Outcome == idv.Pass) != (len(got) == 0) {
				t.Errorf("the finding is %s: it refers or passes, and never declines", f.Outcome)
			}
			if slices.Contains(tt.other.Same, document) && (len(f.Seen.Others) != 1 || f.Seen.Others[0].Refers != (len(got) > 0)) {
				t.Errorf("what is kept of the other: %+v", f.Seen.Others)
			}
		})
	}
}

func TestTheGravestOfSeveralSessionsComesFirst(t *testing.T) {
	other := earlier(idv.SeenByDocument)
	other.Births = []string{"1999-09-09"}
	_, got := raisedBy(t, DuplicateDocument{faces: fixedFaces(idv.FaceSame)}, seeing(idv.SeenSettings{}, earlier(idv.SeenByDocument), other))
	if diff := cmp.Diff([]string{"duplicate.document_other_facts", "duplicate.document_elsewhere"}, got); diff != "" {
		t.Errorf("reasons (-want +got)\n%s", diff)
	}
}

func TestTheSamePersonOrPictureInAnotherSession(t *testing.T) {
	person, picture := DuplicatePerson{}, DuplicatePicture{}
	for name, tt := range map[string]struct {
		check idv.Checker
		set   idv.SeenSettings
		other idv.SeenSession
		want  []string
	}{
		"a person with a passport, then with an identity card": {person, idv.SeenSettings{}, earlier(idv.SeenByPerson), []string{"duplicate.person_elsewhere"}},
		"with the same document it is the other check's":       {person, idv.SeenSettings{}, earlier(idv.SeenByPerson, idv.SeenByDocument), []string{}},
		"a person who verifies again": {
			person, idv.SeenSettings{Again: true}, with(func(o *idv.SeenSession) { o.SameReference = true }, earlier(idv.SeenByPerson)), []string{},
		},
		"a session that its applicant left": {
			person, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.State = idv.Cancelled }, earlier(idv.SeenByPerson)), []string{},
		},
		"one picture in two sessions": {picture, idv.SeenSettings{}, earlier(idv.SeenByPicture), []string{"duplicate.same_picture"}},
		"also if the other one was left": {
			picture, idv.SeenSettings{}, with(func(o *idv.SeenSession) { o.State = idv.Expired }, earlier(idv.SeenByPicture)),
			[]string{"duplicate.same_picture"},
		},
		"two pictures of one document": {picture, idv.SeenSettings{}, earlier(idv.SeenByDocument), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := raisedBy(t, tt.check, seeing(tt.set, tt.other))
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome == idv.Fail {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
		})
	}
}

func TestCase41APassportAndAnIdentityCardOfOnePersonAreRecorded(t *testing.T) {
	of := func(k idv.DocumentKind) idv.SeenSession {
		return with(func(o *idv.SeenSession) { o.Kind = k }, earlier(idv.SeenByPerson))
	}
	papers := idv.SeenSettings{Papers: true}
	refers := []string{"duplicate.person_elsewhere"}
	for name, tt := range map[string]struct {
		set          idv.SeenSettings
		other        idv.SeenSession
		shown, chose idv.DocumentKind
		want         []string
	}{
		"where a workflow knows that people have several kinds of document": {papers, of(idv.IDCard), idv.Passport, idv.Passport, nil},
		"where nobody was asked for a kind":                                 {papers, of(idv.IDCard), idv.Passport, "", nil},
		"where it does not":                                                 {idv.SeenSettings{}, of(idv.IDCard), idv.Passport, idv.Passport, refers},
		"two passports of one person refer":                                 {papers, of(idv.Passport), idv.Passport, idv.Passport, refers},
		"a document whose kind nobody knows refers":                         {papers, of(""), idv.Passport, idv.Passport, refers},
		"a kind that was chosen and not read refers":                        {papers, of(idv.IDCard), idv.UnknownKind, idv.Passport, refers},
		"a card that was called a permit refers":                            {papers, of(idv.IDCard), idv.IDCard, idv.ResidencePermit, refers},
	} {
		ev := seeing(tt.set, tt.other)
		ev.Chosen = tt.chose
		page, err := idv.PresentArtifact(idv.ArtifactPage, idv.Capture{ID: "cap_front"}, idv.Page{Kind: tt.shown})
		if err != nil {
			t.Fatal(err)
		}
		ev.Artifacts = append(ev.Artifacts, page)
		f, got := raisedBy(t, DuplicatePerson{}, ev)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome == idv.Fail {
			t.Errorf("%s: %s, reasons (-want +got)\n%s", name, f.Outcome, diff)
		}
		if len(f.Seen.Others) != 1 || f.Seen.Others[0].Refers != (len(tt.want) > 0) {
			t.Errorf("%s: what is recorded of the other session is %+v", name, f.Seen.Others)
		}
	}
}

func TestOnlyADocumentThatTwoPeopleListedMayDecline(t *testing.T) {
	for _, kind := range idv.BlockKinds() {
		for _, confirmed := range []bool{false, true} {
			ev := clean(t).claim(idv.DocumentNumber, "P1234567").Evidence
			ev.Seen = &idv.Seen{Sought: bothSought, Blocked: []idv.BlockedBy{{Entry: "blk_1", Kind: kind, Declines: confirmed}}}
			f, got := raisedBy(t, BlockList{}, ev)
			declines := confirmed && kind == idv.BlockDocument
			if (f.Outcome == idv.Fail) != declines || len(got) != 1 {
				t.Errorf("%s, confirmed %t: %s for %v", kind, confirmed, f.Outcome, got)
			}
			if declines != (got[0] == problem.BlocklistDeclines.Code) {
				t.Errorf("%s, confirmed %t: %v", kind, confirmed, got)
			}
		}
	}
	ev := clean(t).Evidence
	ev.Seen = &idv.Seen{Sought: bothSought}
	if f, got := raisedBy(t, BlockList{}, ev); f.Outcome != idv.Pass || len(got) > 0 {
		t.Errorf("with nothing on the list: %s for %v", f.Outcome, got)
	}
}

// Cases 49 to 52 of the specification, as far as they are about limits.
func TestVelocityRefersAboveTheLimitAndNeverDeclines(t *testing.T) {
	for name, tt := range map[string]struct {
		counts idv.VelocityCounts
		limits idv.VelocityLimits
		want   []string
	}{
		"a household of five on one phone in an hour": {idv.VelocityCounts{AddressHour: 5, AddressDay: 5, Known: true}, idv.VelocityLimits{}, []string{}},
		"thirty sessions from one network": {
			idv.VelocityCounts{AddressHour: 30, AddressDay: 30, Known: true}, idv.VelocityLimits{}, []string{"velocity.address"},
		},
		"the same document four times under four names": {
			idv.VelocityCounts{Document: 4, Person: 1, Known: true}, idv.VelocityLimits{}, []string{"velocity.document"},
		},
		"a person four times":   {idv.VelocityCounts{Person: 4, Known: true}, idv.VelocityLimits{}, []string{"velocity.person"}},
		"a reference six times": {idv.VelocityCounts{Reference: 6, Known: true}, idv.VelocityLimits{}, []string{"velocity.reference"}},
		"a limit of the workflow's own": {
			idv.VelocityCounts{AddressHour: 30, AddressDay: 30, Known: true}, idv.VelocityLimits{AddressHour: 40, AddressDay: 40}, []string{},
		},
		"an address that is not known cannot be counted":       {idv.VelocityCounts{}, idv.VelocityLimits{}, []string{"velocity.not_counted"}},
		"an address of a range that is allowed is not counted": {idv.VelocityCounts{Known: true, Allowed: true}, idv.VelocityLimits{}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := raisedBy(t, Velocity{}, idv.Evidence{
				Workflow: idv.WorkflowVersion{Seen: idv.SeenSettings{Velocity: tt.limits}}, Seen: &idv.Seen{Sought: bothSought, Velocity: &tt.counts},
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || f.Outcome == idv.Fail {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
		})
	}
}

func TestASessionWithNothingToLookForIsReferred(t *testing.T) {
	document := DuplicateDocument{faces: fixedFaces(idv.FaceSame)}
	for name, tt := range map[string]struct {
		check  idv.Checker
		sought []idv.MarkKind
		want   []string
	}{
		"no number that tells the document from others":    {document, bothSought[1:], []string{"duplicate.not_searched"}},
		"a number is all that the document's check needs":  {document, bothSought[:1], nil},
		"no name with a date of birth":                     {DuplicatePerson{}, bothSought[:1], []string{"duplicate.not_searched"}},
		"a person is all that the person's check needs":    {DuplicatePerson{}, bothSought[1:], nil},
		"a picture is there in any case":                   {DuplicatePicture{}, nil, nil},
		"the block list without a document":                {BlockList{}, bothSought[1:], []string{"blocklist.not_searched"}},
		"the block list without a person":                  {BlockList{}, bothSought[:1], []string{"blocklist.not_searched"}},
		"counts without a document":                        {Velocity{}, bothSought[1:], []string{"velocity.not_counted"}},
		"counts without a person":                          {Velocity{}, bothSought[:1], []string{"velocity.not_counted"}},
		"counts of a session whose facts were all read":    {Velocity{}, bothSought, nil},
		"a block list for a session with all of its facts": {BlockList{}, bothSought, nil},
	} {
		t.Run(name, func(t *testing.T) {
			ev := idv.Evidence{Seen: &idv.Seen{Sought: tt.sought, Velocity: &idv.VelocityCounts{Known: true}}}
			f, got := raisedBy(t, tt.check, ev)
			want := idv.Pass
			if len(tt.want) > 0 {
				want = idv.Inconclusive
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome != want {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
		})
	}
}

func TestWhatNobodyLookedForIsBrokenAndNeverPasses(t *testing.T) {
	for _, c := range OfSeen(fixedFaces(idv.FaceSame)) {
		if f, err := c.Check(t.Context(), clean(t).Evidence); err == nil {
			t.Errorf("%s answers %s without looking", c.Kind(), f.Outcome)
		}
		if !c.Kind().AboutSeen() {
			t.Errorf("%s is not among the checks that look beyond a session", c.Kind())
		}
	}
}

func TestWhatAReviewerSaidIsNotTheSamePersonComesBackOnlyWithANewSign(t *testing.T) {
	cleared := func(o idv.SeenSession, signs ...idv.SeenSign) idv.SeenSession { o.NotSame = signs; return o }
	document, person, picture, face := idv.SeenByDocument, idv.SeenByPerson, idv.SeenByPicture, idv.SeenByFace
	otherBirth := func(o *idv.SeenSession) { o.Births = []string{"1980-01-01"} }
	faced := with(func(o *idv.SeenSession) { o.Alike = 0.9 }, earlier(face))
	byFace := DuplicateFace{faces: fixedFaces("")}
	byDocument := func(f idv.FacesCompared) idv.Checker { return DuplicateDocument{faces: fixedFaces(f)} }
	for name, tt := range map[string]struct {
		check idv.Checker
		other idv.SeenSession
		want  []string
		all   bool // everything that is seen was decided
	}{
		"the document with a face that could not be compared": {
			byDocument(idv.FaceNotComparable), cleared(earlier(document), idv.SignDocument), []string{}, true,
		},
		"the document with another face, which the reviewer saw": {
			byDocument(idv.FaceOther), cleared(earlier(document), idv.SignDocument, idv.SignOtherFace), []string{}, true,
		},
		"the same face, where the reviewer saw another one": {
			byDocument(idv.FaceSame), cleared(earlier(document), idv.SignDocument, idv.SignOtherFace), []string{"duplicate.document_elsewhere"}, false,
		},
		"another face that the reviewer did not see": {
			byDocument(idv.FaceOther), cleared(earlier(document), idv.SignDocument), []string{"duplicate.document_other_face"}, false,
		},
		"another birth that the reviewer did not see": {
			byDocument(idv.FaceSame), cleared(with(otherBirth, earlier(document)), idv.SignDocument), []string{"duplicate.document_other_facts"}, false,
		},
		"the document after a decision about the person": {
			byDocument(idv.FaceSame), cleared(earlier(document, person), idv.SignPerson), []string{"duplicate.document_elsewhere"}, false,
		},
		"the person": {DuplicatePerson{}, cleared(earlier(person), idv.SignPerson), []string{}, true},
		"the person after a decision about a picture": {
			DuplicatePerson{}, cleared(earlier(person), idv.SignPicture), []string{"duplicate.person_elsewhere"}, false,
		},
		"the picture": {DuplicatePicture{}, cleared(earlier(picture), idv.SignPicture), []string{}, true},
		"the picture after a decision about the face": {
			DuplicatePicture{}, cleared(earlier(picture), idv.SignFace), []string{"duplicate.same_picture"}, false,
		},
		"the face": {byFace, cleared(faced, idv.SignFace), []string{}, true},
		"the face after a decision about the document": {
			byFace, cleared(faced, idv.SignDocument), []string{"duplicate.face_elsewhere"}, false,
		},
		"the face under another birth, which the reviewer did not see": {
			byFace, cleared(with(otherBirth, faced), idv.SignFace), []string{"duplicate.face_other_person"}, false,
		},
		"the face under another birth, which the reviewer saw": {
			byFace, cleared(with(otherBirth, faced), idv.SignFace, idv.SignOtherFacts), []string{}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			ev := seeing(idv.SeenSettings{}, tt.other)
			ev.Seen.Gallery = &idv.GallerySearch{Consented: true, Alone: 0.5}
			f, got := raisedBy(t, tt.check, ev)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reasons (-want +got)\n%s", diff)
			}
			if len(f.Seen.Others) != 1 || f.Seen.Others[0].Refers != (len(got) > 0) || f.Seen.Others[0].NotSame != tt.all {
				t.Errorf("what is kept of the other: %+v, want not the same: %v", f.Seen.Others, tt.all)
			}
		})
	}
}

func TestMoreSessionsThanAreComparedAreNoPass(t *testing.T) {
	for _, check := range []idv.Checker{DuplicateDocument{faces: fixedFaces("")}, DuplicatePerson{}, DuplicatePicture{}} {
		ev := seeing(idv.SeenSettings{}, earlier(idv.SeenByFace))
		if _, got := raisedBy(t, check, ev); len(got) > 0 {
			t.Errorf("%s of one other face: %v", check.Kind(), got)
		}
		ev.Seen.More = 3
		if _, got := raisedBy(t, check, ev); !slices.Equal(got, []string{"duplicate.not_searched"}) {
			t.Errorf("%s with three that were not compared: %v", check.Kind(), got)
		}
	}
}
