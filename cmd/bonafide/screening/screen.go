package screening

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Screen looks for a person on the lists.
type Screen struct {
	listsFolder
	Name    string        `arg:"" help:"The name, in any script and order, or as a machine-readable zone has it."`
	Zone    string        `placeholder:"NAME" help:"The name in the machine-readable zone, where it is another: both are searched for."`
	Born    string        `placeholder:"DATE" help:"Date of birth: YYYY-MM-DD, YYYY-MM or YYYY."`
	Country []string      `placeholder:"CC" help:"Nationality, in two or three letters."`
	Sex     string        `enum:"M,F," default:"" help:"M or F."`
	Number  []string      `placeholder:"NUMBER" help:"The number of a document."`
	Limit   int           `default:"20" help:"How many hits are shown."`
	Alike   int           `placeholder:"PERCENT" help:"Also list similar spellings: names at least this similar, from 70 to 100. They are not hits."`
	MaxAge  time.Duration `default:"168h" help:"Maximum age of a list. 0 for no limit."`
	JSON    bool          `name:"json" help:"Print one JSON object."`
}

// Why a screening refers although it found nobody, or cannot be trusted.
const (
	listsMissing  = "screening.lists_missing"
	listsOld      = "screening.lists_old"
	listHeld      = "screening.list_held"
	nameUnusable  = "screening.name_unusable"
	tooMany       = "screening.too_many"
	strongMatch   = "screening.strong_match"
	possibleMatch = "screening.possible_match"
)

// screeningAnswer is what the command answers.
type screeningAnswer struct {
	nameindex.Result
	Written []nameindex.LiteralHit `json:"written_alike,omitempty"` // where they were asked for
	Total   int                    `json:"written_alike_total,omitempty"`
	Lists   []nameindex.List       `json:"lists"`
	Reasons []string               `json:"reasons"` // why it needs review; empty where nobody was found on lists that are up to date
}

// Errors of what is asked.
var (
	errName    = errors.New("the name has more than 300 characters, control characters, or no letters")
	errCountry = errors.New("--country is no country")
	errAlike   = errors.New("--alike is a number from 70 to 100")
)

// Run answers 0 nobody found, 4 it needs review: somebody may be on a list, or that could not be found out.
func (c *Screen) Run(out io.Writer) error {
	q, err := c.query(time.Now().UTC())
	if err != nil {
		return err
	}
	answer, err := c.screen(q)
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(out).Encode(answer)
	} else {
		_, err = io.WriteString(out, answer.text())
	}
	if err == nil && len(answer.Reasons) > 0 {
		return Undecided
	}
	return err
}

// query reads the arguments; the errors name none of them.
func (c *Screen) query(now time.Time) (nameindex.Query, error) {
	q := nameindex.Query{Sex: c.Sex, Limit: c.Limit, Now: now}
	if c.Alike != 0 && (c.Alike < 70 || c.Alike > 100) {
		return q, errAlike
	}
	for _, n := range []string{c.Name, c.Zone} {
		if len([]rune(n)) > names.MaxRunes || strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return q, errName
		}
		if n != "" {
			q.Names = append(q.Names, names.Parse(n))
		}
	}
	if len(q.Names) == 0 || len(q.Names[0].Tokens) == 0 {
		return q, errName
	}
	if c.Born != "" {
		birth, err := names.ParseBirth(c.Born, now)
		if err != nil {
			return q, err
		}
		q.Birth = birth
	}
	for _, country := range c.Country {
		code := watchlist.Country(country)
		if !slices.ContainsFunc(icao.States(), func(s icao.State) bool { return s.ISO == code }) {
			return q, errCountry
		}
		q.Nationalities = append(q.Nationalities, code)
	}
	for _, n := range c.Number {
		q.Numbers = append(q.Numbers, watchlist.FoldNumber(n))
	}
	return q, nil
}

// screen searches. Without an index it answers that lists are missing.
func (c *Screen) screen(q nameindex.Query) (screeningAnswer, error) {
	lists, err := watchlist.OpenFolder(c.Lists).Lists()
	if err != nil {
		return screeningAnswer{}, err
	}
	index, err := nameindex.Open(c.index())
	if errors.Is(err, os.ErrNotExist) || err == nil && len(index.Lists()) == 0 {
		return screeningAnswer{Reasons: []string{listsMissing}}, nil
	}
	if err != nil {
		return screeningAnswer{}, err
	}
	defer func() { _ = index.Close() }()
	r, err := index.Search(q)
	if err != nil {
		return screeningAnswer{}, err
	}
	answer := screeningAnswer{Result: r, Lists: index.Lists(), Reasons: reasonsOf(r)}
	if c.Alike > 0 {
		if answer.Written, answer.Total, err = index.Literal(q, float64(c.Alike)/100); err != nil {
			return screeningAnswer{}, err
		}
	}
	for _, why := range c.age(lists, q.Now) {
		if !slices.Contains(answer.Reasons, why) {
			answer.Reasons = append(answer.Reasons, why)
		}
	}
	return answer, nil
}

// age returns what speaks against the lists themselves.
func (c *Screen) age(lists []watchlist.List, now time.Time) []string {
	var out []string
	for _, l := range lists {
		v, ok := l.Active()
		if !ok || v.Stale(now, c.MaxAge) {
			out = append(out, listsOld)
		}
		if l.Versions[0].State == watchlist.Held {
			out = append(out, listHeld)
		}
	}
	return out
}

func reasonsOf(r nameindex.Result) []string {
	var out []string
	if r.Unusable {
		out = append(out, nameUnusable)
	}
	if r.TooMany {
		return append(out, tooMany)
	}
	for _, h := range r.Hits {
		why := map[names.Band]string{names.BandStrong: strongMatch, names.BandPossible: possibleMatch}[h.Band]
		if why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return out
}

// text is for people: the answer, and each hit with why it is one.
func (a screeningAnswer) text() string {
	var b strings.Builder
	if len(a.Reasons) == 0 {
		b.WriteString("nobody found\n")
	} else {
		fmt.Fprintf(&b, "needs review: %s\n", strings.Join(a.Reasons, ", "))
	}
	for _, h := range a.Hits {
		fmt.Fprintf(&b, "\n%s  %s  (%s, %s)\n  name %s · birth %s · nationality %s · sex %s · document %s\n", h.Band, h.Name.Text, h.List.Name, h.Entity.ID,
			h.Grade, h.Facts.Birth, h.Facts.Nationality, h.Facts.Sex, h.Facts.Number)
		if h.Comparison.Mixed {
			b.WriteString("  the name mixes letters of two scripts inside a word\n")
		}
		for _, p := range h.Comparison.Parts {
			fmt.Fprintf(&b, "    %-20s %-20s %s\n", p.Searched, p.Listed, strings.ReplaceAll(string(p.Means), "_", " "))
		}
	}
	if len(a.Written) > 0 {
		fmt.Fprintf(&b, "\nsimilar spellings, not hits (%d of %d)\n", len(a.Written), a.Total)
	}
	for _, h := range a.Written {
		fmt.Fprintf(&b, "  %3d %%  %s  (%s, %s)\n", int(100*h.Alike+1e-9), h.Name.Text, h.List.Name, h.Entity.ID)
	}
	if len(a.Lists) > 0 {
		b.WriteString("\nsearched")
		for _, l := range a.Lists {
			fmt.Fprintf(&b, "  %s %.12s", l.Name, l.Version)
		}
		b.WriteString("\n")
	}
	return b.String()
}
