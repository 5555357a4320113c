package workflow

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Effect says whether a difference lets fewer or more people pass.
type Effect string

// The effects. Neither covers differences whose effect is unknown, such as those of a rule.
const (
	Stricter Effect = "stricter"
	Looser   Effect = "looser"
	Neither  Effect = "neither"
)

// Difference describes one difference between two versions in words.
type Difference struct {
	Field  string // JSON pointer into the specification, as an Issue has it
	Text   string // one to three sentences
	Effect Effect
}

// Comparison lists how a version differs from the one before it.
type Comparison struct {
	Before *Version // nil where there is none to compare with
	After  Version
	Items  []Difference // in the order of the fields; empty where both say the same
}

// Compared describes how version id differs from version with. If with is empty, it compares with the version that id replaces or
// replaced. Problems: not_found.
func (s *Service) Compared(ctx context.Context, id idv.WorkflowID, version, with idv.WorkflowVersionID) (Comparison, error) {
	w, err := s.store.WorkflowOf(ctx, id)
	if err != nil {
		return Comparison{}, err
	}
	after, err := w.Version(version)
	if err != nil {
		return Comparison{}, err
	}
	out := Comparison{After: after, Items: []Difference{}}
	before, ok := w.before(after)
	if with != "" {
		if before, err = w.Version(with); err != nil {
			return Comparison{}, err
		}
		ok = true
	}
	if ok {
		out.Before, out.Items = &before, Compare(before.WorkflowVersion, after.WorkflowVersion, s.FaceRates())
	}
	return out, nil
}

// CompareSpecs describes how a specification of a mode differs from another, each in the form in which it would be kept.
func (s *Service) CompareSpecs(mode idv.Mode, before, after idv.WorkflowVersion) []Difference {
	before.Mode, after.Mode = mode, mode
	return Compare(normalized(before), normalized(after), s.FaceRates())
}

// before returns the version that v replaces or replaced: the published one for a draft, otherwise the newest older one.
func (w Workflow) before(v Version) (Version, bool) {
	if p, ok := w.In(idv.Published); ok && v.State == idv.Draft {
		return p, true
	}
	for _, o := range w.Versions { // newest first
		if o.Number < v.Number {
			return o, true
		}
	}
	return Version{}, false
}

// identity names the fields that identify a version and are not compared.
var identity = []string{"ID", "Workflow", "Mode", "Name", "Number", "State"}

// spoken describes the differences of each field; a test checks that no field of a version is missing.
var spoken = []struct {
	field string // of idv.WorkflowVersion
	say   func(*comparison)
}{
	{"Steps", (*comparison).steps},
	{"Documents", (*comparison).documents},
	{"Countries", (*comparison).countries},
	{"AcceptSpecimens", func(c *comparison) {
		c.flag("/accept_specimens", c.a.AcceptSpecimens, c.b.AcceptSpecimens, Looser, "Specimens are accepted.", "Specimens are no longer accepted.")
	}},
	{"MinimumAge", (*comparison).age},
	{"Required", (*comparison).required},
	{"FaceFMR", (*comparison).faces},
	{"FaceReferFMR", (*comparison).between},
	{"StepAttempts", func(c *comparison) {
		c.count("/step_attempts", "Tries at a step", c.a.StepAttempts, c.b.StepAttempts)
	}},
	{"SessionAttempts", func(c *comparison) {
		c.count("/session_attempts", "Tries of a session", c.a.SessionAttempts, c.b.SessionAttempts)
	}},
	{"LinkLife", func(c *comparison) {
		c.span("/link_hours", "A link can be opened for %s instead of %s.", c.a.LinkLife, c.b.LinkLife)
	}},
	{"SessionLife", func(c *comparison) {
		c.span("/session_hours", "After opening the link a person has %s instead of %s.", c.a.SessionLife, c.b.SessionLife)
	}},
	{"EmbedOrigins", (*comparison).origins},
	{"Chip", (*comparison).chip},
	{"Wallet", (*comparison).wallet}, {"WalletAsks", (*comparison).walletAsks}, {"WalletInstead", (*comparison).walletInstead},
	{"WalletOthers", (*comparison).walletOthers},
	{"Screening", (*comparison).screening},
	{"Seen", func(c *comparison) { c.seen(); c.gallery() }},
	{"Assurance", (*comparison).assurance},
	{"SettledBy", (*comparison).settling},
	{"TwoPersons", func(c *comparison) {
		c.flag(
			"/two_persons", c.a.TwoPersons, c.b.TwoPersons, Stricter, "A person's approval needs a second person's.",
			"A person's approval no longer needs a second person's.",
		)
	}},
	{"NotByCreator", func(c *comparison) {
		c.flag("/not_by_creator", c.a.NotByCreator, c.b.NotByCreator, Stricter,
			"Nobody decides a session that they created.", "Members may decide sessions that they created.")
	}},
	{"CaseTarget", (*comparison).caseTarget},
	{"QualityShare", (*comparison).qualityShare},
	{"LiveCapture", func(c *comparison) {
		c.flag(
			"/live_capture", c.a.LiveCapture, c.b.LiveCapture, Stricter, "Document and selfie are photographed in the page; pictures from files are refused.",
			"Pictures from files are accepted.",
		)
	}},
	{"AnotherDocument", func(c *comparison) {
		c.flag(
			"/another_document", c.a.AnotherDocument, c.b.AnotherDocument, Looser,
			"People who are declined for their document may begin once more with another one.", "A decline for the document ends it.",
		)
	}},
	{"FaceOptional", func(c *comparison) {
		c.flag(
			"/face_optional", c.a.FaceOptional, c.b.FaceOptional, Neither, "People who decline biometrics continue without a selfie, and a person decides.",
			"A session ends where biometrics are declined.",
		)
	}},
	{"Retention", func(c *comparison) {
		c.span("/retention/pictures_hours", "Pictures are kept for %s instead of %s.", c.a.Retention.Pictures, c.b.Retention.Pictures)
		c.span("/retention/report_hours", "Facts and reports are kept for %s instead of %s.", c.a.Retention.Report, c.b.Retention.Report)
	}},
	{"Rules", (*comparison).rules},
	{"Brand", (*comparison).brand},
}

// Compare describes how version b differs from version a, with the error rates that face thresholds imply if rates has them.
// It is pure.
func Compare(a, b idv.WorkflowVersion, rates *FaceRates) []Difference {
	c := comparison{a: a, b: b, rates: rates, found: []Difference{}}
	for _, s := range spoken {
		s.say(&c)
	}
	return c.found
}

type comparison struct {
	a, b  idv.WorkflowVersion
	rates *FaceRates
	found []Difference
}

func (c *comparison) add(field string, e Effect, format string, args ...any) {
	c.found = append(c.found, Difference{Field: field, Effect: e, Text: fmt.Sprintf(format, args...)})
}

// flag describes a switch that was turned on or off; on is the effect of turning it on.
func (c *comparison) flag(field string, a, b bool, on Effect, yes, no string) {
	switch {
	case b && !a:
		c.add(field, on, "%s", yes)
	case a && !b:
		c.add(field, opposite(on), "%s", no)
	}
}

func opposite(e Effect) Effect {
	switch e {
	case Stricter:
		return Looser
	case Looser:
		return Stricter
	}
	return Neither
}

// effectOfRate returns the effect of a change to a number that lets more people pass the larger it is.
func effectOfRate(a, b float64) Effect {
	switch {
	case b > a:
		return Looser
	case b < a:
		return Stricter
	}
	return Neither
}

func (c *comparison) count(field, what string, a, b int) {
	if a != b {
		c.add(field, effectOfRate(float64(a), float64(b)), "%s: %d instead of %d.", what, b, a)
	}
}

func (c *comparison) span(field, format string, a, b time.Duration) {
	if a != b {
		c.add(field, Neither, format, durationText(b), durationText(a))
	}
}

// durationText formats a duration in the largest unit that fits; 0 means that the deployment's setting applies.
func durationText(d time.Duration) string {
	switch {
	case d == 0:
		return "as long as the deployment says"
	case d%(24*time.Hour) == 0 && d > 48*time.Hour:
		return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
	case d == time.Hour:
		return "1 hour"
	case d%time.Hour == 0:
		return fmt.Sprintf("%d hours", int(d/time.Hour))
	}
	return d.String()
}

func (c *comparison) age() {
	switch a, b := c.a.MinimumAge, c.b.MinimumAge; {
	case a == b:
	case a == 0:
		c.add("/minimum_age", Stricter, "The minimum age is %d; there was none.", b)
	case b == 0:
		c.add("/minimum_age", Looser, "There is no minimum age; it was %d.", a)
	default:
		c.add("/minimum_age", opposite(effectOfRate(float64(a), float64(b))), "The minimum age is %d instead of %d.", b, a)
	}
}

func (c *comparison) assurance() {
	a, b := cmp.Or(c.a.Assurance, idv.AssuranceLow), cmp.Or(c.b.Assurance, idv.AssuranceLow)
	switch {
	case a == b:
	case b.Reaches(a):
		c.add("/assurance", Stricter, "An approval by the policy needs the assurance level %s; %s was enough.", b, a)
	default:
		c.add("/assurance", Looser, "The assurance level %s is enough for an approval by the policy; it needed %s.", b, a)
	}
}

func (c *comparison) screening() {
	a, b := c.a.Screening, c.b.Screening
	for _, t := range idv.ScreeningTopics() {
		switch {
		case b.Takes(t) && !a.Takes(t):
			c.add("/screening/topics", Stricter, "People are looked for on watchlists: %s.", t)
		case a.Takes(t) && !b.Takes(t):
			c.add("/screening/topics", Looser, "People are no longer looked for on watchlists: %s.", t)
		}
	}
	if from, to := cmp.Or(a.From, idv.BandPossible), cmp.Or(b.From, idv.BandPossible); from != to {
		effect := Stricter
		if to == idv.BandStrong {
			effect = Looser
		}
		c.add("/screening/from", effect, "A person looks at hits that are at least %s instead of %s.", to, from)
	}
	c.flag(
		"/screening/monitor", a.Monitor, b.Monitor, Stricter, "Approved people are screened again as the lists change.",
		"Approved people are no longer screened again.",
	)
}

func (c *comparison) seen() {
	c.flag(
		"/seen/again", c.a.Seen.Again, c.b.Seen.Again, Looser, "The same person under the same reference does not refer as a duplicate.",
		"The same person under the same reference refers as a duplicate.",
	)
	c.flag(
		"/seen/papers", c.a.Seen.Papers, c.b.Seen.Papers, Looser, "The same person with another kind of document does not refer as a duplicate.",
		"The same person with another kind of document refers as a duplicate.",
	)
	a, b := c.a.Seen.Velocity.OrDefault(), c.b.Seen.Velocity.OrDefault()
	for _, one := range []struct {
		field, what string
		a, b        int
	}{
		{"address_hour", "from one network in an hour", a.AddressHour, b.AddressHour}, {"address_day", "from one network in a day", a.AddressDay, b.AddressDay},
		{"document", "with one document in a day", a.Document, b.Document}, {"person", "about one person in a day", a.Person, b.Person},
		{"reference", "under one reference in a day", a.Reference, b.Reference},
	} {
		if one.a == one.b {
			continue
		}
		effect := Stricter
		if one.b > one.a {
			effect = Looser
		}
		c.add("/seen/"+one.field, effect, "More than %d sessions %s refer, instead of %d.", one.b, one.what, one.a)
	}
}

// gallery compares how faces of others are searched.
func (c *comparison) gallery() {
	a, b := c.a.Seen.Gallery.OrDefault(), c.b.Seen.Gallery.OrDefault()
	if a.Name != b.Name {
		c.add("/seen/gallery/name", Neither, "Faces are compared with those of the gallery %q instead of %q.", b.Name, a.Name)
	}
	if a.Consent != b.Consent {
		c.add("/seen/gallery/consent", Neither, "The text that asks applicants to agree to the comparison of their face changed.")
	}
	if x, y := slices.Index(idv.GalleryTargets(), a.FPIR), slices.Index(idv.GalleryTargets(), b.FPIR); x != y {
		effect := Stricter
		if y < x {
			effect = Looser
		}
		c.add("/seen/gallery/fpir", effect, "A search of faces may find a stranger at a rate of %s instead of %s.", b.FPIR, a.FPIR)
	}
	if a.Months != b.Months {
		c.add("/seen/gallery/months", Neither, "Faces are kept to compare for %d months instead of %d.", b.Months, a.Months)
	}
}

func (c *comparison) settling() {
	a, b := cmp.Or(c.a.SettledBy, idv.SettledByMachine), cmp.Or(c.b.SettledBy, idv.SettledByMachine)
	if a == b {
		return
	}
	effect := Stricter
	if slices.Index(idv.Settlings(), b) > slices.Index(idv.Settlings(), a) {
		effect = Looser
	}
	c.add("/settled_by", effect, "A document without zone and barcode is settled by %s instead of %s.",
		orSelf(settlers[b], string(b)), orSelf(settlers[a], string(a)))
}

// settlers describe what settles a document without zone and barcode.
var settlers = map[idv.Settling]string{
	idv.SettledByMachine: "a person", idv.SettledByTwoSources: "two sources that agree", idv.SettledByTwoReaders: "two readers that agree",
}

// difference returns the elements of all that are not in some.
func difference[T comparable](all, some []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return slices.Contains(some, x) })
}

// listText joins words with commas and "and".
func listText(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// mapped returns the words for each element of a list.
func mapped[T any](in []T, word func(T) string) []string {
	out := make([]string, 0, len(in))
	for _, x := range in {
		out = append(out, word(x))
	}
	return out
}
