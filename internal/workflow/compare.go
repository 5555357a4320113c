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
		c.count("/step_attempts", "Attempts per step", c.a.StepAttempts, c.b.StepAttempts)
	}},
	{"SessionAttempts", func(c *comparison) {
		c.count("/session_attempts", "Attempts per session", c.a.SessionAttempts, c.b.SessionAttempts)
	}},
	{"LinkLife", func(c *comparison) {
		c.span("/link_hours", "Links can be opened for: %s (was %s).", c.a.LinkLife, c.b.LinkLife)
	}},
	{"SessionLife", func(c *comparison) {
		c.span("/session_hours", "Time to finish after opening: %s (was %s).", c.a.SessionLife, c.b.SessionLife)
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
			"/two_persons", c.a.TwoPersons, c.b.TwoPersons, Stricter, "Manual approvals need a second person.",
			"Manual approvals no longer need a second person.",
		)
	}},
	{"NotByCreator", func(c *comparison) {
		c.flag("/not_by_creator", c.a.NotByCreator, c.b.NotByCreator, Stricter,
			"Members cannot decide sessions that they created.", "Members can decide sessions that they created.")
	}},
	{"CaseTarget", (*comparison).caseTarget},
	{"QualityShare", (*comparison).qualityShare},
	{"LiveCapture", func(c *comparison) {
		c.flag(
			"/live_capture", c.a.LiveCapture, c.b.LiveCapture, Stricter, "Document and selfie have to be photographed in the page; files are refused.",
			"Pictures from files are accepted.",
		)
	}},
	{"AnotherDocument", func(c *comparison) {
		c.flag(
			"/another_document", c.a.AnotherDocument, c.b.AnotherDocument, Looser,
			"People declined because of their document can try once more with another one.", "A decline because of the document is final.",
		)
	}},
	{"FaceOptional", func(c *comparison) {
		c.flag(
			"/face_optional", c.a.FaceOptional, c.b.FaceOptional, Neither, "People who decline biometrics continue without a selfie, and the session goes to review.",
			"Declining biometrics ends the session.",
		)
	}},
	{"Retention", func(c *comparison) {
		c.span("/retention/pictures_hours", "Retention of pictures: %s (was %s).", c.a.Retention.Pictures, c.b.Retention.Pictures)
		c.span("/retention/report_hours", "Retention of facts and reports: %s (was %s).", c.a.Retention.Report, c.b.Retention.Report)
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
		c.add(field, effectOfRate(float64(a), float64(b)), "%s: %d (was %d).", what, b, a)
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
		return "the deployment's setting"
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
		c.add("/minimum_age", Looser, "There is no longer a minimum age (was %d).", a)
	default:
		c.add("/minimum_age", opposite(effectOfRate(float64(a), float64(b))), "The minimum age is %d (was %d).", b, a)
	}
}

func (c *comparison) assurance() {
	a, b := cmp.Or(c.a.Assurance, idv.AssuranceLow), cmp.Or(c.b.Assurance, idv.AssuranceLow)
	switch {
	case a == b:
	case b.Reaches(a):
		c.add("/assurance", Stricter, "Automatic approval now needs the assurance level %s (was %s).", b, a)
	default:
		c.add("/assurance", Looser, "Automatic approval now needs only the assurance level %s (was %s).", b, a)
	}
}

func (c *comparison) screening() {
	a, b := c.a.Screening, c.b.Screening
	for _, t := range idv.ScreeningTopics() {
		switch {
		case b.Takes(t) && !a.Takes(t):
			c.add("/screening/topics", Stricter, "People are screened against watchlists: %s.", t)
		case a.Takes(t) && !b.Takes(t):
			c.add("/screening/topics", Looser, "People are no longer screened against watchlists: %s.", t)
		}
	}
	if from, to := cmp.Or(a.From, idv.BandPossible), cmp.Or(b.From, idv.BandPossible); from != to {
		effect := Stricter
		if to == idv.BandStrong {
			effect = Looser
		}
		c.add("/screening/from", effect, "Hits go to review if they are at least %s (was %s).", to, from)
	}
	c.flag(
		"/screening/monitor", a.Monitor, b.Monitor, Stricter, "Approved people are screened again as the lists change.",
		"Approved people are no longer screened again.",
	)
}

func (c *comparison) seen() {
	c.flag(
		"/seen/again", c.a.Seen.Again, c.b.Seen.Again, Looser, "The same person under the same reference no longer goes to review as a duplicate.",
		"The same person under the same reference goes to review as a duplicate.",
	)
	c.flag(
		"/seen/papers", c.a.Seen.Papers, c.b.Seen.Papers, Looser, "The same person with another kind of document no longer goes to review as a duplicate.",
		"The same person with another kind of document goes to review as a duplicate.",
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
		c.add("/seen/"+one.field, effect, "Sessions go to review if there are more than %d %s (was %d).", one.b, one.what, one.a)
	}
}

// gallery compares how faces of others are searched.
func (c *comparison) gallery() {
	a, b := c.a.Seen.Gallery.OrDefault(), c.b.Seen.Gallery.OrDefault()
	if a.Name != b.Name {
		c.add("/seen/gallery/name", Neither, "Faces are compared with the gallery %q (was %q).", b.Name, a.Name)
	}
	if a.Consent != b.Consent {
		c.add("/seen/gallery/consent", Neither, "The consent text for comparing faces changed.")
	}
	if x, y := slices.Index(idv.GalleryTargets(), a.FPIR), slices.Index(idv.GalleryTargets(), b.FPIR); x != y {
		effect := Stricter
		if y < x {
			effect = Looser
		}
		c.add("/seen/gallery/fpir", effect, "A face search may find a stranger at a rate of %s (was %s).", b.FPIR, a.FPIR)
	}
	if a.Months != b.Months {
		c.add("/seen/gallery/months", Neither, "Faces are kept for comparison for %d months (was %d).", b.Months, a.Months)
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
	c.add("/settled_by", effect, "Documents without a machine-readable zone or barcode are settled by %s (was %s).",
		orSelf(settlers[b], string(b)), orSelf(settlers[a], string(a)))
}

// settlers describe what settles a document without zone and barcode.
var settlers = map[idv.Settling]string{
	idv.SettledByMachine: "a reviewer", idv.SettledByTwoSources: "two sources that agree", idv.SettledByTwoReaders: "two readers that agree",
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
