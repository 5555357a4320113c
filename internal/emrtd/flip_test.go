package emrtd_test

import (
	"bytes"
	"crypto"
	"maps"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// TestNoBitOfWhatIsSignedCanBeChanged flips every bit of EF.SOD. Those that are accepted are outside of the signed content, the signed
// attributes, the signer's certificate and both signatures, and are listed.
func TestNoBitOfWhatIsSignedCanBeChanged(t *testing.T) {
	u := newUtopia(t, sound, usual)
	sod := bytes.Clone(u.files[lds.SOD])
	object, err := lds.ParseSecurityObject(sod)
	if err != nil {
		t.Fatal(err)
	}
	signed := make([]bool, len(sod))
	attributes := tlv.Encode(tlv.ObjectID, []byte{0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3})
	for what, part := range map[string][]byte{
		"content": object.Signed.Content, "certificate": u.signer.Raw, "attributes": sod[bytes.Index(sod, attributes)-2:],
	} {
		at := bytes.Index(sod, part)
		if at < 0 {
			t.Fatalf("%s is not where it was put", what)
		}
		for i := range part {
			signed[at+i] = true
		}
	}
	accepted := map[int]int{}
	for i := range len(sod) * 8 {
		u.files[lds.SOD] = bytes.Clone(sod)
		u.files[lds.SOD][i/8] ^= 1 << (i % 8)
		if !u.verify(emrtd.Options{}).Authentic {
			continue
		}
		accepted[i/8]++
		if signed[i/8] && !unsignedAfterAttributes(sod, i/8) {
			t.Errorf("bit %d of byte %d was flipped and accepted", i%8, i/8)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(accepted)) {
		t.Logf("byte %d (%02X): %d flips accepted", at, sod[at], accepted[at])
	}
	if len(accepted) > 60 {
		t.Errorf("flips were accepted at %d bytes: more than versions and the list of digest algorithms explain", len(accepted))
	}
}

// unsignedAfterAttributes reports whether a byte belongs to the signature's algorithm identifier, behind the signed attributes: another
// name for the same algorithm would do no harm.
func unsignedAfterAttributes(sod []byte, at int) bool {
	algorithm := emrtdtest.NewKey(sound, 2).Algorithm()
	from := bytes.LastIndex(sod, algorithm)
	return at >= from && at < from+len(algorithm)
}

func TestTheDigestOfTheContentCannotBeThatOfAnother(t *testing.T) {
	u := newUtopia(t, sound, usual)
	content := emrtdtest.Object(u.files, crypto.SHA256)
	for i := range content {
		s := usual
		s.Changed = bytes.Clone(content)
		s.Changed[i] ^= 1
		u.files[lds.SOD] = u.signer.SOD(u.files, s)
		if u.verify(emrtd.Options{}).Authentic {
			t.Fatalf("byte %d of the content was changed and accepted", i)
		}
	}
}
