package tlv_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

func TestElementsAreReadOrRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  []byte
		want refusal.Code
	}{
		{"an octet string", []byte{4, 1, 0xFF}, ""},
		{"a tag of two bytes", []byte{0x5F, 0x1F, 1, 0}, ""},
		{"an indefinite length", []byte{0x30, 0x80, 4, 1, 1, 0, 0}, ""},
		{"nothing", nil, tlv.Malformed},
		{"N20 bytes follow", []byte{4, 0, 0}, tlv.Trailing},
		{"more bytes than there are", []byte{4, 2, 1}, tlv.Malformed},
		{"N20 a length of two gigabytes", []byte{4, 0x84, 0x7F, 0xFF, 0xFF, 0xFF}, tlv.TooLarge},
		{"a length of five bytes", []byte{4, 0x85, 0, 0, 0, 0, 1, 1}, tlv.Malformed},
		{"an indefinite length without an end", []byte{0x30, 0x80, 4, 1, 1}, tlv.Malformed},
		{"an indefinite length of a primitive", []byte{4, 0x80, 0, 0}, tlv.Malformed},
		{"tag 0", []byte{0, 0}, tlv.Malformed},
		{"a tag of five bytes", []byte{0x1F, 0x81, 0x81, 0x81, 1, 0}, tlv.Malformed},
		{"N20 a thousand levels", bytes.Repeat([]byte{0x30, 0x80}, 1000), tlv.TooDeep},
		{"N20 more bytes than are read", make([]byte, tlv.MaxSize+1), tlv.TooLarge},
	} {
		_, err := tlv.Parse(c.raw)
		r := refusal.Of(err)
		if (r == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestDERSortsAndShortens(t *testing.T) {
	e, err := tlv.Parse([]byte{0x31, 0x80, 4, 0x81, 1, 2, 0x24, 0x80, 4, 1, 1, 0, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.DER()
	if want := []byte{0x31, 6, 4, 1, 1, 4, 1, 2}; err != nil || !bytes.Equal(got, want) {
		t.Errorf("got % X, %v, want % X", got, err, want)
	}
}

func TestTimesAsCertificatesWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"490101000000Z": "2049-01-01", "500101000000Z": "1950-01-01", "2306010000Z": "2023-06-01", "230601000000+0100": "2023-05-31",
		"20230601000000Z": "2023-06-01", "20230601000000": "2023-06-01", "yesterday": "",
	} {
		tag := tlv.UTCTime
		if strings.HasPrefix(text, "20230") {
			tag = tlv.GeneralizedTime
		}
		got, err := tlv.Element{Tag: tag, Content: []byte(text)}.Time()
		if want == "" && err == nil || want != "" && got.Format(time.DateOnly) != want {
			t.Errorf("%s: got %v, %v, want %q", text, got, err, want)
		}
	}
}

// FuzzParse reads and encodes again: nothing crashes, and what was encoded reads as the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte{0x30, 0x80, 4, 1, 1, 0, 0})
	f.Add([]byte{0x31, 6, 4, 1, 1, 4, 1, 2})
	f.Add([]byte{6, 3, 0x55, 4, 6})
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := tlv.Parse(raw)
		if err != nil {
			return
		}
		_, _ = e.OID()
		_, _ = e.Time()
		_, _ = e.Int()
		_ = e.Text()
		der, err := e.DER()
		if err != nil {
			return
		}
		again, err := tlv.Parse(der)
		if err != nil {
			t.Fatalf("% X became % X, which cannot be read: %v", raw, der, err)
		}
		if twice, err := again.DER(); err != nil || !bytes.Equal(der, twice) {
			t.Errorf("% X became % X and then % X", raw, der, twice)
		}
	})
}
