package mdoc_test

import "testing"

// TestNoBitOfAResponseCanBeChanged flips every bit. All of a response is signed or of one fixed form: the issuer signs digests, the
// device the type and what it says, the authority the certificate, and keys that are not known are refused.
func TestNoBitOfAResponseCanBeChanged(t *testing.T) {
	d := newDesk(t)
	raw := d.respond()
	step := 1
	if testing.Short() {
		step = 5 // nightly: every bit
	}
	for i := 0; i < len(raw)*8; i += step {
		raw[i/8] ^= 1 << (i % 8)
		if r := d.verify(raw); len(r.Refusals) == 0 {
			t.Errorf("bit %d of byte %d (now %02X, behind %q) was flipped and accepted", i%8, i/8, raw[i/8], raw[max(0, i/8-12):i/8])
		}
		raw[i/8] ^= 1 << (i % 8)
	}
	if r := d.verify(raw); len(r.Refusals) > 0 {
		t.Fatal(r.Refusals)
	}
}
