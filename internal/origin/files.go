package origin

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// DefaultMaxAge is how old a file may be where the operator says nothing. Providers publish weekly or monthly.
const DefaultMaxAge = 90 * 24 * time.Hour

// lookAgain is how often Watch asks whether files changed.
const lookAgain = 10 * time.Second

// Options configure Files. The zero value works.
type Options struct {
	MaxAge time.Duration    // since a file was built; defaults to DefaultMaxAge
	Now    func() time.Time // defaults to time.Now
	Log    *slog.Logger     // defaults to slog.Default
}

// Files are the operator's files. They are safe for concurrent use. Without a file every question has a gap.
type Files struct {
	o    Options
	list []*kept
}

// kept is a file by its path, as it was read last.
type kept struct {
	path string
	info os.FileInfo // of what was read last; nil where nothing was

	mu   sync.Mutex
	db   *database // nil where it could not be read
	err  error     // then why
	once answers   // what the file answered when it could be read
}

// New reads files. One that cannot be read is a gap, and is tried again as soon as it changes.
func New(paths []string, o Options) *Files {
	if o.MaxAge <= 0 {
		o.MaxAge = DefaultMaxAge
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	out := &Files{o: o}
	for _, path := range paths {
		out.list = append(out.list, &kept{path: path})
	}
	out.refresh(context.Background())
	return out
}

// Watch reads files again when they change, until the context ends: an address is looked up while a session is locked, where no file may be
// read.
func (f *Files) Watch(ctx context.Context) {
	ticks := time.NewTicker(lookAgain)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			f.refresh(ctx)
		}
	}
}

// Look says what is known of an address. Of several files that answer one question the first that has an answer counts; of the kind of
// network all are asked, so that a list of exits of Tor and one of data centres add up.
func (f *Files) Look(a netip.Addr) idv.NetworkOrigin {
	if !a.IsValid() {
		return idv.UnreadOrigin(idv.OriginNoAddress)
	}
	if a = a.Unmap().WithZone(""); !public(a) {
		return idv.UnreadOrigin(idv.OriginNoAddress)
	}
	var asked answers
	out := idv.UnreadOrigin(idv.OriginNoFile)
	for _, k := range f.list {
		db, can, err := k.current()
		var s said
		if err == nil && !f.old(db) {
			s, err = db.look(a)
		}
		switch {
		case err != nil:
			leave(&out.Gaps, can, idv.OriginBroken)
		case f.old(db):
			leave(&out.Gaps, can, idv.OriginOld)
		default:
			take(&out, s, can)
			asked = asked.and(can)
		}
	}
	return settled(out, asked)
}

// shared are the addresses of providers' translators (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// public reports whether an address is one of the internet. Another one is of a proxy or of this machine: where the applicant is, nobody
// knows.
func public(a netip.Addr) bool { return a.IsGlobalUnicast() && !a.IsPrivate() && !shared.Contains(a) }

// leave notes why the questions of a file have no answer. The gravest reason stays.
func leave(gaps *idv.OriginGaps, can answers, why idv.OriginGap) {
	for _, one := range []struct {
		asked bool
		gap   *idv.OriginGap
	}{{can.country, &gaps.Country}, {can.asn, &gaps.ASN}, {can.centre || can.hides, &gaps.Kind}} {
		if one.asked && rank[why] > rank[*one.gap] {
			*one.gap = why
		}
	}
}

// rank orders gaps by what an operator has to know first. A file that lists nothing of an address outweighs that there is none.
var rank = map[idv.OriginGap]int{idv.OriginNoFile: 0, idv.OriginUnlisted: 1, idv.OriginOld: 2, idv.OriginBroken: 3}

// take takes the answers of a file.
func take(out *idv.NetworkOrigin, s said, can answers) {
	leave(&out.Gaps, can, idv.OriginUnlisted)
	if out.Country == "" {
		out.Country = s.state
	}
	if out.ASN == 0 {
		out.ASN = s.system
	}
	out.Hosting, out.Anonymous = out.Hosting || s.hosting, out.Anonymous || s.anonymous
}

// settled closes the gaps that an answer fills. Lists of kinds that do not name an address say that it is of none of them, if there is one of
// data centres and one of what hides people, or one of both.
func settled(out idv.NetworkOrigin, asked answers) idv.NetworkOrigin {
	if out.Country != "" {
		out.Gaps.Country = ""
	}
	if out.ASN != 0 {
		out.Gaps.ASN = ""
	}
	switch {
	case out.Gaps.Kind != idv.OriginUnlisted:
	case asked.centre && asked.hides:
		out.Gaps.Kind = ""
	default:
		out.Gaps.Kind = idv.OriginNoFile
	}
	return out
}

func (f *Files) old(db *database) bool { return f.o.Now().Sub(db.built) > f.o.MaxAge }

// current returns a file as it was read last, and what it answers or may answer: one that could never be read may answer everything.
func (k *kept) current() (*database, answers, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil && k.once.none() {
		return nil, answers{true, true, true, true}, k.err
	}
	return k.db, k.once, k.err
}

// refresh reads the files that changed. It is called from one goroutine.
func (f *Files) refresh(ctx context.Context) {
	for _, k := range f.list {
		info, err := os.Stat(k.path)
		if err == nil && k.info != nil && sameFile(k.info, info) {
			continue
		}
		var db *database
		if err == nil {
			db, info, err = open(k.path)
		}
		k.info = info
		f.keep(ctx, k, db, err)
	}
}

// keep takes what was read of a file, or why it could not be read.
func (f *Files) keep(ctx context.Context, k *kept, db *database, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	before := k.err
	k.db, k.err = db, err
	switch {
	case err == nil:
		k.once = db.answers
		f.o.Log.InfoContext(ctx, "file of networks read", "file", k.path, "type", db.title, "built", db.built.UTC().Format(time.DateOnly))
		if f.old(db) {
			f.o.Log.WarnContext(ctx, "file of networks is too old: what it answers is not checked", "file", k.path)
		}
	case before == nil || before.Error() != err.Error():
		f.o.Log.ErrorContext(ctx, "file of networks cannot be read: what it answers is not checked", "file", k.path, "error", err)
	}
}

// Condition is how a file is.
type Condition struct {
	Path    string
	Title   string    // as its maker names the type; empty where it cannot be read
	Built   time.Time // as of Title
	Answers []string  // country, asn, hosting, anonymous
	Old     bool      // older than allowed
	Err     error     // why it cannot be read
}

// Examine says how the files are, in the order in which they were named.
func (f *Files) Examine() []Condition {
	out := make([]Condition, 0, len(f.list))
	for _, k := range f.list {
		db, can, err := k.current()
		c := Condition{Path: k.path, Err: err}
		if err == nil {
			c.Title, c.Built, c.Old, c.Answers = db.title, db.built, f.old(db), can.names()
		}
		out = append(out, c)
	}
	return out
}

func (a answers) names() []string {
	var out []string
	for _, one := range []struct {
		is   bool
		name string
	}{{a.country, "country"}, {a.asn, "asn"}, {a.centre, "hosting"}, {a.hides, "anonymous"}} {
		if one.is {
			out = append(out, one.name)
		}
	}
	return out
}
