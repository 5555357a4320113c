package checker

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idnumber"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// settle judges a document that nothing confirms as a whole: no verified zone and no barcode. It is settled where each of the settling
// facts is stated, and confirmed by something that the workflow accepts.
func settle(ev idv.Evidence, all []statement) (idv.Finding, error) {
	name, ok, err := contradicted(ev, all)
	if err != nil {
		return idv.Finding{}, err
	}
	if ok {
		f := idv.Undecided(idv.Reason{Code: problem.DocumentFactsDisagree.Code, Claim: name, Sources: []idv.ClaimSource{idv.FromPrinted}})
		f.Note = "A number on the document encodes something else."
		return f, nil
	}
	var open []idv.Reason
	var known []idv.ConfirmedFact
	for _, name := range idv.SettlingFacts() {
		by := settledBy(ev, all, name)
		if by != "" {
			known = append(known, idv.ConfirmedFact{Claim: name, By: by})
		}
		if !ev.Workflow.SettledBy.Accepts(by) {
			open = append(open, idv.Reason{Code: problem.DocumentUnconfirmed.Code, Claim: name})
		}
	}
	f := idv.Passed()
	switch {
	case len(open) == 0:
	case ev.Workflow.SettledBy == "" || ev.Workflow.SettledBy == idv.SettledByMachine:
		f = idv.Undecided(idv.Reason{Code: problem.DocumentUnconfirmed.Code})
		f.Note = "The workflow settles documents by a machine-readable zone or a barcode alone."
	default:
		f = idv.Undecided(open...)
	}
	f.Confirmed = known
	f.Measures = map[string]float64{"confirmed": float64(len(known)), "settling": float64(len(idv.SettlingFacts()))}
	return f, nil
}

// settledBy returns the strongest confirmation of any statement of a fact; empty where nothing confirms it.
func settledBy(ev idv.Evidence, all []statement, name idv.ClaimName) (best idv.Confirmation) {
	for _, s := range documentOnly(byName(all, name)) {
		by := confirmation(ev, all, s)
		if by == "" && s.Readers > 1 && !disputed(all, s) {
			by = idv.ByTwoReaders
		}
		best = stronger(best, by)
	}
	return best
}

// disputed reports whether another source or side states something else.
func disputed(all []statement, s statement) bool {
	return slices.ContainsFunc(documentOnly(byName(all, s.Name)), func(o statement) bool {
		return (o.Source != s.Source || o.Side != s.Side) && alike(all, s, o) == different
	})
}

// onOtherSide reports whether the print of the other side states the value, too, wherever it stands there: the backs of many licences
// repeat a number or a day without a label that would make a claim of it. A page that cannot be decoded states nothing.
func onOtherSide(ev idv.Evidence, s statement) bool {
	for _, a := range ev.Artifacts {
		if a.Kind != idv.ArtifactPage || !a.Present || a.Side == s.Side {
			continue
		}
		page, err := idv.ValueOf[idv.Page](a)
		if err == nil && reading.Prints(printOf(page, ev), s.Name, s.Value) {
			return true
		}
	}
	return false
}

// printOf returns a page's print as reading takes it.
func printOf(page idv.Page, ev idv.Evidence) reading.Page {
	out := reading.Page{Width: page.Width, Height: page.Height, Kind: page.Kind, Issuer: page.Issuer, Today: ev.Now}
	w, h := float64(page.Width), float64(page.Height)
	for _, l := range page.Lines {
		chars := make([]float64, len([]rune(l.Text)))
		for i := range chars {
			chars[i] = l.Confidence
		}
		out.Lines = append(out.Lines, reading.Line{Text: l.Text, Chars: chars, Strip: reading.Strip{
			X: (l.Box.X + l.Box.Width/2) * w, Y: (l.Box.Y + l.Box.Height/2) * h, Length: math.Max(1, l.Box.Width*w), Height: math.Max(1, l.Box.Height*h),
		}})
	}
	return out
}

// encoded is a number on the document that encodes facts about its holder.
type encoded struct {
	in statement
	idnumber.Number
}

// encodedIn returns what the document's numbers encode: one answer for each form that one of them fits.
func encodedIn(all []statement) []encoded {
	var out []encoded
	for _, s := range documentOnly(all) {
		if s.Name == idv.DocumentNumber || s.Name == idv.PersonalNumber {
			for _, n := range idnumber.Read(s.Value) {
				out = append(out, encoded{s, n})
			}
		}
	}
	return out
}

// fits reports whether a date of birth or a family name can be the one that the number encodes.
func (e encoded) fits(s statement) bool {
	switch s.Name {
	case idv.DateOfBirth:
		return slices.Contains(e.Births, s.Value)
	case idv.FamilyName:
		return slices.ContainsFunc(icao.Transliterations(s.Value), func(name string) bool {
			name = strings.Map(func(r rune) rune {
				if r < 'A' || r > 'Z' {
					return -1
				}
				return r
			}, name)
			return name == e.Family || !e.Whole && strings.HasPrefix(name, e.Family)
		})
	}
	return false
}

// agrees reports whether every fact that the number encodes is stated as it encodes it.
func (e encoded) agrees(all []statement) bool {
	stated := func(name idv.ClaimName) bool { return slices.ContainsFunc(documentOnly(byName(all, name)), e.fits) }
	return stated(idv.DateOfBirth) && (e.Family == "" || stated(idv.FamilyName))
}

// confirmsByNumber reports whether a number on the document confirms the statement: the date of birth and a whole family name that it
// encodes, and itself, since what it encodes is stated beside it.
func confirmsByNumber(all []statement, s statement) bool {
	return slices.ContainsFunc(encodedIn(all), func(e encoded) bool {
		if !e.agrees(all) {
			return false
		}
		return e.in == s || e.fits(s) && (s.Name == idv.DateOfBirth || e.Whole)
	})
}

// contradicted returns the fact that a number of the document's own issuer encodes differently, if there is one. An error means that a
// page cannot be decoded.
func contradicted(ev idv.Evidence, all []statement) (idv.ClaimName, bool, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return "", false, err
	}
	for _, e := range encodedIn(all) {
		ours := func(s sidePage) bool {
			return s.page != nil && slices.ContainsFunc(e.Issuers, func(code string) bool { return icao.SameState(code, s.page.Issuer) })
		}
		if !slices.ContainsFunc(sides, ours) {
			continue
		}
		for _, name := range []idv.ClaimName{idv.DateOfBirth, idv.FamilyName} {
			stated := documentOnly(byName(all, name))
			if (name == idv.DateOfBirth || e.Family != "") && len(stated) > 0 && !slices.ContainsFunc(stated, e.fits) {
				return name, true, nil
			}
		}
	}
	return "", false, nil
}
