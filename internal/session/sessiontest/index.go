package sessiontest

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// The kinds of index rows.
const (
	byReference = "external_reference"
	byNumber    = "document_number"
	byName      = "full_name"
	byMetadata  = "metadata"
)

// listed reports whether a filter accepts a session.
func (t *tables) listed(f session.Filter, r session.Record) bool {
	if id, ok := idv.ParseID[idv.SessionID](f.Search); ok {
		if r.ID != id {
			return false
		}
	} else if f.Search != "" {
		f.Wanted.Reference = f.Search
	}
	return accepts(f, r) && t.wanted(f.Wanted, r.ID) && (f.Workflow == "" || t.nameOf(r.Workflow) == f.Workflow) &&
		(f.Reason == "" || slices.Contains(t.reasonsOf(r.ID), f.Reason)) && f.Bar.Matches(r, t.numberOf(r.Workflow))
}

// accepts reports whether a filter accepts what is in a session's own row.
func accepts(f session.Filter, r session.Record) bool {
	return (f.Mode == "" || r.Mode == f.Mode) && (f.Outcome == "" || r.Outcome == f.Outcome) &&
		among(f.States, r.State) && among(f.Countries, r.Country) && among(f.Kinds, r.DocumentKind) &&
		(f.From.IsZero() || !r.CreatedAt.Before(f.From)) && (f.To.IsZero() || r.CreatedAt.Before(f.To))
}

func among[T comparable](wanted []T, v T) bool { return len(wanted) == 0 || slices.Contains(wanted, v) }

func (t *tables) numberOf(id idv.WorkflowVersionID) int {
	w, _ := one(t.workflows, func(w idv.WorkflowVersion) bool { return w.ID == id })
	return w.Number
}

func (t *tables) nameOf(id idv.WorkflowVersionID) string {
	w, _ := one(t.workflows, func(w idv.WorkflowVersion) bool { return w.ID == id })
	return w.Name
}

// reasonsOf lists the codes of a session's newest decision.
func (t *tables) reasonsOf(id idv.SessionID) []string {
	rows := where(t.decisions, func(d idv.Decision) bool { return d.Session == id })
	if len(rows) == 0 {
		return nil
	}
	return session.ReasonCodes(rows[len(rows)-1].Reasons)
}

// wanted reports whether a session is found by everything that a personal search asks for.
func (t *tables) wanted(w session.Wanted, id idv.SessionID) bool {
	has := func(kind string, values []string) bool {
		return slices.ContainsFunc(t.index, func(r indexRow) bool { return r.session == id && r.kind == kind && slices.Contains(values, r.value) })
	}
	return (w.Name == "" || has(byName, nameForms(w.Name))) && (w.DocumentNumber == "" || has(byNumber, []string{numberForm(w.DocumentNumber)})) &&
		(w.Reference == "" || has(byReference, []string{plainForm(w.Reference)})) &&
		(w.MetadataKey == "" || has(byMetadata, []string{plainForm(w.MetadataKey + "=" + w.MetadataValue)}))
}

// indexSession makes a session be found by what the integrator said of it.
func (t *tables) indexSession(r session.Record) {
	t.indexStated(r)
	t.indexPerson(r.ID, idv.ClaimedFacts(r.Claimed))
}

// indexStated makes a session be found by its reference and metadata.
func (t *tables) indexStated(r session.Record) {
	if r.ExternalReference != "" {
		t.index = append(t.index, indexRow{r.ID, byReference, plainForm(r.ExternalReference)})
	}
	for k, v := range r.Metadata {
		t.index = append(t.index, indexRow{r.ID, byMetadata, plainForm(k + "=" + v)})
	}
}

// indexPerson makes a session be found by the names and numbers of claims, source by source.
func (t *tables) indexPerson(id idv.SessionID, claims []idv.Claim) {
	given, family := map[idv.ClaimSource]string{}, map[idv.ClaimSource]string{}
	for _, c := range claims {
		switch c.Name {
		case idv.GivenNames:
			given[c.Source] = c.Value
		case idv.FamilyName:
			family[c.Source] = c.Value
		case idv.DocumentNumber:
			t.index = append(t.index, indexRow{id, byNumber, numberForm(c.Value)})
		}
	}
	for source, name := range family {
		first, _, _ := strings.Cut(strings.TrimSpace(given[source]), " ")
		for _, full := range []string{given[source] + " " + name, first + " " + name} {
			for _, form := range nameForms(full) {
				t.index = append(t.index, indexRow{id, byName, form})
			}
		}
	}
}

// plainForm ignores case, spacing and the Unicode form.
func plainForm(s string) string {
	return strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(s)), " "))
}

// nameForms are the transliterations of a name, each with its words in the order of the alphabet.
func nameForms(name string) []string {
	forms := icao.Transliterations(name)
	if len(forms) == 0 {
		forms = []string{plainForm(name)}
	}
	var out []string
	for _, f := range forms {
		words := strings.FieldsFunc(f, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		slices.Sort(words)
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// numberForm is the letters and digits of a document's number.
func numberForm(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, norm.NFKC.String(s))
}
