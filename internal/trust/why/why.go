// Package why answers "why is this not trusted?" for a file: it finds who signed it and for which purpose, and says which anchors were
// tried. Only certificates and signatures are looked at; what the file says about a person is neither kept nor returned.
package why

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Kind is what a file was recognised as.
type Kind string

// The kinds of file.
const (
	Certificate    Kind = "certificate"     // one, or a chain that begins with the signer
	SecurityObject Kind = "security_object" // EF.SOD of a chip
	MasterList     Kind = "master_list"
	Credential     Kind = "sd_jwt"
	Document       Kind = "mdoc"
)

// documentSigning is the extended key usage of those who sign mobile documents (ISO/IEC 18013-5 section B.1.4).
const documentSigning = "1.0.18013.5.1.2"

// Question is a file and what it is asked against.
type Question struct {
	File    []byte        // DER, PEM, CBOR, or a credential as text; CBOR also in base64url or hexadecimal
	Purpose trust.Purpose // of a certificate that does not say so; a CSCA's, or an IACA's where it signs mobile documents
	Scope   string        // of that purpose; the country that a certificate states if it is empty
	Now     time.Time
}

// Answer says who signed a file and why that is trusted or not.
type Answer struct {
	Kind       Kind
	Purpose    trust.Purpose
	Scope      string
	Signer     *pki.Certificate // nil if none can be read
	Trust      trust.Explanation
	Revocation trust.Revocation
	Refusals   []*refusal.Refusal // why it is not trusted; none if it is
}

// Trusted reports whether nothing was refused.
func (a Answer) Trusted() bool { return a.Trust.Chain != nil && len(a.Refusals) == 0 }

// Ask answers a question by what a store trusts. The error is a refusal of a file that holds nothing signed.
func Ask(q Question, store *trust.Store) (Answer, error) {
	if chain := certificates(q.File); len(chain) > 0 {
		return certificate(q, store, chain), nil
	}
	text := strings.TrimSpace(string(q.File))
	if strings.HasPrefix(text, "ey") && strings.ContainsRune(text, '~') {
		r := sdjwt.Verify(text, store, sdjwt.Options{Now: q.Now})
		a := Answer{Kind: Credential, Purpose: trust.Issuer, Scope: r.Type, Signer: r.Signer, Trust: r.Trust, Revocation: r.Revocation, Refusals: r.Refusals}
		return a, nil
	}
	if signed, kind := signedData(q.File); signed != nil {
		return ofSignedData(q, store, signed, kind), nil
	}
	for _, raw := range binaries(q.File) {
		r := mdoc.Verify(raw, store, mdoc.Options{Now: q.Now})
		if r.Signer != nil || r.Type != "" {
			a := Answer{Kind: Document, Purpose: trust.IACA, Scope: r.Type, Signer: r.Signer, Trust: r.Trust, Revocation: r.Revocation, Refusals: r.Refusals}
			return a, nil
		}
	}
	return Answer{}, refusal.New(trust.NothingSigned, "no certificate, EF.SOD, list or credential of a wallet")
}

// certificates returns the certificates that a file is: one in DER, or a chain in PEM.
func certificates(raw []byte) []*pki.Certificate {
	if c, err := pki.ParseCertificate(raw); err == nil {
		return []*pki.Certificate{c}
	}
	var out []*pki.Certificate
	for block, rest := pem.Decode(raw); block != nil && len(out) < maxChain; block, rest = pem.Decode(rest) {
		c, err := pki.ParseCertificate(block.Bytes)
		if err != nil {
			return nil
		}
		out = append(out, c)
	}
	return out
}

// maxChain is the number of certificates of a file that are read.
const maxChain = 8

// certificate explains a certificate, the first of a chain.
func certificate(q Question, store *trust.Store, chain []*pki.Certificate) Answer {
	a := Answer{Kind: Certificate, Purpose: q.Purpose, Scope: q.Scope, Signer: chain[0]}
	if a.Purpose == "" && slices.Contains(a.Signer.ExtendedUsages, documentSigning) {
		a.Purpose = trust.IACA
		a.Scope = scopeOf(store, a.Signer, chain[1:])
	}
	if a.Purpose == "" {
		a.Purpose = trust.CSCA
	}
	if a.Purpose == trust.CSCA && a.Scope == "" {
		a.Scope = a.Signer.Subject.Country
	}
	return a.explained(store.With(chain[1:]...), q.Now)
}

// scopeOf returns the docType for which a signer of mobile documents is trusted, or else any that somebody is trusted for: its
// certificate does not say which it signs.
func scopeOf(store *trust.Store, signer *pki.Certificate, between []*pki.Certificate) string {
	other := ""
	for _, anchor := range store.Anchors(trust.IACA, "") {
		if _, err := store.With(between...).Chain(signer, trust.IACA, anchor.Scope); err == nil {
			return anchor.Scope
		}
		other = anchor.Scope
	}
	return other
}

// signedData reads CMS, by itself or in an EF.SOD.
func signedData(raw []byte) (*cms.SignedData, Kind) {
	if block, _ := pem.Decode(raw); block != nil {
		raw = block.Bytes
	}
	kind := MasterList
	if e, err := tlv.Parse(raw); err == nil && e.Tag == 0x77 {
		raw, kind = e.Content, SecurityObject
	}
	signed, err := cms.Parse(raw)
	if err != nil {
		return nil, ""
	}
	if _, err := trust.ParseMasterList(raw); err != nil {
		kind = SecurityObject
	}
	return signed, kind
}

func ofSignedData(q Question, store *trust.Store, signed *cms.SignedData, kind Kind) Answer {
	a := Answer{Kind: kind, Purpose: trust.CSCA, Revocation: trust.NotChecked}
	signatures, err := signed.Verify()
	if err != nil {
		a.Refusals = []*refusal.Refusal{refusal.Of(err)}
		return a
	}
	a.Signer = signatures[0].Signer
	a.Scope = a.Signer.Subject.Country
	if kind == MasterList { // a list may bring the links to its signer; a chip's signer is of its authority alone (ICAO 9303-12 section 4)
		store = store.With(signed.Certificates...)
	}
	return a.explained(store, q.Now)
}

// explained looks for an anchor and for revocations.
func (a Answer) explained(store *trust.Store, now time.Time) Answer {
	a.Revocation = trust.NotChecked
	a.Trust = store.Explain(a.Signer, a.Purpose, a.Scope)
	if a.Trust.Chain == nil {
		a.Refusals = append(a.Refusals, a.Trust.Refusal)
		return a
	}
	var err error
	if a.Revocation, err = store.Revocation(a.Trust.Chain, now); err != nil {
		a.Refusals = append(a.Refusals, refusal.Of(err))
	}
	return a
}

// binaries returns a file as it is, and as it reads where it is text in hexadecimal or base64url.
func binaries(raw []byte) [][]byte {
	text := bytes.TrimSpace(raw)
	out := [][]byte{raw}
	if b, err := hex.DecodeString(string(text)); err == nil {
		out = append(out, b)
	}
	if b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(string(text), "=")); err == nil {
		out = append(out, b)
	}
	return out
}
