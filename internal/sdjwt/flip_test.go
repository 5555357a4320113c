package sdjwt_test

import (
	"encoding/base64"
	"testing"

	"github.com/bonafide-id/bonafide/internal/sdjwt"
)

func b64(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }

// TestNoBitOfAPresentationCanBeChanged flips every bit. Everything in a presentation is signed, by the issuer or by the holder, and is
// written in only one way.
func TestNoBitOfAPresentationCanBeChanged(t *testing.T) {
	d := newDesk(t)
	raw := []byte(d.present())
	step := 1
	if testing.Short() {
		step = 5 // nightly: every bit
	}
	for i := 0; i < len(raw)*8; i += step {
		raw[i/8] ^= 1 << (i % 8)
		if r := d.verify(string(raw)); len(r.Refusals) == 0 {
			t.Errorf("bit %d of byte %d (%q) was flipped and accepted", i%8, i/8, raw[i/8])
		}
		raw[i/8] ^= 1 << (i % 8)
	}
	if r := d.verify(string(raw)); len(r.Refusals) > 0 {
		t.Fatal(r.Refusals)
	}
}

// FuzzVerify sends anything: nothing crashes, and nothing is bound but what issuer and holder signed.
func FuzzVerify(f *testing.F) {
	d := newDesk(f)
	f.Add(d.present())
	f.Add(d.credential.Issue())
	f.Add("e30.e30.AA~WyJzIiwiYSIsMV0~")
	f.Fuzz(func(t *testing.T, raw string) {
		if r := d.verify(raw); r.Bound { // the seed of another process has other salts and signatures
			if r.Claims["family_name"] != "Mustermann" || len(r.Disclosed) != 6 {
				t.Errorf("other claims are bound: %v", r.Claims)
			}
		}
	})
}

// BenchmarkVerify measures one presentation with six disclosures and a status.
func BenchmarkVerify(b *testing.B) {
	d := newDesk(b)
	raw := d.present()
	for b.Loop() {
		if r := sdjwt.Verify(raw, d.store, d.options); !r.Bound {
			b.Fatal(r.Refusals)
		}
	}
}
