// Package vicaltest writes lists of authorities of mobile documents for tests. Its CBOR is written byte by byte and shares nothing with
// the package that reads it.
package vicaltest

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
)

// Entry is an authority and the documents that it signs for. Fields that are set replace what its certificate says.
type Entry struct {
	Of       *emrtdtest.Holder
	DocTypes []string
	SKI      []byte
	Serial   []byte
	Raw      []byte // instead of the certificate
}

// List is what is signed.
type List struct {
	Version, Provider string
	Date              time.Time
	Entries           []Entry
}

// New returns a list of a moment.
func New(at time.Time, entries ...Entry) List {
	return List{Version: "1.0", Provider: "Utopian Union of Motoring", Date: at, Entries: entries}
}

func head(major byte, n int) []byte {
	switch {
	case n < 24:
		return []byte{major<<5 | byte(n)}
	case n < 1<<8:
		return []byte{major<<5 | 24, byte(n)}
	default:
		return []byte{major<<5 | 25, byte(n >> 8), byte(n)}
	}
}

func join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func text(s string) []byte   { return join(head(3, len(s)), []byte(s)) }
func octets(b []byte) []byte { return join(head(2, len(b)), b) }
func date(t time.Time) []byte {
	return join([]byte{0xC0}, text(t.UTC().Format("2006-01-02T15:04:05Z")))
}

func (e Entry) bytes() []byte {
	der, ski, serial := e.Of.Raw, e.Of.Cert.SubjectKeyID, e.Of.Cert.Serial.Bytes()
	if e.Raw != nil {
		der = e.Raw
	}
	if e.SKI != nil {
		ski = e.SKI
	}
	if e.Serial != nil {
		serial = e.Serial
	}
	types := head(4, len(e.DocTypes))
	for _, t := range e.DocTypes {
		types = append(types, text(t)...)
	}
	return join(head(5, 4), text("certificate"), octets(der), text("serialNumber"), []byte{0xC2}, octets(serial),
		text("ski"), octets(ski), text("docType"), types)
}

// Sign returns the list as COSE_Sign1 with its tag, with the certificates that come along.
func (l List) Sign(by *emrtdtest.Holder, more ...*emrtdtest.Holder) []byte {
	entries := head(4, len(l.Entries))
	for _, e := range l.Entries {
		entries = append(entries, e.bytes()...)
	}
	payload := join(head(5, 4), text("version"), text(l.Version), text("vicalProvider"), text(l.Provider), text("date"), date(l.Date),
		text("certificateInfos"), entries)
	protected := []byte{0xA1, 0x01, 0x26} // {alg: ES256}
	signed := join(head(4, 4), text("Signature1"), octets(protected), octets(nil), octets(payload))
	sum := sha256.Sum256(signed)
	r, s, err := ecdsa.Sign(rand.Reader, by.Key.ECDSA(), sum[:])
	if err != nil {
		panic(err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	chain := octets(by.Raw)
	if len(more) > 0 {
		chain = join(head(4, 1+len(more)), chain)
		for _, h := range more {
			chain = append(chain, octets(h.Raw)...)
		}
	}
	return join([]byte{0xD2}, head(4, 4), octets(protected), join(head(5, 1), []byte{0x18, 33}, chain), octets(payload), octets(signature))
}
