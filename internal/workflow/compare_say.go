package workflow

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// asked describes what a step asks for, as the beginning of a sentence.
var asked = map[idv.Step]string{
	idv.StepConsent: "Consent", idv.StepChoose: "The choice of the document", idv.StepDocumentFront: "The front of the document",
	idv.StepDocumentBack: "The back of cards", idv.StepSelfie: "A selfie",
}

// dropped describes the consequence of removing a step.
var dropped = map[idv.Step]string{
	idv.StepDocumentBack: " Nothing on it is read.",
	idv.StepSelfie:       " The person is no longer compared with the document.",
}

func (c *comparison) steps() {
	for _, s := range difference(c.b.Steps, c.a.Steps) {
		c.add("/steps", Stricter, "%s is now requested.", orSelf(asked[s], string(s)))
	}
	for _, s := range difference(c.a.Steps, c.b.Steps) {
		e, then := Looser, dropped[s]
		if s == idv.StepDocumentBack && c.b.Requires(idv.CheckMRZVerified) {
			e, then = Neither, then+" Cards with the machine-readable zone on the back can then no longer be read, and go to review once no attempts are left."
		}
		c.add("/steps", e, "%s is no longer requested.%s", orSelf(asked[s], string(s)), then)
	}
	if len(c.found) == 0 && !slices.Equal(c.a.Steps, c.b.Steps) {
		c.add("/steps", Neither, "The order of the steps changed.")
	}
}

// kinds names the kinds of document.
var kinds = map[idv.DocumentKind]string{
	idv.Passport: "passports", idv.IDCard: "identity cards", idv.Visa: "visas", idv.ResidencePermit: "residence permits", idv.DrivingLicence: "driving licences",
}

func kindName(k idv.DocumentKind) string { return orSelf(kinds[k], string(k)) }

func orSelf(word, self string) string {
	if word == "" {
		return self
	}
	return word
}

// documents compares the accepted kinds of document.
func (c *comparison) documents() {
	a, b := c.a.AcceptedKinds(), c.b.AcceptedKinds()
	if gone := difference(a, b); len(gone) > 0 {
		c.add("/documents", Stricter, "No longer accepted: %s.", listText(mapped(gone, kindName)))
	}
	if added := difference(b, a); len(added) > 0 {
		c.add("/documents", Looser, "Now accepted: %s.", listText(mapped(added, kindName)))
	}
	if len(difference(a, b))+len(difference(b, a)) == 0 && (len(c.a.Documents) == 0) != (len(c.b.Documents) == 0) {
		if len(c.b.Documents) == 0 {
			c.add("/documents", Neither, "All identity documents are accepted, including types added in later releases.")
		} else {
			c.add("/documents", Neither, "Only the listed document types are accepted; types added in later releases are not.")
		}
	}
}

func stateName(code string) string {
	if s, ok := icao.StateByCode(code); ok {
		return s.Name + " (" + s.Code + ")"
	}
	return code
}

// longList is the largest number of issuers that are listed by name; of more, only the number is given.
const longList = 12

func stateList(codes []string) string {
	if len(codes) > longList {
		rest := strconv.Itoa(len(codes)-longList) + " more"
		return listText(append(mapped(codes[:longList], stateName), rest))
	}
	return listText(mapped(codes, stateName))
}

// countries compares the accepted issuers; an empty list accepts all.
func (c *comparison) countries() {
	a, b := c.a.Countries, c.b.Countries
	switch {
	case len(a) == 0 && len(b) == 0:
	case len(a) == 0:
		c.add("/countries", Stricter, "Only documents from %s are accepted (was: all states).", stateList(b))
	case len(b) == 0:
		c.add("/countries", Looser, "Documents from all states are accepted (was: %s only).", stateList(a))
	default:
		if gone := difference(a, b); len(gone) > 0 {
			c.add("/countries", Stricter, "Documents from %s are no longer accepted.", stateList(gone))
		}
		if added := difference(b, a); len(added) > 0 {
			c.add("/countries", Looser, "Documents from %s are now accepted.", stateList(added))
		}
	}
}

func question(k idv.CheckKind) string { return "“" + orSelf(k.Question(), string(k)) + "”" }

// unasked warns of a required check that is skipped although one might expect it to run.
var unasked = map[idv.CheckKind]string{
	idv.CheckPortraitOriginal: " It is skipped, without blocking approval, if there is no portrait, or if the picture is too coarse and no second portrait " +
		"was found.",
}

func (c *comparison) required() {
	for _, k := range difference(c.b.Required, c.a.Required) {
		c.add("/required", Stricter, "%s has to pass where it applies. If it cannot run, the session goes to review.%s", question(k), unasked[k])
	}
	for _, k := range difference(c.a.Required, c.b.Required) {
		what := "It decides nothing on its own; rules can still use it."
		if k == idv.CheckLiveness {
			what = "Nothing proves that a live person sent the selfie, and every report will say so."
		}
		c.add("/required", Looser, "%s is no longer required. %s", question(k), what)
	}
	same := len(difference(c.a.Required, c.b.Required))+len(difference(c.b.Required, c.a.Required)) == 0
	if same && !slices.Equal(c.a.Required, c.b.Required) {
		c.add("/required", Neither, "The order of the checks changed.")
	}
}

// faces describes the error rates at the similarity that passes.
func (c *comparison) faces() {
	a, b := c.a.FaceFMR, c.b.FaceFMR
	if a == b {
		return
	}
	text := fmt.Sprintf("Face match: about %s strangers would pass (was %s).", oneInText(b), oneInText(a))
	if pa, pb, ok := c.points(a, b); ok {
		text = fmt.Sprintf("Face match: passes from a similarity of %.2f (was %.2f). About %s strangers would pass (was %s), and %s of genuine applicants would "+
			"not (was %s)%s.",
			pb.Threshold, pa.Threshold, oneInText(b), oneInText(a), percent(pb.FNMR), percent(pa.FNMR), c.on())
	}
	c.add("/face_fmr", effectOfRate(rateOf(a), rateOf(b)), "%s%s", text, c.idle())
}

// between describes the similarity from which a person compares the faces.
func (c *comparison) between() {
	a, b := c.a.FaceReferFMR, c.b.FaceReferFMR
	if a == b {
		return
	}
	text := fmt.Sprintf("Face match: about %s strangers would go to review (was %s).", oneInText(b), oneInText(a))
	if pa, pb, ok := c.points(a, b); ok {
		text = fmt.Sprintf("Face match: review starts at a similarity of %.2f (was %.2f), which about %s strangers would reach (was %s)%s. Anything lower does "+
			"not match.",
			pb.Threshold, pa.Threshold, oneInText(b), oneInText(a), c.on())
	}
	c.add("/face_refer_fmr", effectOfRate(rateOf(a), rateOf(b)), "%s%s", text, c.idle())
}

func (c *comparison) points(a, b string) (pa, pb FacePoint, ok bool) {
	if c.rates == nil {
		return pa, pb, false
	}
	pa, okA := c.rates.point(a)
	pb, okB := c.rates.point(b)
	return pa, pb, okA && okB
}

// on names the data that the rates were measured on, unless it was people.
func (c *comparison) on() string {
	if c.rates.OnPeople {
		return ""
	}
	return " (not measured on people)"
}

// idle notes that no faces are compared.
func (c *comparison) idle() string {
	if c.b.Requires(idv.CheckFaceMatch) {
		return ""
	}
	return " This version compares no faces, so this has no effect."
}

func rateOf(fmr string) float64 {
	v, err := strconv.ParseFloat(fmr, 64)
	if err != nil {
		return 0
	}
	return v
}

// oneInText formats a rate as "1 in n", rounded like the rates of a workflow; a text that is not a rate is returned in quotes.
func oneInText(fmr string) string {
	v := rateOf(fmr)
	if !(v >= 1e-9 && v <= 1) { // also what is no number
		return strconv.Quote(fmr)
	}
	n := math.Round(1 / v)
	if n >= 100 { // 3e-3 is 1 in 333: nobody measured the last digits
		scale := math.Pow(10, math.Floor(math.Log10(n))-1)
		n = math.Floor(n/scale+1e-9) * scale
	}
	return "1 in " + groupDigits(int(n))
}

// groupDigits formats a number with narrow spaces between groups of three digits.
func groupDigits(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

func percent(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + "\u00a0%"
}
