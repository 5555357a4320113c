package terminal

import (
	"crypto/sha1"
	"errors"
	"strings"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// Key opens a chip: what is printed on the page. It is a secret of the holder, and writes itself nowhere.
type Key struct {
	secret []byte // f(π) of ICAO 9303-11 section 9.7.3
	can    bool
}

// ErrKey means that something cannot be the key of a chip.
var ErrKey = errors.New("no such access number or data of a zone")

// String implements fmt.Stringer without saying anything of the key.
func (Key) String() string { return "key of a chip" }

// GoString implements fmt.GoStringer likewise.
func (Key) GoString() string { return "key of a chip" }

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return len(k.secret) == 0 }

// CAN returns the key of a card access number, six digits on the front of a card.
func CAN(number string) (Key, error) {
	if len(number) != 6 || strings.Trim(number, "0123456789") != "" {
		return Key{}, ErrKey
	}
	return Key{secret: []byte(number), can: true}, nil
}

// Zone returns the key of a machine-readable zone: the document's number as printed, without fillers, and two days as YYMMDD.
func Zone(number, birth, expiry string) (Key, error) {
	number = strings.ToUpper(strings.NewReplacer(" ", "", "<", "", "-", "").Replace(number))
	if number == "" || len(number) > 22 || !only(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
		return Key{}, ErrKey
	}
	for _, day := range []string{birth, expiry} {
		if len(day) != 6 || !only(day, "0123456789<") {
			return Key{}, ErrKey
		}
	}
	if len(number) < 9 {
		number += strings.Repeat("<", 9-len(number))
	}
	var b strings.Builder
	for _, field := range []string{number, birth, expiry} {
		b.WriteString(field)
		b.WriteByte(mrz.CheckDigit(field))
	}
	sum := sha1.Sum([]byte(b.String()))
	return Key{secret: sum[:]}, nil
}

// OfZone returns the key of a zone that was read.
func OfZone(d mrz.Document) (Key, error) {
	return Zone(d.Number, string(d.BirthDate), string(d.ExpiryDate))
}

func only(s, allowed string) bool {
	return strings.Trim(s, allowed) == ""
}

// forBasic returns the seed of the keys of Basic Access Control (ICAO 9303-11 section 9.7.2); nil for an access number, with which it
// does not work.
func (k Key) forBasic() []byte {
	if k.can || len(k.secret) < 16 {
		return nil
	}
	return k.secret[:16]
}

// reference names the password in a command (ICAO 9303-11 section 4.4.4.1).
func (k Key) reference() byte {
	if k.can {
		return 2
	}
	return 1
}
