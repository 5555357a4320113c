package credentials

import (
	"context"
	"encoding/pem"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// sound is the kind of key where it does not matter.
const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

// signed is when documents and lists were signed.
func signed() time.Time { return emrtdtest.Now.AddDate(0, -1, 0) }

// masterList makes a list of Authorities, of 150 states with four generations each, with keys of every algorithm and encoding that is
// found in published lists; and the anchor of its signer.
func masterList() (raw []byte, anchor *emrtdtest.Holder) {
	anchor = emrtdtest.NewAuthority("ZZ", sound, 1)
	all := []*emrtdtest.Holder{anchor}
	for i := 1; i < Authorities; i++ {
		state := i / 4
		country := string([]byte{byte('A' + state/26), byte('A' + state%26)})
		kind := emrtdtest.Kinds[i%len(emrtdtest.Kinds)]
		all = append(all, emrtdtest.NewRoot(emrtdtest.Template{Serial: int64(1000 + i), Country: country, CA: true}, emrtdtest.NewKey(kind, 1)))
	}
	signer := anchor.Issue(emrtdtest.Template{Name: "Master List Signer", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(sound, 2))
	return signer.MasterList(signed(), all...), anchor
}

// load reads a list, verifies it and accepts its authorities.
func load(raw []byte, anchor *emrtdtest.Holder) (*trust.Store, error) {
	list, err := trust.ParseMasterList(raw)
	if err != nil {
		return nil, err
	}
	verified, err := list.Verify([]*pki.Certificate{anchor.Cert})
	if err != nil {
		return nil, err
	}
	store := new(trust.Store)
	if left := store.AcceptList(verified, "bench", "", signed()); len(left) > 0 || len(list.Unreadable) > 0 {
		return nil, fmt.Errorf("bench: %d authorities were not accepted, %d not read", len(left), len(list.Unreadable))
	}
	if got := len(store.Anchors(trust.CSCA, "")); got != Authorities {
		return nil, fmt.Errorf("bench: %d authorities, want %d", got, Authorities)
	}
	return store, nil
}

func loadLists(ctx context.Context, o Options, raw []byte, anchor *emrtdtest.Holder) ([]Timing, error) {
	t, err := timed(ctx, "read, verify and accept", max(o.Rounds/10, 1), func() error {
		_, err := load(raw, anchor)
		return err
	})
	return []Timing{t}, err
}

// passport returns the files of a chip whose portrait is Portrait bytes long, without EF.SOD.
func passport() map[lds.File][]byte {
	picture := emrtdtest.Portrait()
	picture = append(picture, make([]byte, Portrait-len(picture))...)
	return map[lds.File][]byte{"DG1": emrtdtest.DG1(emrtdtest.Zone...), "DG2": emrtdtest.DG2(picture)}
}

// passive verifies a passport of each kind of signature, where the whole list is trusted.
func passive(ctx context.Context, o Options, list []byte, anchor *emrtdtest.Holder) ([]Timing, error) {
	var out []Timing
	for _, kind := range emrtdtest.Kinds {
		store, err := load(list, anchor)
		if err != nil {
			return nil, err
		}
		authority := emrtdtest.NewAuthority("UT", kind, 1)
		if err := store.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT"}); err != nil {
			return nil, err
		}
		files := passport()
		files[lds.SOD] = authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2)).SOD(files, emrtdtest.Signing{Time: signed()})
		t, err := timed(ctx, string(kind), o.Rounds, func() error {
			if r := emrtd.Verify(files, store, emrtd.Options{Now: emrtdtest.Now}); !r.Authentic {
				return fmt.Errorf("bench: refused: %v", r.Refusals)
			}
			return nil
		})
		if err == nil && o.OpenSSL {
			t.OpenSSL, err = openssl(ctx, o, t.Wall.P50, files[lds.SOD], authority.Raw)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// openssl lets openssl verify an EF.SOD, and returns nil where its policy refuses: explicit parameters, and SHA-1 where the system is strict.
func openssl(ctx context.Context, o Options, ours float64, sod, authority []byte) (*Peer, error) {
	dir, err := os.MkdirTemp("", "bonafide-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	whole, err := tlv.Parse(sod)
	if err != nil {
		return nil, err
	}
	in, ca := filepath.Join(dir, "sod"), filepath.Join(dir, "ca")
	for name, raw := range map[string][]byte{in: whole.Content, ca: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})} {
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			return nil, fmt.Errorf("write for openssl: %w", err)
		}
	}
	run := func(arguments ...string) func() error {
		return func() error { return exec.CommandContext(ctx, "openssl", arguments...).Run() } //nolint:gosec // our own files
	}
	verify := run("cms", "-verify", "-binary", "-inform", "DER", "-in", in, "-CAfile", ca, "-purpose", "any", "-auth_level", "0",
		"-out", filepath.Join(dir, "content"), "-attime", strconv.FormatInt(emrtdtest.Now.Unix(), 10))
	if verify() != nil {
		return nil, ctx.Err()
	}
	rounds := max(o.Rounds/10, 1)
	work, err := timed(ctx, "openssl cms", rounds, verify)
	if err != nil {
		return nil, err
	}
	start, err := timed(ctx, "openssl version", rounds, run("version"))
	if err != nil {
		return nil, err
	}
	p := &Peer{Wall: work.Wall, Start: start.Wall}
	if alone := work.Wall.P50 - start.Wall.P50; alone >= 0.1 {
		p.Times = math.Round(100*ours/alone) / 100
	}
	return p, nil
}

// far is a chip behind round trips that take a while. The server's relay sends one message for each, and waits for its answer.
type far struct {
	chip        *chiptest.Chip
	delay       time.Duration
	trips, sent int
}

// Exchange implements terminal.Link.
func (f *far) Exchange(ctx context.Context, b terminal.Batch) ([][]byte, error) {
	f.trips++
	f.sent += len(b.Commands)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(f.delay):
	}
	var out [][]byte
	for _, cmd := range b.Commands {
		out = append(out, f.chip.Transmit(cmd))
		if !terminal.GoesOn(out[len(out)-1]) {
			break
		}
	}
	return out, nil
}

// access is a way into a chip, and what it proves of itself.
type access struct {
	what  string
	pace  string // protocol; empty for Basic Access Control
	curve int
	suite int // of Chip Authentication; 0 for none
	kind  emrtdtest.Kind
	long  int // answers that chip and reader can do, in bytes
}

// Protocols of PACE by ECDH and generic mapping (ICAO 9303-11 section 9.2.3).
const (
	paceAES128 = "0.4.0.127.0.7.2.2.4.2.2"
	paceAES256 = "0.4.0.127.0.7.2.2.4.2.4"
)

var accesses = []access{
	{what: "Basic Access Control, nothing else"},
	{what: "PACE on P-256 with AES-128", pace: paceAES128, curve: 12},
	{what: "PACE on P-256 with AES-128, Chip Authentication", pace: paceAES128, curve: 12, suite: 2, kind: sound},
	{what: "PACE on brainpoolP384r1 with AES-256, Chip Authentication", pace: paceAES256, curve: 16, suite: 4, kind: "ECDSA brainpoolP384r1 SHA-384"},
	{what: "the same with answers of 2000 bytes", pace: paceAES256, curve: 16, suite: 4, kind: "ECDSA brainpoolP384r1 SHA-384", long: 2000},
}

// reads reads a chip for each way in.
func reads(ctx context.Context, o Options) ([]Read, error) {
	authority := emrtdtest.NewAuthority("UT", sound, 1)
	key, err := terminal.Zone("L898902C3", "740812", "120415")
	if err != nil {
		return nil, err
	}
	var out []Read
	for _, way := range accesses {
		c := chiptest.Config{
			Files: passport(), Number: "L898902C3", Birth: "740812", Expiry: "120415", PACE: way.pace, Curve: way.curve, ChipSuite: way.suite,
			Longest: way.long,
		}
		if way.suite > 0 {
			c.ChipKey = emrtdtest.NewKey(way.kind, 40)
			c.Files["DG14"] = emrtdtest.Security(emrtdtest.ChipKeyInfo(c.ChipKey, -1), emrtdtest.ChipInfo(strconv.Itoa(way.suite), -1))
		}
		c.Files[lds.COM] = emrtdtest.COM(c.Files)
		c.Files[lds.SOD] = authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2)).SOD(c.Files, emrtdtest.Signing{Time: signed()})
		link, reader := &far{chip: chiptest.New(c), delay: o.Delay}, terminal.New(key, terminal.Options{MaxAnswer: way.long})
		begun := time.Now()
		if err := reader.Read(ctx, link); err != nil {
			return nil, fmt.Errorf("%s: %w", way.what, err)
		}
		took := time.Since(begun)
		r := Read{What: way.what, Trips: link.trips, Sent: link.sent, Seconds: math.Round(took.Seconds()*100) / 100}
		if r.Bytes, err = proved(authority, reader.Result(), way.suite > 0); err != nil {
			return nil, fmt.Errorf("%s: %w", way.what, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// proved verifies what was read, and returns how many bytes that is.
func proved(authority *emrtdtest.Holder, r terminal.Result, agreed bool) (int, error) {
	store := new(trust.Store)
	if err := store.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT"}); err != nil {
		return 0, err
	}
	report := emrtd.Verify(r.Files, store, emrtd.Options{Now: emrtdtest.Now, Agreement: r.Agreement})
	if !report.Authentic || report.ByAgreement != agreed {
		return 0, fmt.Errorf("bench: authentic %t, no copy %t: %v", report.Authentic, report.ByAgreement, report.Refusals)
	}
	n := 0
	for _, raw := range r.Files {
		n += len(raw)
	}
	return n, nil
}
