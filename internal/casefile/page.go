package casefile

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

//go:embed page.html
var pageSource string

// pageTemplate is parsed once; it escapes whatever an applicant or an integrator wrote.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"when": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"code": reasonText, "words": words, "number": number, "rates": rates, "found": found, "question": question, "notice": notice, "origin": origin,
}).Parse(pageSource))

// view is what the page is made of.
type view struct {
	Content
	Facts   []fact
	Sources []idv.ClaimSource
	Newest  *Decision

	Approved bool // by the newest decision
}

// fact is a row of the table of facts: one value a source.
type fact struct {
	Name   idv.ClaimName
	Values []string
}

// page is case.html.
func page(c Content) ([]byte, error) {
	v := view{Content: c}
	if n := len(c.Decisions); n > 0 {
		v.Newest = &c.Decisions[n-1]
		v.Approved = v.Newest.Outcome == idv.DecideApprove
	}
	if c.Report != nil {
		v.Facts, v.Sources = facts(c.Report.Claims)
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("write a case file: %w", err)
	}
	return out.Bytes(), nil
}

// facts lays claims out by name and source.
func facts(claims []idv.Claim) ([]fact, []idv.ClaimSource) {
	var names []idv.ClaimName
	var sources []idv.ClaimSource
	values := map[idv.ClaimName]map[idv.ClaimSource]string{}
	for _, c := range claims {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
			values[c.Name] = map[idv.ClaimSource]string{}
		}
		if !slices.Contains(sources, c.Source) {
			sources = append(sources, c.Source)
		}
		values[c.Name][c.Source] = c.Value
	}
	slices.Sort(names)
	slices.Sort(sources)
	out := make([]fact, len(names))
	for i, name := range names {
		out[i] = fact{Name: name}
		for _, source := range sources {
			out[i].Values = append(out[i].Values, values[name][source])
		}
	}
	return out, sources
}

// reasonText is a reason as reviewers read it.
func reasonText(code string) string {
	if k, ok := problem.Lookup(code); ok && k.Reviewer != "" {
		return k.Reviewer
	} else if ok {
		return k.Title
	}
	return ""
}

// notices are what a verdict does not say, in words.
var notices = map[string]string{
	"face_not_compared":     "No face was compared with the document, so nothing proves that it belongs to the person who showed it.",
	"liveness_not_required": "No liveness challenge was required, so nothing proves that a live person sent the selfie.",
	"document_not_as_said":  "The document was read to be of another kind or issuer than the applicant said. It counts as it was read.",
	"specimens_accepted":    "Specimens were accepted as documents: this says nothing about a real one.",
}

// notice is a notice in words; the code itself where there are none.
func notice(code string) string {
	if text := notices[code]; text != "" {
		return text
	}
	return code
}

// origin says where a capture came from.
func origin(s idv.Source) string {
	switch s {
	case idv.SourceCamera:
		return "taken with the camera"
	case idv.SourceFile:
		return "chosen from a file"
	case idv.SourceUnknown:
	}
	return "from where is not known"
}

// spelt are codes whose words are not made of their letters alone.
var spelt = map[string]string{"mrz": "MRZ", "api key": "API key", "id card": "ID card"}

// words turns a code into words: family_name is "Family name".
func words(code any) string {
	text := strings.NewReplacer("_", " ", ".", ": ").Replace(fmt.Sprint(code))
	if text == "" {
		return "–"
	}
	if own := spelt[text]; own != "" {
		return own
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func number(n *float64) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g", *n)
}

// rates are the measured error rates at a threshold, in words.
func rates(r *idv.ErrorRates) string {
	if r == nil {
		return ""
	}
	var out []string
	for _, one := range []struct {
		name string
		rate *float64
	}{{"false match", r.FMR}, {"false non-match", r.FNMR}, {"attacks accepted", r.APCER}, {"genuine refused", r.BPCER}} {
		if one.rate != nil {
			out = append(out, fmt.Sprintf("%s %.3g %%", one.name, *one.rate*100))
		}
	}
	on := "on generated data"
	if r.OnPeople {
		on = "on real people"
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, ", ") + ", measured " + on + " (" + r.DataSet + ")"
}

// found says how a check ended; one that did not run is never a yes.
func found(c idv.Check) string {
	switch {
	case c.Lifecycle == idv.CheckSettled && c.Finding != nil:
		return words(c.Finding.Outcome)
	case c.Lifecycle == idv.CheckSkipped:
		return "Does not apply"
	case c.Lifecycle == idv.CheckBroken:
		return "Not run"
	default:
		return words(c.Lifecycle)
	}
}

// questions are what the checks ask.
var questions = map[idv.CheckKind]string{
	idv.CheckDocumentReadable: "One page, sharp, lit and uncut?", idv.CheckDocumentAccepted: "Kind and issuer accepted?",
	idv.CheckMRZVerified: "Machine-readable zone read beyond doubt?", idv.CheckDatesPlausible: "Dates exist and fit together?",
	idv.CheckDocumentExpiry: "Still valid?", idv.CheckDocumentSpecimen: "A real document?", idv.CheckDocumentOriginal: "The document, not a copy of it?",
	idv.CheckPortraitOriginal: "The portrait its own?", idv.CheckDocumentEdits: "Nothing on it changed?",
	idv.CheckFactsAgree: "Sources agree?", idv.CheckSidesBelong: "Front and back of one document?",
	idv.CheckClaimsMatch: "Who the integrator says?", idv.CheckAgeLimit: "Old enough?", idv.CheckSelfieQuality: "One face, fit to compare?",
	idv.CheckFaceMatch: "The person of the portrait?", idv.CheckPassiveLiveness: "Signs of a live person?",
	idv.CheckLiveness: "Did one live head do what was asked?", idv.CheckHead: "The whole face moves as one head?",
	idv.CheckLight: "The face answers the colours of the screen?", idv.CheckReplay: "Frames never sent before?",
	idv.CheckChipAuthentic: "Signed by a trusted state?", idv.CheckChipCopy: "The chip no copy?", idv.CheckChipRevocation: "The signer known not to be revoked?",
	idv.CheckChipZone:    "The chip says what the page says?",
	idv.CheckWalletValid: "The credential signed by a trusted issuer?", idv.CheckWalletHolder: "Presented by its holder?",
	idv.CheckWalletRevocation: "The credential known not to be revoked?",
}

func question(k idv.CheckKind) string {
	if q := questions[k]; q != "" {
		return q
	}
	return words(k)
}
