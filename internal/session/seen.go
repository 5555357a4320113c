package session

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Linked is another session of the same mode that shares a keyed digest, or a picture, with one.
type Linked struct {
	Session   idv.SessionID
	Document  bool
	Person    bool
	Reference bool
	Picture   bool
}

// Link is what was found when one session was compared with another.
type Link struct {
	Session idv.SessionID
	Mode    idv.Mode
	Other   idv.SeenOther
	FoundAt time.Time
}

// SeenReader reads what sessions have in common.
type SeenReader interface {
	// Elsewhere lists sessions of the same mode that share the document, the person or a picture with one, the newest first, at most
	// limit, and says how many there are. Erased ones are not found, nor those of test personas.
	Elsewhere(ctx context.Context, id idv.SessionID, limit int) ([]Linked, int, error)
	// Velocity counts the sessions that share a digest with one, up to now.
	Velocity(ctx context.Context, id idv.SessionID, now time.Time) (idv.VelocityCounts, error)
	// BlockedBy lists the entries of the block list that are in force and that a session matches.
	BlockedBy(ctx context.Context, id idv.SessionID, now time.Time) ([]idv.BlockedBy, error)
	// Links lists what was found when sessions of a mode were compared, the newest first. Links to erased sessions are gone.
	Links(ctx context.Context, mode idv.Mode, limit int) ([]Link, error)
	// LinksOf lists those from or to one session, the newest first.
	LinksOf(ctx context.Context, id idv.SessionID) ([]Link, error)
	// AllowedNetworks lists the address ranges from which sessions are not counted.
	AllowedNetworks(ctx context.Context) ([]netip.Prefix, error)
	// Origin is what KeepOrigin kept of a session; false where it kept nothing.
	Origin(ctx context.Context, id idv.SessionID) (idv.NetworkOrigin, bool, error)
}

// Origins look up where a network is.
type Origins interface {
	// Look says what is known of an address. It does not fail: what cannot be answered is a gap.
	Look(a netip.Addr) idv.NetworkOrigin
}

// SeenWriter writes what sessions are found again by. Of every value only a keyed digest is kept.
type SeenWriter interface {
	// KeepMarks makes a session be found by marks of some kinds, and by no earlier ones of these kinds.
	KeepMarks(ctx context.Context, rec Record, kinds []idv.MarkKind, marks []idv.SeenMark) error
	// KeepNetwork counts a session for the network of its applicant, under the key of the day, and notes which entries of the block list
	// name that network. Nothing of the address is kept otherwise.
	KeepNetwork(ctx context.Context, rec Record, address netip.Addr) error
	// PutLinks keeps what was found when a session was compared with others, instead of what was found before.
	PutLinks(ctx context.Context, rec Record, others []idv.SeenOther) error
	SetAllowedNetworks(ctx context.Context, ranges []netip.Prefix) error
	// KeepOrigin keeps what is known of the network from which a session was opened, until the session is erased.
	KeepOrigin(ctx context.Context, rec Record, o idv.NetworkOrigin) error
	BlockWriter
}

// personMarks bounds by how many spellings a person is found.
const personMarks = 24

// leastNumber is the length from which the number of a document tells it from others.
const leastNumber = 5

// examples are the numbers of documents that stand in ICAO 9303 and on specimens everywhere: they say nothing about who shows them.
var examples = []string{
	"L898902C", "L898902C3", "L8988901C", "L8988901C4", "D23145890", "D231458907", "I12345678", "123456789", "12345678", "C01X00T47", "C01X0006H",
}

// MarksOf returns what the session of a report is found again by: its document and its person, as each source states them.
func MarksOf(r idv.Report) []idv.SeenMark {
	var out []idv.SeenMark
	stated := statedIn(r)
	for _, issuer := range stated.issuers {
		for _, number := range stated.numbers {
			if form, ok := DocumentForm(issuer, stated.kind, number); ok {
				out = append(out, idv.SeenMark{Kind: idv.MarkDocument, Form: form})
			}
		}
	}
	people := 0
	for _, birth := range stated.births {
		for _, name := range stated.names {
			if people++; people <= personMarks {
				out = append(out, idv.SeenMark{Kind: idv.MarkPerson, Form: personForm(name, birth)})
			}
		}
	}
	return out
}

// DocumentForm is the normal form of a document's issuer, kind and number; false where they tell no document from others.
func DocumentForm(issuer string, kind idv.DocumentKind, number string) (string, bool) {
	n := watchlist.FoldNumber(number)
	same := func(example string) bool { return watchlist.FoldNumber(example) == n }
	if issuer == "" || kind == "" || kind == idv.UnknownKind || len(n) < leastNumber || slices.ContainsFunc(examples, same) {
		return "", false
	}
	return icao.ClaimedState(strings.ToUpper(issuer)) + "|" + string(kind) + "|" + n, true
}

// PersonForms are the normal forms of a name with a date of birth, YYYY-MM-DD; none where either says too little.
func PersonForms(name, birth string) []string {
	if !fullDate(birth) {
		return nil
	}
	var out []string
	for _, form := range NameForms(name) {
		if strings.Contains(form, " ") {
			out = append(out, personForm(form, birth))
		}
	}
	return out
}

// ContactForm is the normal form of an e-mail address; empty for none.
func ContactForm(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func personForm(name, birth string) string { return name + "|" + birth }

func fullDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// stated is what the sources of a document state, in normal forms.
type stated struct {
	kind                            idv.DocumentKind
	issuers, numbers, names, births []string
}

func statedIn(r idv.Report) stated {
	out := stated{kind: r.Document.Kind}
	if (out.kind == "" || out.kind == idv.UnknownKind) && r.Document.Said != nil {
		out.kind = r.Document.Said.Kind
	}
	v := verified.Of(r, nil)
	out.add(&out.issuers, valueOf(v.Document.Issuer), icao.ClaimedState(r.Document.Issuer))
	out.add(&out.numbers, valueOf(v.Document.Number))
	out.addClaims(r.Claims)
	return out
}

// addClaims adds what claims state. Of the integrator's nothing counts.
func (s *stated) addClaims(claims []idv.Claim) {
	given, family := map[idv.ClaimSource]string{}, map[idv.ClaimSource]string{}
	for _, c := range claims {
		form, ok := checker.FormOf(c)
		if c.Source == idv.FromClaimed || !ok {
			continue
		}
		switch c.Name {
		case idv.Issuer:
			s.add(&s.issuers, form)
		case idv.DocumentNumber:
			s.add(&s.numbers, watchlist.FoldNumber(form))
		case idv.DateOfBirth:
			if fullDate(form) {
				s.add(&s.births, form)
			}
		case idv.GivenNames:
			given[c.Source] = form
		case idv.FamilyName:
			family[c.Source] = form
		}
	}
	for _, source := range idv.ClaimSources() {
		if family[source] == "" || given[source] == "" {
			continue
		}
		first, _, more := strings.Cut(given[source], " ")
		s.add(&s.names, NameForms(given[source]+" "+family[source])...)
		if more {
			s.add(&s.names, NameForms(first+" "+family[source])...)
		}
	}
}

func (s *stated) add(to *[]string, values ...string) {
	for _, v := range values {
		if v != "" && !slices.Contains(*to, v) {
			*to = append(*to, v)
		}
	}
}

// PersonOf returns the spellings of the name and the dates of birth that claims state.
func PersonOf(claims []idv.Claim) (names, births []string) {
	var s stated
	s.addClaims(claims)
	return s.names, s.births
}

func valueOf(f *verified.Fact) string {
	if f == nil || f.Value == nil {
		return ""
	}
	return *f.Value
}

// maxNameForms bounds in how many transliterations a name is kept and looked for; the recommended ones come first.
const maxNameForms = 6

// NameForms are the forms under which a name is kept and looked for: words of A to Z as a machine readable zone writes them
// (ICAO 9303-3 §6), in the order of the alphabet, so that it does not matter which name comes first. A name in letters that
// no table lists stands for itself.
func NameForms(name string) []string {
	forms := icao.Transliterations(name)
	if len(forms) == 0 {
		forms = []string{strings.ToUpper(norm.NFKC.String(name))}
	}
	var out []string
	for _, f := range forms[:min(len(forms), maxNameForms)] {
		words := strings.FieldsFunc(f, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		slices.Sort(words)
		if form := strings.Join(words, " "); !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	return out
}

// Network is the part of an address that stands for a network: the /24 of an IPv4, the /48 of an IPv6 address. Addresses that change
// within it, as privacy addresses do, stay in it.
func Network(a netip.Addr) (netip.Prefix, bool) {
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	return p, err == nil
}

// LooksBack reports whether a workflow compares its sessions with others, with the block list, or counts them. Of other sessions
// nothing is kept by which they are found.
func LooksBack(w idv.WorkflowVersion) bool {
	return slices.ContainsFunc(w.Required, func(k idv.CheckKind) bool { return k.AboutSeen() && !k.AboutNetwork() })
}
