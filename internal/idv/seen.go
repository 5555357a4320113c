package idv

import (
	"math"
	"slices"
	"time"
)

// SeenChecks returns the checks that compare a session with others, with the block list, with how many there were lately, and that
// ask where it was opened. Each refers; only a block-list entry about a document that two people confirmed may decline.
func SeenChecks() []CheckKind {
	return append([]CheckKind{
		CheckDuplicateDocument, CheckDuplicatePerson, CheckDuplicatePicture, CheckDuplicateFace, CheckBlockList, CheckVelocity,
	}, NetworkChecks()...)
}

// AboutSeen reports whether the check looks beyond the session itself. Such checks are asked once everything was sent.
func (k CheckKind) AboutSeen() bool { return slices.Contains(SeenChecks(), k) }

// AboutDuplicates reports whether the check compares the session with others, one by one.
func (k CheckKind) AboutDuplicates() bool {
	return k == CheckDuplicateDocument || k == CheckDuplicatePerson || k == CheckDuplicatePicture || k == CheckDuplicateFace
}

// SeenMark is what a session is found again by: the normal form of a value, of which only a keyed digest is kept.
type SeenMark struct {
	Kind MarkKind
	Form string
}

// MarkKind is what a mark is made of.
type MarkKind string

// The kinds of marks.
const (
	MarkDocument  MarkKind = "document"  // issuer, kind and number of the document
	MarkPerson    MarkKind = "person"    // name and date of birth
	MarkReference MarkKind = "reference" // the integrator's
	MarkContact   MarkKind = "contact"   // e-mail address of the applicant
	MarkNetwork   MarkKind = "network"   // /24 or /48 of the applicant's address, under a key of the day
	MarkBlocked   MarkKind = "blocked"   // entry of the block list whose address range the applicant came from
	MarkOrigin    MarkKind = "origin"    // what the operator's files say of the address: in clear, and the address is not in it
)

// SeenSettings say how a workflow takes what was seen before. The zero value is the default.
type SeenSettings struct {
	Again    bool            `json:"again,omitempty"`  // the same document and person under the same reference is a re-verification, and does not refer
	Papers   bool            `json:"papers,omitempty"` // the same person with another kind of document is recorded, and does not refer
	Velocity VelocityLimits  `json:"velocity,omitzero"`
	Gallery  GallerySettings `json:"gallery,omitzero"`
}

// VelocityLimits are how many sessions are usual. A count above its limit refers; 0 stands for the default.
type VelocityLimits struct {
	AddressHour int `json:"address_hour,omitempty"`
	AddressDay  int `json:"address_day,omitempty"`
	Document    int `json:"document,omitempty"`  // in a day
	Person      int `json:"person,omitempty"`    // in a day
	Reference   int `json:"reference,omitempty"` // in a day
}

// DefaultVelocity returns the limits that apply where a workflow sets none. A household of five passes.
func DefaultVelocity() VelocityLimits {
	return VelocityLimits{AddressHour: 5, AddressDay: 20, Document: 3, Person: 3, Reference: 5}
}

// MaxVelocity bounds the limits of a workflow.
const MaxVelocity = 10_000

// OrDefault returns the limits with defaults where none are set.
func (l VelocityLimits) OrDefault() VelocityLimits {
	d := DefaultVelocity()
	for _, one := range []struct{ set, fallback *int }{
		{&l.AddressHour, &d.AddressHour}, {&l.AddressDay, &d.AddressDay}, {&l.Document, &d.Document}, {&l.Person, &d.Person},
		{&l.Reference, &d.Reference},
	} {
		if *one.set == 0 {
			*one.set = *one.fallback
		}
	}
	return l
}

// The windows in which sessions are counted.
const (
	VelocityHour = time.Hour
	VelocityDay  = 24 * time.Hour
)

// Seen is what is known beyond a session: gathered by the store when a check asks for it.
type Seen struct {
	Sought   []MarkKind    // what the session can be found by: without a document or a person among them, nobody can look for those
	Names    []string      // spellings of the person's name, as sources state them; personal
	Births   []string      // YYYY-MM-DD; personal
	Others   []SeenSession // the newest first, at most MostSeen
	More     int           // further ones
	Blocked  []BlockedBy
	Velocity *VelocityCounts // nil where nobody counted
	Gallery  *GallerySearch  // nil where the workflow does not search faces
	Listed   []ListedFace    // faces of others in the gallery that are on the block list; none where the applicant did not agree
	Origin   *NetworkOrigin  // nil where nobody looked the network up
}

// MostSeen bounds how many other sessions are compared with one.
const MostSeen = 20

// Seeks reports whether the session states what a mark of each kind is made of.
func (s Seen) Seeks(kinds ...MarkKind) bool {
	return !slices.ContainsFunc(kinds, func(k MarkKind) bool { return !slices.Contains(s.Sought, k) })
}

// SeenSession is another session that has something in common with the one that is judged.
type SeenSession struct {
	ID            SessionID
	Same          []SeenBy
	SameReference bool // the integrator says that it is the same customer
	Chained       bool // one began with another document after the other was declined
	State         SessionState
	Outcome       DecisionOutcome
	CreatedAt     time.Time
	Kind          DocumentKind // of the document that it is about, as of Evidence.ShownKind
	Names         []string     // as of Seen; personal
	Births        []string     // as of Seen; personal
	Faces         []Artifact   // templates that are still kept, of selfie and portrait
	Alike         float64      // cosine of the faces, where a gallery found it; else 0
	NotSame       []SeenSign   // signs that a reviewer saw and decided: not the same person
}

// Cleared reports whether a reviewer looked at these signs and said that the two sessions are not of the same person.
func (o SeenSession) Cleared(signs ...SeenSign) bool {
	return !slices.ContainsFunc(signs, func(s SeenSign) bool { return !slices.Contains(o.NotSame, s) })
}

// Settled reports whether the session came to an end, or is being decided: one that its applicant left says nothing.
func (o SeenSession) Settled() bool {
	return slices.Contains([]SessionState{Processing, InReview, Approved, Declined}, o.State)
}

// FactsOf compares name and date of birth with those of another session. Where each side has several readings, one that both share is
// enough: a misreading is no other person.
func (s Seen) FactsOf(o SeenSession) FactsCompared {
	shares := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
	}
	births := len(s.Births) > 0 && len(o.Births) > 0
	switch {
	case len(s.Names) == 0 || len(o.Names) == 0:
		return FactsUnknown
	case births && !shares(s.Births, o.Births), !shares(s.Names, o.Names):
		return FactsDiffer
	case !births:
		return FactsUnknown
	}
	return FactsSame
}

// AgreesWith reports whether something beside the face agrees with another session: the document, a date of birth or a name.
func (s Seen) AgreesWith(o SeenSession) bool {
	shares := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
	}
	return slices.Contains(o.Same, SeenByDocument) || slices.Contains(o.Same, SeenByPerson) || shares(s.Births, o.Births) || shares(s.Names, o.Names)
}

// SeenBy is what two sessions have in common.
type SeenBy string

// What sessions have in common.
const (
	SeenByDocument SeenBy = "document" // issuer, kind and number
	SeenByPerson   SeenBy = "person"   // name and date of birth
	SeenByPicture  SeenBy = "picture"  // of the document or the face
	SeenByFace     SeenBy = "face"     // found in a gallery of faces
)

// SeenSign is what a reviewer sees of two sessions when they decide whether they are of the same person.
type SeenSign string

// The signs. Each of SeenBy is one; the others speak against one person.
const (
	SignDocument            = SeenSign(SeenByDocument)
	SignPerson              = SeenSign(SeenByPerson)
	SignPicture             = SeenSign(SeenByPicture)
	SignFace                = SeenSign(SeenByFace)
	SignOtherFace  SeenSign = "other_face"
	SignOtherFacts SeenSign = "other_facts"
)

// SeenSigns returns every sign, in the order in which they are listed.
func SeenSigns() []SeenSign {
	return []SeenSign{SignDocument, SignPerson, SignPicture, SignFace, SignOtherFace, SignOtherFacts}
}

// Signs are the signs of what was found about another session, in the order of SeenSigns.
func (o SeenOther) Signs() []SeenSign {
	var out []SeenSign
	for _, s := range SeenSigns() {
		if slices.Contains(o.Same, SeenBy(s)) || s == SignOtherFace && o.Face == FaceOther || s == SignOtherFacts && o.Facts == FactsDiffer {
			out = append(out, s)
		}
	}
	return out
}

// FacesCompared is how the faces of two sessions compare.
type FacesCompared string

// The comparisons. Unclear stands between the thresholds of the workflow.
const (
	FaceSame          FacesCompared = "same"
	FaceOther         FacesCompared = "other"
	FaceUnclear       FacesCompared = "unclear"
	FaceNotComparable FacesCompared = "not_comparable" // a template is not kept any more, or never was, or is of another model
)

// FactsCompared is how names and dates of birth of two sessions compare.
type FactsCompared string

// The comparisons.
const (
	FactsSame    FactsCompared = "same"
	FactsDiffer  FactsCompared = "differ"
	FactsUnknown FactsCompared = "unknown"
)

// SeenFinding is what a check found beyond the session. It is personal: it names other sessions.
type SeenFinding struct {
	Others   []SeenOther     `json:"others,omitempty"`
	More     int             `json:"more,omitempty"`    // others that were not compared
	Entries  []BlockedBy     `json:"entries,omitempty"` // of the block list
	Velocity *VelocityCounts `json:"velocity,omitempty"`
	Gallery  *GallerySearch  `json:"gallery,omitempty"`
	Origin   *NetworkOrigin  `json:"origin,omitempty"`
}

// SeenOther is another session, and how it compares.
type SeenOther struct {
	Session       SessionID     `json:"session"`
	Same          []SeenBy      `json:"same"`
	Face          FacesCompared `json:"face,omitempty"` // empty where faces were not compared
	Facts         FactsCompared `json:"facts"`
	SameReference bool          `json:"same_reference,omitempty"`
	Refers        bool          `json:"refers,omitempty"`       // it is why a person looks
	NotSame       bool          `json:"not_the_same,omitempty"` // a reviewer had said of all this that it is not the same person
}

// BlockedBy is an entry of the block list that a session matches.
type BlockedBy struct {
	Entry    BlockEntryID `json:"entry"`
	Kind     BlockKind    `json:"kind"`
	Declines bool         `json:"declines,omitempty"` // two people confirmed it
}

// BlockKind is what an entry of the block list is about.
type BlockKind string

// The kinds of entries.
const (
	BlockDocument BlockKind = "document"
	BlockPerson   BlockKind = "person"
	BlockContact  BlockKind = "contact"
	BlockAddress  BlockKind = "address" // a range of network addresses
	BlockFace     BlockKind = "face"    // of a session, as its gallery keeps it
)

// BlockKinds returns every kind of entry.
func BlockKinds() []BlockKind {
	return []BlockKind{BlockDocument, BlockPerson, BlockContact, BlockAddress, BlockFace}
}

// ListedFace is a face that is on the block list: that of a session, which its gallery keeps.
type ListedFace struct {
	Entry   BlockEntryID
	Session SessionID
}

// VelocityCounts are how many sessions there were lately, this one included: distinct sessions that share a keyed digest.
type VelocityCounts struct {
	AddressHour int  `json:"address_hour"`
	AddressDay  int  `json:"address_day"`
	Document    int  `json:"document"`
	Person      int  `json:"person"`
	Reference   int  `json:"reference"`
	Known       bool `json:"known"`             // the address of the applicant was known
	Allowed     bool `json:"allowed,omitempty"` // it belongs to a range that is not counted
}

// velocityBands are the lower bounds of bands of counts.
var velocityBands = []int{0, 1, 3, 6, 21}

// VelocityBands returns the names of the bands, lowest first.
func VelocityBands() []string { return []string{"0", "1-2", "3-5", "6-20", "21+"} }

// VelocityBand returns the band of a count: exact counts are not kept with a decision.
func VelocityBand(n int) string {
	i, found := slices.BinarySearch(velocityBands, n)
	if !found {
		i--
	}
	return VelocityBands()[max(i, 0)]
}

// VelocityRange returns the bounds of a band; false for a name that is none. The last band has no upper bound.
func VelocityRange(band string) (least, most int, ok bool) {
	i := slices.Index(VelocityBands(), band)
	switch {
	case i < 0:
		return 0, 0, false
	case i == len(velocityBands)-1:
		return velocityBands[i], math.MaxInt, true
	}
	return velocityBands[i], velocityBands[i+1] - 1, true
}
