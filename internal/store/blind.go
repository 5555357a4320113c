package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/uptrace/bun"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// The kinds of blind index: what can be found by its exact value without being kept in the clear.
const (
	blindReference = "external_reference"
	blindNumber    = "document_number"
	blindName      = "full_name"
	blindMetadata  = "metadata"
)

type blindRow struct {
	bun.BaseModel `bun:"table:blind_indexes"`
	Session       string `bun:"session_id"`
	Kind          string `bun:"kind"`
	Digest        string `bun:"digest"`
}

// blind computes the index of a value under the deployment's key: case, spacing and Unicode form do not matter.
func (r *reader) blind(ctx context.Context, kind, value string) (string, error) {
	k, err := r.s.deployment(ctx)
	if err != nil {
		return "", err
	}
	normal := strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(value)), " "))
	return k.Digest("blind."+kind, []byte(normal))
}

func (r *reader) blindAll(ctx context.Context, kind string, values []string) ([]string, error) {
	out := make([]string, 0, len(values))
	for _, v := range values {
		digest, err := r.blind(ctx, kind, v)
		if err != nil {
			return nil, err
		}
		out = append(out, digest)
	}
	return out, nil
}

// blindRows are the rows that make a session be found by any of some values.
func (r *reader) blindRows(ctx context.Context, id idv.SessionID, kind string, values ...string) ([]blindRow, error) {
	digests, err := r.blindAll(ctx, kind, values)
	rows := make([]blindRow, 0, len(digests))
	for _, d := range digests {
		rows = append(rows, blindRow{Session: string(id), Kind: kind, Digest: d})
	}
	return rows, err
}

// index keeps rows that are not there yet, all in one statement.
func (t *tx) index(ctx context.Context, rows []blindRow) error {
	if len(rows) == 0 {
		return nil
	}
	return t.insertOnce(ctx, &rows, "session_id, kind, digest", "index")
}

// indexPerson makes a session be found by the names and numbers of some claims.
func (t *tx) indexPerson(ctx context.Context, id idv.SessionID, claims []idv.Claim) error {
	rows, err := t.personRows(ctx, id, claims)
	if err != nil {
		return err
	}
	return t.index(ctx, rows)
}

// personRows go by the names and numbers of some claims, source by source: the family name of one and the given names of
// another are nobody's name.
func (r *reader) personRows(ctx context.Context, id idv.SessionID, claims []idv.Claim) ([]blindRow, error) {
	given, family := map[idv.ClaimSource]string{}, map[idv.ClaimSource]string{}
	var names, numbers []string
	for _, c := range claims {
		switch c.Name {
		case idv.GivenNames:
			given[c.Source] = c.Value
		case idv.FamilyName:
			family[c.Source] = c.Value
		case idv.DocumentNumber:
			numbers = append(numbers, numberForm(c.Value))
		}
	}
	for source, name := range family {
		names = append(names, nameForms(given[source]+" "+name)...)
		if first, _, more := strings.Cut(strings.TrimSpace(given[source]), " "); more {
			names = append(names, nameForms(first+" "+name)...)
		}
	}
	byName, err := r.blindRows(ctx, id, blindName, distinct(names)...)
	if err != nil {
		return nil, err
	}
	byNumber, err := r.blindRows(ctx, id, blindNumber, distinct(numbers)...)
	return append(byName, byNumber...), err
}

// maxNameForms bounds in how many transliterations a name is kept and looked for; the recommended ones come first.
const maxNameForms = 6

// nameForms are the forms under which a name is kept and looked for: words of A to Z as a machine readable zone writes them
// (ICAO 9303-3 §6), in the order of the alphabet, so that it does not matter which name comes first. A name in letters that
// no table lists stands for itself.
func nameForms(name string) []string {
	forms := icao.Transliterations(name)
	if len(forms) == 0 {
		forms = []string{strings.ToUpper(norm.NFKC.String(name))}
	}
	var out []string
	for _, f := range forms[:min(len(forms), maxNameForms)] {
		words := strings.FieldsFunc(f, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		slices.Sort(words)
		out = append(out, strings.Join(words, " "))
	}
	return distinct(out)
}

// numberForm is a document's number without what only sets it apart: spaces, hyphens, fillers.
func numberForm(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, norm.NFKC.String(number))
}

// metadataForm joins a key and a value so that no two pairs are alike.
func metadataForm(key, value string) string { return fmt.Sprintf("%d:%s=%s", len(key), key, value) }

// distinct are the values that say something, each once.
func distinct(values []string) []string {
	slices.Sort(values)
	return slices.DeleteFunc(slices.Compact(values), func(v string) bool { return v == "" })
}

// wanted are the digests that a personal search asks for, kind by kind. A value that no form is left of finds nothing.
func (r *reader) wanted(ctx context.Context, w session.Wanted) (map[string][]string, error) {
	forms := map[string][]string{}
	if w.Name != "" {
		forms[blindName] = nameForms(w.Name)
	}
	if w.DocumentNumber != "" {
		forms[blindNumber] = distinct([]string{numberForm(w.DocumentNumber)})
	}
	if w.Reference != "" {
		forms[blindReference] = []string{w.Reference}
	}
	if w.MetadataKey != "" {
		forms[blindMetadata] = []string{metadataForm(w.MetadataKey, w.MetadataValue)}
	}
	out := map[string][]string{}
	for kind, values := range forms {
		digests, err := r.blindAll(ctx, kind, values)
		if err != nil {
			return nil, err
		}
		out[kind] = digests
	}
	return out, nil
}
