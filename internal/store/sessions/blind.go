package sessions

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/uptrace/bun"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// The kinds of blind index: what can be found by its exact value without being kept in the clear.
const (
	BlindReference = "external_reference"
	BlindNumber    = "document_number"
	BlindName      = "full_name"
	blindMetadata  = "metadata"
)

// blindRow makes a session be found by one value.
type blindRow struct {
	bun.BaseModel `bun:"table:blind_indexes"`
	Session       string `bun:"session_id"`
	Kind          string `bun:"kind"`
	Digest        string `bun:"digest"`
}

// blindIndex finds sessions by keyed digests of what they must not be found by in the clear, and writes those digests.
type blindIndex struct {
	r *database.Reader
	t *database.Tx // nil where it only looks
}

func (b *blindIndex) blindAll(ctx context.Context, kind string, values []string) ([]string, error) {
	out := make([]string, 0, len(values))
	for _, v := range values {
		digest, err := b.r.Blind(ctx, kind, v)
		if err != nil {
			return nil, err
		}
		out = append(out, digest)
	}
	return out, nil
}

// blindRows are the rows that make a session be found by any of some values.
func (b *blindIndex) blindRows(ctx context.Context, id idv.SessionID, kind string, values ...string) ([]blindRow, error) {
	digests, err := b.blindAll(ctx, kind, values)
	rows := make([]blindRow, 0, len(digests))
	for _, d := range digests {
		rows = append(rows, blindRow{Session: string(id), Kind: kind, Digest: d})
	}
	return rows, err
}

// index keeps rows that are not there yet, all in one statement.
func (b *blindIndex) index(ctx context.Context, rows []blindRow) error {
	if len(rows) == 0 {
		return nil
	}
	return b.t.InsertOnce(ctx, &rows, "session_id, kind, digest", "index")
}

// indexPerson makes a session be found by the names and numbers of some claims.
func (b *blindIndex) indexPerson(ctx context.Context, id idv.SessionID, claims []idv.Claim) error {
	rows, err := b.personRows(ctx, id, claims)
	if err != nil {
		return err
	}
	return b.index(ctx, rows)
}

// personRows go by the names and numbers of some claims, source by source: the family name of one and the given names of
// another are nobody's name.
func (b *blindIndex) personRows(ctx context.Context, id idv.SessionID, claims []idv.Claim) ([]blindRow, error) {
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
		names = append(names, session.NameForms(given[source]+" "+name)...)
		if first, _, more := strings.Cut(strings.TrimSpace(given[source]), " "); more {
			names = append(names, session.NameForms(first+" "+name)...)
		}
	}
	byName, err := b.blindRows(ctx, id, BlindName, database.Distinct(names)...)
	if err != nil {
		return nil, err
	}
	byNumber, err := b.blindRows(ctx, id, BlindNumber, database.Distinct(numbers)...)
	return append(byName, byNumber...), err
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

// digests returns the digests that a personal search asks for, by kind. A value whose normal form is empty finds nothing.
func (b *blindIndex) digests(ctx context.Context, w session.Wanted) (map[string][]string, error) {
	forms := map[string][]string{}
	if w.Name != "" {
		forms[BlindName] = session.NameForms(w.Name)
	}
	if w.DocumentNumber != "" {
		forms[BlindNumber] = database.Distinct([]string{numberForm(w.DocumentNumber)})
	}
	if w.Reference != "" {
		forms[BlindReference] = []string{w.Reference}
	}
	if w.MetadataKey != "" {
		forms[blindMetadata] = []string{metadataForm(w.MetadataKey, w.MetadataValue)}
	}
	out := map[string][]string{}
	for kind, values := range forms {
		digests, err := b.blindAll(ctx, kind, values)
		if err != nil {
			return nil, err
		}
		out[kind] = digests
	}
	return out, nil
}
