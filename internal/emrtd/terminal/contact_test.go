package terminal_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// proving is a document that proves itself in every way, by PACE.
func proving(t testing.TB) document {
	t.Helper()
	key, active := emrtdtest.NewKey(stateKind, 40), emrtdtest.NewKey(stateKind, 9)
	d := newDocument(t, 20_000, active, emrtdtest.ChipKeyInfo(key, -1), emrtdtest.ChipInfo("2", -1))
	d.config.ChipKey, d.config.ChipSuite, d.config.PACE, d.config.Curve = key, 2, "0.4.0.127.0.7.2.2.4.2.2", 12
	return d
}

// trips returns how many round trips a whole read takes.
func (d document) trips(t testing.TB) int {
	t.Helper()
	l := &link{chip: chiptest.New(d.config)}
	if err := terminal.New(d.key, terminal.Options{}).Read(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	return l.trips
}

// TestContactLostAtEachStepGoesOn loses contact at each round trip, and then at every other one.
func TestContactLostAtEachStepGoesOn(t *testing.T) {
	t.Parallel()
	d := proving(t)
	whole := d.trips(t)
	for at := 1; at <= whole; at++ {
		l := &link{chip: chiptest.New(d.config), lose: func(trip int) bool { return trip == at }}
		r := terminal.New(d.key, terminal.Options{})
		if why := refusal.Of(r.Read(t.Context(), l)); why == nil || why.Code != terminal.ContactLost {
			t.Fatalf("trip %d: %v, want contact lost", at, why)
		}
		before := r.Whole()
		if err := r.Read(t.Context(), l); err != nil {
			t.Fatalf("trip %d: %v", at, err)
		}
		d.same(t, r.Result())
		if report := d.verify(t, r.Result()); !report.Authentic || !report.ByAgreement || !report.ByAnswer {
			t.Errorf("trip %d: %v", at, report.Refusals)
		}
		// What was read before is not read again: the second contact takes access, the beginning of EF.SOD, and the rest.
		if at == whole && (len(before) < 5 || l.trips > whole+7) {
			t.Errorf("the last trip was lost after %v: %d trips, %d in one contact", before, l.trips, whole)
		}
	}
	l := &link{chip: chiptest.New(d.config)}
	contacts, since := 0, 0
	r := terminal.New(d.key, terminal.Options{})
	l.lose = func(int) bool { since++; return since > 8 } // access takes six
	for ; contacts < 40; contacts++ {
		if since = 0; r.Read(t.Context(), l) == nil {
			break
		}
	}
	d.same(t, r.Result())
}

// TestAnswersOfNoChipEndInAClearState garbles the answers of each round trip in each way.
func TestAnswersOfNoChipEndInAClearState(t *testing.T) {
	t.Parallel()
	d := proving(t)
	whole := d.trips(t)
	var before [][]byte
	for name, garble := range map[string]func([][]byte) [][]byte{
		"nothing":         func([][]byte) [][]byte { return nil },
		"an empty answer": func(a [][]byte) [][]byte { a[0] = nil; return a },
		"one too many":    func(a [][]byte) [][]byte { return append(a, slices.Repeat([][]byte{{0x90, 0}}, 60)...) },
		"all but the last": func(a [][]byte) [][]byte {
			if len(a) > 1 {
				return a[:len(a)-1]
			}
			return nil
		},
		"replayed":  func(a [][]byte) [][]byte { out := before; before = a; return out },
		"reordered": func(a [][]byte) [][]byte { slices.Reverse(a); return a },
		"a flipped bit": func(a [][]byte) [][]byte {
			last := a[len(a)-1]
			last[len(last)/3] ^= 4
			return a
		},
		"a long one":    func(a [][]byte) [][]byte { a[0] = append(make([]byte, 1<<17), 0x90, 0); return a },
		"garbage":       func(a [][]byte) [][]byte { a[len(a)-1] = bytes.Repeat([]byte{0x7C, 0x82, 0x30}, 40); return a },
		"another state": func(a [][]byte) [][]byte { a[len(a)-1] = []byte{0x90, 0}; return a },
		"an error":      func([][]byte) [][]byte { return [][]byte{{0x6F, 0}} },
	} {
		t.Run(name, func(t *testing.T) {
			for at := 1; at <= whole; at++ {
				before = nil
				l := &link{chip: chiptest.New(d.config)}
				l.wrong = func(trip int, answers [][]byte) [][]byte {
					if trip != at {
						before = answers
						return answers
					}
					return garble(answers)
				}
				r := terminal.New(d.key, terminal.Options{})
				var err error
				for range 4 {
					if err = r.Read(t.Context(), l); err == nil {
						break
					}
					if refusal.Of(err) == nil {
						t.Fatalf("trip %d: %v is no refusal", at, err)
					}
				}
				if err != nil {
					t.Fatalf("trip %d: the read does not go on: %v", at, err)
				}
				// What an attacker between chip and server can do is take proofs away, never add to what is proved.
				if report := d.verify(t, r.Result()); !report.Authentic && (len(report.Refusals) != 1 || report.Refusals[0].Code != emrtd.AgreementFailed) {
					t.Errorf("trip %d: %v", at, report.Refusals)
				}
			}
		})
	}
}

// TestAnotherChipStartsAnew has a second document put down after contact with the first was lost. Both are open: nothing else tells them
// apart.
func TestAnotherChipStartsAnew(t *testing.T) {
	t.Parallel()
	first, second := newDocument(t, 20_000, nil), newDocument(t, 20_000, nil)
	second.config.Files["DG1"] = emrtdtest.DG1("P<UTOERIKSSON<<BERTA<MARIA<<<<<<<<<<<<<<<<<<", emrtdtest.Zone[1])
	signer := second.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(stateKind, 2))
	second.config.Files[lds.SOD] = signer.SOD(second.config.Files, emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -1, 0)})
	for _, d := range []*document{&first, &second} {
		d.config.Open, d.config.NoBasic = true, true
	}
	l := &link{chip: chiptest.New(first.config), lose: func(trip int) bool { return trip == 6 }}
	r := terminal.New(first.key, terminal.Options{})
	if err := r.Read(t.Context(), l); err == nil {
		t.Fatal("contact was not lost")
	}
	l.chip = chiptest.New(second.config)
	if err := r.Read(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	second.same(t, r.Result())
}

// FuzzAnswers answers the commands of a read with anything: whatever comes, the read ends, and by a refusal.
func FuzzAnswers(f *testing.F) {
	d := newDocument(f, 0, nil)
	d.config.Open, d.config.NoBasic = true, true
	f.Add([]byte{0x90, 0}, uint8(3))
	f.Add([]byte{2, 0x90, 0, 6, 0x31, 2, 0x30, 0, 0x90, 0}, uint8(0))
	f.Fuzz(func(t *testing.T, raw []byte, at uint8) {
		l := &link{chip: chiptest.New(d.config)}
		l.wrong = func(trip int, answers [][]byte) [][]byte {
			if trip <= int(at%8) {
				return answers
			}
			if trip > 200 {
				t.Fatal("the read does not end")
			}
			for i := range answers { // pieces of the input: a length, and as many bytes
				if len(raw) == 0 {
					return answers[:i]
				}
				n := min(int(raw[0]), len(raw)-1)
				answers[i], raw = raw[1:1+n], raw[1+n:]
			}
			return answers
		}
		r := terminal.New(d.key, terminal.Options{MaxBytes: 100_000})
		if err := r.Read(t.Context(), l); err != nil && refusal.Of(err) == nil {
			t.Fatalf("%v is no refusal", err)
		}
	})
}
