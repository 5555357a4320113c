package figures

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// sums are the numbers of some sessions: how many are alike in everything that figures tell apart.
type sums struct {
	tallies map[insight.Tally]int // keyed with no number
	waits   map[waitOf]int
	reasons map[reasonOf]int
}

type waitOf struct {
	workflow, country string
	seconds           int64
}

type reasonOf struct{ workflow, country, code string }

func newSums() *sums {
	return &sums{tallies: map[insight.Tally]int{}, waits: map[waitOf]int{}, reasons: map[reasonOf]int{}}
}

// SumsFormat numbers the form in which sums are kept. Those of another form are as good as none.
const SumsFormat = 2

var errSums = errors.New("sums of a day cannot be read")

// Pack writes sums as they are kept: the words that occur, then tallies, waits and reasons as numbers, each table in one
// order, so that equal sums are equal bytes.
func (s *sums) Pack() []byte {
	p := &packer{places: map[string]uint64{}}
	p.count(len(s.tallies))
	for _, t := range sortedKeys(s.tallies, compareTallies) {
		p.words(string(t.Workflow), t.Country, string(t.Kind), string(t.Device), t.FaceModel, string(t.Source), string(t.Due), string(t.State),
			string(t.Outcome))
		p.body = binary.AppendUvarint(p.body, flags(t.Automatic, t.Opened, t.Submitted))
		p.count(s.tallies[t])
	}
	p.count(len(s.waits))
	for _, w := range sortedKeys(s.waits, compareWaits) {
		p.words(w.workflow, w.country)
		p.body = binary.AppendVarint(p.body, w.seconds)
		p.count(s.waits[w])
	}
	p.count(len(s.reasons))
	for _, r := range sortedKeys(s.reasons, compareReasons) {
		p.words(r.workflow, r.country, r.code)
		p.count(s.reasons[r])
	}
	return p.bytes()
}

// unpack reads what pack wrote and calls f for each row of it: one of the three is not nil.
func unpack(raw []byte, tally func(insight.Tally, int), wait func(waitOf, int), reason func(reasonOf, int)) error {
	u := &unpacker{raw: raw}
	u.readWords()
	for range u.number() {
		t := insight.Tally{
			Workflow: idv.WorkflowVersionID(u.word()), Country: u.word(), Kind: idv.DocumentKind(u.word()), Device: idv.Device(u.word()),
			FaceModel: u.word(), Source: idv.Source(u.word()), Due: idv.Step(u.word()),
			Fate: insight.Fate{State: idv.SessionState(u.word()), Outcome: idv.DecisionOutcome(u.word())},
		}
		set := u.number()
		t.Automatic, t.Opened, t.Submitted = set&1 != 0, set&2 != 0, set&4 != 0
		if n := u.number(); !u.broken {
			tally(t, int(n))
		}
		if u.broken {
			break
		}
	}
	for range u.number() {
		w := waitOf{workflow: u.word(), country: u.word(), seconds: u.signed()}
		n := u.number()
		if u.broken {
			break
		}
		wait(w, int(n))
	}
	for range u.number() {
		r := reasonOf{workflow: u.word(), country: u.word(), code: u.word()}
		n := u.number()
		if u.broken {
			break
		}
		reason(r, int(n))
	}
	if u.broken || len(u.raw) > 0 {
		return errSums
	}
	return nil
}

func flags(bits ...bool) uint64 {
	var out uint64
	for i, set := range bits {
		if set {
			out |= 1 << i
		}
	}
	return out
}

func sortedKeys[K comparable](m map[K]int, by func(a, b K) int) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, by)
	return out
}

func compareTallies(a, b insight.Tally) int {
	return cmp.Or(cmp.Compare(a.Workflow, b.Workflow), strings.Compare(a.Country, b.Country), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Device, b.Device),
		strings.Compare(a.FaceModel, b.FaceModel), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Due, b.Due),
		cmp.Compare(a.State, b.State), cmp.Compare(a.Outcome, b.Outcome),
		cmp.Compare(flags(a.Automatic, a.Opened, a.Submitted), flags(b.Automatic, b.Opened, b.Submitted)))
}

func compareWaits(a, b waitOf) int {
	return cmp.Or(strings.Compare(a.workflow, b.workflow), strings.Compare(a.country, b.country), cmp.Compare(a.seconds, b.seconds))
}

func compareReasons(a, b reasonOf) int {
	return cmp.Or(strings.Compare(a.workflow, b.workflow), strings.Compare(a.country, b.country), strings.Compare(a.code, b.code))
}

// packer writes numbers, and words as their place in a list.
type packer struct {
	places map[string]uint64
	list   []string
	body   []byte
}

func (p *packer) words(all ...string) {
	for _, w := range all {
		at, ok := p.places[w]
		if !ok {
			at = uint64(len(p.list))
			p.places[w], p.list = at, append(p.list, w)
		}
		p.body = binary.AppendUvarint(p.body, at)
	}
}

func (p *packer) count(n int) { p.body = binary.AppendUvarint(p.body, uint64(n)) }

func (p *packer) bytes() []byte {
	out := binary.AppendUvarint(nil, uint64(len(p.list)))
	for _, w := range p.list {
		out = append(binary.AppendUvarint(out, uint64(len(w))), w...)
	}
	return append(out, p.body...)
}

// unpacker reads them. What cannot be read makes it broken, and everything after that zero.
type unpacker struct {
	raw    []byte
	list   []string
	broken bool
}

// number reads a number that fits the rest: none of them counts more rows than there are bytes, but for the last of each row.
func (u *unpacker) number() uint64 {
	n, size := binary.Uvarint(u.raw)
	if u.broken || size <= 0 || n > 1<<40 {
		u.broken, u.raw = true, nil
		return 0
	}
	u.raw = u.raw[size:]
	return n
}

func (u *unpacker) signed() int64 {
	n, size := binary.Varint(u.raw)
	if u.broken || size <= 0 {
		u.broken, u.raw = true, nil
		return 0
	}
	u.raw = u.raw[size:]
	return n
}

func (u *unpacker) readWords() {
	for range u.number() {
		n := u.number()
		if u.broken || n > uint64(len(u.raw)) {
			u.broken, u.raw = true, nil
			return
		}
		u.list, u.raw = append(u.list, string(u.raw[:n])), u.raw[n:]
	}
}

func (u *unpacker) word() string {
	at := u.number()
	if u.broken || at >= uint64(len(u.list)) {
		u.broken, u.raw = true, nil
		return ""
	}
	return u.list[at]
}

// gathered adds sums up for an answer.
type gathered struct {
	narrowed insight.Narrowed
	tallies  map[insight.Tally]int
	days     map[dayOf]int
	waits    map[int64]int
	reasons  map[string]int
}

type dayOf struct {
	day string
	insight.Fate
}

// Gather returns what adds up the sums of days, narrowed.
func Gather(n insight.Narrowed) *gathered {
	return &gathered{narrowed: n, tallies: map[insight.Tally]int{}, days: map[dayOf]int{}, waits: map[int64]int{}, reasons: map[string]int{}}
}

// through reports whether sessions of a workflow version and an issuing state are asked for.
func (g *gathered) through(workflow, country string) bool {
	return (g.narrowed.Countries == nil || slices.Contains(g.narrowed.Countries, country)) &&
		(g.narrowed.Versions == nil || slices.Contains(g.narrowed.Versions, idv.WorkflowVersionID(workflow)))
}

func (g *gathered) tally(day string, t insight.Tally, n int) {
	if g.through(string(t.Workflow), t.Country) {
		g.tallies[t] += n
		g.days[dayOf{day, t.Fate}] += n
	}
}

func (g *gathered) wait(w waitOf, n int) {
	if g.through(w.workflow, w.country) {
		g.waits[w.seconds] += n
	}
}

func (g *gathered) reason(r reasonOf, n int) {
	if g.through(r.workflow, r.country) {
		g.reasons[r.code] += n
	}
}

// packed adds the sums of a day as they are kept.
func (g *gathered) packed(day string, raw []byte) error {
	return unpack(raw, func(t insight.Tally, n int) { g.tally(day, t, n) }, g.wait, g.reason)
}

// Counted adds sums that were counted just now.
func (g *gathered) Counted(day string, s *sums) {
	for t, n := range s.tallies {
		g.tally(day, t, n)
	}
	for w, n := range s.waits {
		g.wait(w, n)
	}
	for r, n := range s.reasons {
		g.reason(r, n)
	}
}

func (g *gathered) Answer() (insight.Sums, error) {
	var out insight.Sums
	for t, n := range g.tallies {
		t.Sessions = n
		out.Tallies = append(out.Tallies, t)
	}
	for d, n := range g.days {
		day, err := time.Parse(time.DateOnly, d.day)
		if err != nil {
			return out, errors.Join(errSums, err)
		}
		out.Days = append(out.Days, insight.DayTally{Day: day, Fate: d.Fate, Sessions: n})
	}
	for seconds, n := range g.waits {
		out.Waits = append(out.Waits, insight.Wait{Seconds: seconds, Sessions: n})
	}
	for code, n := range g.reasons {
		out.Reasons = append(out.Reasons, insight.ReasonCount{Code: code, Sessions: n})
	}
	slices.SortFunc(out.Days, func(a, b insight.DayTally) int { return a.Day.Compare(b.Day) })
	slices.SortFunc(out.Waits, func(a, b insight.Wait) int { return cmp.Compare(a.Seconds, b.Seconds) })
	slices.SortFunc(out.Reasons, func(a, b insight.ReasonCount) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.Code, b.Code))
	})
	return out, nil
}
