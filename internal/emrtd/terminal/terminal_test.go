package terminal_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// link is a reader with a chip on it.
type link struct {
	chip  *chiptest.Chip
	trips int
	sent  int
	lose  func(trip int) bool // contact is lost before a round trip is answered
	wrong func(trip int, answers [][]byte) [][]byte
}

func (l *link) Exchange(_ context.Context, b terminal.Batch) ([][]byte, error) {
	l.trips++
	l.sent += len(b.Commands)
	if l.lose != nil && l.lose(l.trips) {
		l.chip.Reset()
		return nil, terminal.Lost()
	}
	var out [][]byte
	for _, cmd := range b.Commands {
		a := l.chip.Transmit(cmd)
		out = append(out, a)
		if sw := a[len(a)-2:]; !bytes.Equal(sw, []byte{0x90, 0}) && !bytes.Equal(sw, []byte{0x62, 0x82}) {
			break
		}
	}
	if l.wrong != nil {
		out = l.wrong(l.trips, out)
	}
	return out, nil
}

const stateKind emrtdtest.Kind = "ECDSA P-256 SHA-256"

// document is a chip of Utopia with everything, signed, with a portrait of a size in bytes.
type document struct {
	config    chiptest.Config
	authority *emrtdtest.Holder
	key       terminal.Key
}

// newDocument makes a document. infos are the entries of DG14 beside that of Active Authentication.
func newDocument(t testing.TB, portrait int, active *emrtdtest.Key, infos ...[]byte) document {
	t.Helper()
	d := document{authority: emrtdtest.NewAuthority("UT", stateKind, 1)}
	files := emrtdtest.Chip()
	picture := emrtdtest.Portrait()
	files["DG2"] = emrtdtest.DG2(append(picture, make([]byte, max(0, portrait-len(picture)))...))
	if active != nil {
		files["DG15"] = emrtdtest.DG15(active)
		infos = append(infos, emrtdtest.ActiveInfo("0.4.0.127.0.7.1.1.4.1.3"))
	}
	if len(infos) > 0 {
		files["DG14"] = emrtdtest.Security(infos...)
	}
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = d.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(stateKind, 2)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -1, 0)})
	d.config = chiptest.Config{Files: files, Number: "L898902C3", Birth: "740812", Expiry: "120415", CAN: "123456", ActiveKey: active}
	key, err := terminal.Zone("L898902C3", "740812", "120415")
	if err != nil {
		t.Fatal(err)
	}
	d.key = key
	return d
}

// verify verifies what was read.
func (d document) verify(t testing.TB, r terminal.Result) *emrtd.Report {
	t.Helper()
	store := new(trust.Store)
	if err := store.Accept(trust.Anchor{Certificate: d.authority.Cert, Purpose: trust.CSCA, Scope: "UT"}); err != nil {
		t.Fatal(err)
	}
	o := emrtd.Options{Now: emrtdtest.Now, Agreement: r.Agreement}
	if len(r.Response) > 0 {
		o.Active = &emrtd.Answer{Challenge: r.Challenge, Signature: r.Response}
	}
	return emrtd.Verify(r.Files, store, o)
}

// same reports whether all files but EF.COM were read as they are.
func (d document) same(t testing.TB, r terminal.Result) {
	t.Helper()
	want := maps.Clone(d.config.Files)
	delete(want, lds.COM)
	if got := slices.Sorted(maps.Keys(r.Files)); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("read %v, want %v", got, slices.Sorted(maps.Keys(want)))
	}
	for name := range want {
		if !bytes.Equal(r.Files[name], want[name]) {
			t.Errorf("%s was not read as it is", name)
		}
	}
}

func TestChipsOfEveryKindAreRead(t *testing.T) {
	t.Parallel()
	kinds := map[string]emrtdtest.Kind{
		"P-256": "ECDSA P-256 SHA-256", "P-384": "ECDSA P-384 SHA-384", "P-521": "ECDSA P-521 SHA-512",
		"brainpoolP256r1": "ECDSA brainpoolP256r1 SHA-256", "brainpoolP384r1": "ECDSA brainpoolP384r1 SHA-384", "brainpoolP512r1": "ECDSA brainpoolP512r1 SHA-512",
	}
	numbers := map[string]int{"P-256": 12, "P-384": 15, "P-521": 18, "brainpoolP256r1": 13, "brainpoolP384r1": 16, "brainpoolP512r1": 17}
	type way struct {
		pace  string // last arc; empty is Basic Access Control
		agree int    // suite of Chip Authentication; 0 is none
	}
	for curve, kind := range kinds {
		for _, w := range []way{{"", 0}, {"", 1}, {"", 2}, {"2.1", 1}, {"2.2", 2}, {"2.3", 3}, {"2.4", 4}, {"6.2", 0}} {
			t.Run(fmt.Sprintf("PACE %q and Chip Authentication %d on %s", w.pace, w.agree, curve), func(t *testing.T) {
				t.Parallel()
				key := emrtdtest.NewKey(kind, 40)
				var infos [][]byte
				if w.agree > 0 {
					infos = [][]byte{emrtdtest.ChipKeyInfo(key, 7), emrtdtest.ChipInfo(fmt.Sprint(w.agree), 7)}
				}
				d := newDocument(t, 20_000, nil, infos...)
				d.config.ChipSuite = w.agree
				if w.agree > 0 {
					d.config.ChipKey = key
				}
				if w.pace != "" {
					d.config.PACE, d.config.Curve, d.config.NoBasic = "0.4.0.127.0.7.2.2.4."+w.pace, numbers[curve], true
				}
				l := &link{chip: chiptest.New(d.config)}
				r := terminal.New(d.key, terminal.Options{})
				if err := r.Read(t.Context(), l); err != nil {
					t.Fatal(err)
				}
				d.same(t, r.Result())
				report := d.verify(t, r.Result())
				if !report.Authentic || (report.Copy == emrtd.CopyExcluded) != (w.agree > 0) || report.ByAgreement != (w.agree > 0) {
					t.Errorf("authentic %v, copy %v: %v %v", report.Authentic, report.Copy, report.Refusals, report.Notes)
				}
				if l.trips > 25 {
					t.Errorf("%d round trips", l.trips)
				}
			})
		}
	}
}

func TestOddChipsAreRead(t *testing.T) {
	t.Parallel()
	const pace = "0.4.0.127.0.7.2.2.4.2.2"
	curveKey, rsaKey := emrtdtest.NewKey(stateKind, 9), emrtdtest.NewKey("RSA-2048 PKCS1 SHA-256", 9)
	can, err := terminal.CAN("123456")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		active   *emrtdtest.Key
		change   func(*chiptest.Config)
		key      *terminal.Key
		portrait int
		accepts  int
		copies   emrtd.Copy
		most     int // round trips
	}{
		"with Active Authentication on a curve":    {active: curveKey, copies: emrtd.CopyExcluded},
		"with RSA, and a reader of long answers":   {active: rsaKey, copies: emrtd.CopyExcluded, accepts: 65536},
		"with RSA, and a reader of short answers":  {active: rsaKey, copies: emrtd.MayBeCopy},
		"by an access number":                      {change: func(c *chiptest.Config) { c.PACE, c.Curve = pace, 13 }, key: &can},
		"without a master file":                    {change: func(c *chiptest.Config) { c.NoMaster, c.PACE, c.Curve = true, pace, 12 }},
		"without a master file or PACE":            {change: func(c *chiptest.Config) { c.NoMaster = true }},
		"without access control":                   {change: func(c *chiptest.Config) { c.Open, c.NoBasic = true, true }},
		"that answers in long answers":             {change: func(c *chiptest.Config) { c.Longest, c.PACE, c.Curve = 2000, pace, 12 }, accepts: 65536, most: 12},
		"that says so and does not":                {change: func(c *chiptest.Config) { c.Longest, c.Most, c.PACE, c.Curve = 2000, 200, pace, 12 }, accepts: 65536},
		"that gives a few bytes at a time":         {change: func(c *chiptest.Config) { c.Most = 100 }, portrait: 2000, most: 100},
		"that refuses to read beyond the end":      {change: func(c *chiptest.Config) { c.Strict = true }},
		"with a portrait beyond the short offsets": {portrait: 70_000, most: 40},
		"with several ways of PACE": {change: func(c *chiptest.Config) {
			c.PACE, c.Curve = "0.4.0.127.0.7.2.2.4.2.4", 16
			c.Access = emrtdtest.Access(emrtdtest.PACEInfo(pace, 13), emrtdtest.PACEInfo(c.PACE, 16), emrtdtest.PACEInfo("0.4.0.127.0.7.2.2.4.4.2", 13))
		}},
		"with a long EF.CardAccess": {change: func(c *chiptest.Config) {
			c.PACE, c.Curve = pace, 13
			c.Access = emrtdtest.Access(emrtdtest.PACEInfo(pace, 13), make254())
		}},
		"with EF.CardAccess filled up by zeros": {change: func(c *chiptest.Config) {
			c.PACE, c.Curve = pace, 13
			c.Access = append(emrtdtest.Access(emrtdtest.PACEInfo(pace, 13)), make([]byte, 40)...)
		}},
		"with another way of PACE, and the old one": {change: func(c *chiptest.Config) {
			c.Access = emrtdtest.Access(emrtdtest.PACEInfo("0.4.0.127.0.7.2.2.4.1.2", 0))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.portrait == 0 {
				tt.portrait = 20_000
			}
			d := newDocument(t, tt.portrait, tt.active)
			if tt.change != nil {
				tt.change(&d.config)
			}
			if tt.key != nil {
				d.key = *tt.key
			}
			l := &link{chip: chiptest.New(d.config)}
			r := terminal.New(d.key, terminal.Options{MaxAnswer: tt.accepts})
			if err := r.Read(t.Context(), l); err != nil {
				t.Fatal(err)
			}
			d.same(t, r.Result())
			report := d.verify(t, r.Result())
			if tt.copies == "" {
				tt.copies = emrtd.MayBeCopy
			}
			if !report.Authentic || report.Copy != tt.copies {
				t.Errorf("authentic %v, copy %v: %v %v", report.Authentic, report.Copy, report.Refusals, report.Notes)
			}
			if tt.most == 0 {
				tt.most = 25
			}
			if l.trips > tt.most {
				t.Errorf("%d round trips, at most %d", l.trips, tt.most)
			}
		})
	}
}

// make254 is an entry that makes EF.CardAccess longer than one answer.
func make254() []byte {
	return emrtdtest.ChipKeyInfo(emrtdtest.NewKey("ECDSA brainpoolP512r1 SHA-512 explicit", 3), 1)
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	t.Parallel()
	const pace = "0.4.0.127.0.7.2.2.4.2.2"
	other, err := terminal.Zone("L898902C4", "740812", "120415")
	if err != nil {
		t.Fatal(err)
	}
	can, err := terminal.CAN("123457")
	if err != nil {
		t.Fatal(err)
	}
	withPACE := func(c *chiptest.Config) { c.PACE, c.Curve = pace, 13 }
	for name, tt := range map[string]struct {
		change func(*chiptest.Config)
		key    terminal.Key
		want   refusal.Code
	}{
		"another zone":                            {nil, other, terminal.AccessRefused},
		"another zone, by PACE":                   {withPACE, other, terminal.AccessRefused},
		"another access number":                   {withPACE, can, terminal.AccessRefused},
		"an access number of a chip without PACE": {nil, can, terminal.AccessRefused},
		"an access number of a chip without any":  {func(c *chiptest.Config) { withPACE(c); c.CAN = "" }, can, terminal.AccessRefused},
		"a blocked chip":                          {func(c *chiptest.Config) { c.Blocked = true }, other, terminal.AccessBlocked},
		"a blocked chip, by PACE":                 {func(c *chiptest.Config) { c.Blocked = true; withPACE(c) }, other, terminal.AccessBlocked},
		"a card of something else":                {func(c *chiptest.Config) { c.Files = nil }, other, terminal.NoDocument},
		"a way of PACE that is not supported": {func(c *chiptest.Config) {
			c.Access, c.NoBasic = emrtdtest.Access(emrtdtest.PACEInfo("0.4.0.127.0.7.2.2.4.1.2", 0)), true
		}, other, terminal.AccessUnsupported},
		"a chip that echoes the terminal's points": {func(c *chiptest.Config) { withPACE(c); c.EchoesKeys = true }, other, terminal.AnswerWrong},
		"an EF.CardAccess that is none":            {func(c *chiptest.Config) { c.Access = []byte{0x31, 3, 0x30, 9, 1} }, other, terminal.AnswerWrong},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDocument(t, 0, nil)
			if tt.change != nil {
				tt.change(&d.config)
			}
			r := terminal.New(tt.key, terminal.Options{})
			err := r.Read(t.Context(), &link{chip: chiptest.New(d.config)})
			if why := refusal.Of(err); why == nil || why.Code != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	t.Run("and the right key goes on", func(t *testing.T) {
		t.Parallel()
		d := newDocument(t, 0, nil)
		l := &link{chip: chiptest.New(d.config)}
		r := terminal.New(other, terminal.Options{})
		if err := r.Read(t.Context(), l); err == nil {
			t.Fatal("another zone opens the chip")
		}
		r.SetKey(d.key)
		if err := r.Read(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		d.same(t, r.Result())
	})
	t.Run("and a file that is listed and not there", func(t *testing.T) {
		t.Parallel()
		for name, read := range map[lds.File]bool{"DG11": true, "DG12": true, "DG2": false, "DG1": false} {
			d := newDocument(t, 0, nil)
			delete(d.config.Files, name)
			r := terminal.New(d.key, terminal.Options{})
			err := r.Read(t.Context(), &link{chip: chiptest.New(d.config)})
			if why := refusal.Of(err); read != (err == nil) || !read && (why == nil || why.Code != terminal.FileUnreadable) {
				t.Errorf("without %s: %v", name, err)
			}
			if read && !d.verify(t, r.Result()).Authentic {
				t.Errorf("without %s it is not authentic", name)
			}
		}
	})
	t.Run("and a chip of more than is read is left", func(t *testing.T) {
		t.Parallel()
		d := newDocument(t, 50_000, nil)
		err := terminal.New(d.key, terminal.Options{MaxBytes: 40_000}).Read(t.Context(), &link{chip: chiptest.New(d.config)})
		if why := refusal.Of(err); why == nil || why.Code != terminal.TooMuch {
			t.Errorf("%v", err)
		}
	})
}

// TestAnAnswerOfNoKeyIsDropped has a chip that answers a challenge with more than any key signs: it would not fit into what is kept.
func TestAnAnswerOfNoKeyIsDropped(t *testing.T) {
	t.Parallel()
	d := newDocument(t, 0, emrtdtest.NewKey(stateKind, 9))
	d.config.Open, d.config.NoBasic = true, true
	d.config.Tamper = func(_ int, command, answer []byte) []byte {
		if command[1] == 0x88 {
			return append(make([]byte, 5000), 0x90, 0)
		}
		return answer
	}
	r := terminal.New(d.key, terminal.Options{MaxAnswer: 65536})
	if err := r.Read(t.Context(), &link{chip: chiptest.New(d.config)}); err != nil {
		t.Fatal(err)
	}
	if got := r.Result(); got.Challenge != nil || got.Response != nil {
		t.Errorf("an answer of %d bytes is kept", len(got.Response))
	}
}

// TestACopyCannotAgree has a chip whose data is that of another, without that one's private key (N19 of a live chip).
func TestACopyCannotAgree(t *testing.T) {
	t.Parallel()
	key, own := emrtdtest.NewKey(stateKind, 40), emrtdtest.NewKey(stateKind, 41)
	d := newDocument(t, 0, nil, emrtdtest.ChipKeyInfo(key, -1), emrtdtest.ChipInfo("2", -1))
	d.config.ChipKey, d.config.ChipSuite = own, 2
	l := &link{chip: chiptest.New(d.config)}
	r := terminal.New(d.key, terminal.Options{})
	var err error
	for range 3 {
		if err = r.Read(t.Context(), l); err == nil {
			break
		}
		if why := refusal.Of(err); why == nil || why.Code != terminal.AnswerWrong {
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	report := d.verify(t, r.Result())
	if report.Authentic || report.Copy != emrtd.MayBeCopy || report.Refusals[0].Code != emrtd.AgreementFailed {
		t.Errorf("authentic %v, copy %v: %v", report.Authentic, report.Copy, report.Refusals)
	}
}

func TestKeysAreMadeOfWhatIsPrinted(t *testing.T) {
	t.Parallel()
	long, err := mrz.Parse([]string{"I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2", "STEVENSON<<PETER<<<<<<<<<<<<<<"})
	if err != nil {
		t.Fatal(err)
	}
	if k, err := terminal.OfZone(long); err != nil || k.IsZero() {
		t.Errorf("a number that runs into the optional field (ICAO 9303-11 appendix D.2): %v", err)
	}
	for name, f := range map[string]func() (terminal.Key, error){
		"five digits":     func() (terminal.Key, error) { return terminal.CAN("12345") },
		"letters":         func() (terminal.Key, error) { return terminal.CAN("12345A") },
		"no number":       func() (terminal.Key, error) { return terminal.Zone("<<", "740812", "120415") },
		"a day in full":   func() (terminal.Key, error) { return terminal.Zone("A1", "19740812", "120415") },
		"other letters":   func() (terminal.Key, error) { return terminal.Zone("Ä1", "740812", "120415") },
		"a line and more": func() (terminal.Key, error) { return terminal.Zone("A1\nB2", "740812", "120415") },
	} {
		if _, err := f(); err == nil {
			t.Errorf("%s make a key", name)
		}
	}
	can, _ := terminal.CAN("987654")
	if s := fmt.Sprintf("%v %+v %#v %s", can, can, can, can); bytes.Contains([]byte(s), []byte("987654")) || bytes.Contains([]byte(s), []byte("39")) {
		t.Errorf("a key writes itself: %s", s)
	}
}
