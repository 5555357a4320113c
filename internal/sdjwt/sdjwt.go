// Package sdjwt verifies credentials that disclose claims one by one: SD-JWT (RFC 9901) as the SD-JWT VC draft profiles it.
//
// The report keeps two answers apart: whether a trusted issuer signed the credential and it is in force, and whether its holder presented
// it, to us and now. What was not checked is a note and never counts as passed. Whether the holder has to be proved is for the caller
// to say; a presentation does not decide it by leaving the proof out. Nothing is fetched: no type metadata, no keys, no lists.
package sdjwt

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// The refusals and notes of this package.
const (
	Malformed           refusal.Code = "sdjwt.malformed"            // no SD-JWT, or a claim of another kind than it has to be
	TooLarge            refusal.Code = "sdjwt.too_large"            // more bytes or disclosures than are read
	WrongType           refusal.Code = "sdjwt.type"                 // token of another kind than dc+sd-jwt
	Digest              refusal.Code = "sdjwt.digest"               // hash function that is not accepted, or not named where it has to be
	Disclosure          refusal.Code = "sdjwt.disclosure"           // disclosure that cannot be read, or of a name that none may have
	DigestRepeated      refusal.Code = "sdjwt.digest_repeated"      // digest or disclosure that occurs twice
	NotReferenced       refusal.Code = "sdjwt.not_referenced"       // disclosure that the issuer did not sign
	Collision           refusal.Code = "sdjwt.collision"            // disclosure of a claim that is there already
	HiddenClaim         refusal.Code = "sdjwt.hidden_claim"         // disclosure of a claim that has to be open: exp, vct, cnf
	IssuerSignature     refusal.Code = "sdjwt.issuer_signature"     // signature that the issuer's key did not make
	SignerUsage         refusal.Code = "sdjwt.signer_usage"         // certificate that may not sign credentials
	SelfSigned          refusal.Code = "sdjwt.self_signed"          // certificate that nobody else vouches for
	IssuerName          refusal.Code = "sdjwt.issuer_name"          // issuer that the certificate is not of
	Expired             refusal.Code = "sdjwt.expired"              // credential that is out of date
	NotYet              refusal.Code = "sdjwt.not_yet"              // credential of the future
	TypeNotAsked        refusal.Code = "sdjwt.type_not_asked"       // credential of another type than was asked for
	BindingMissing      refusal.Code = "sdjwt.binding_missing"      // holder did not sign, or has no key
	BindingType         refusal.Code = "sdjwt.binding_type"         // holder's token of another kind than kb+jwt
	BindingSignature    refusal.Code = "sdjwt.binding_signature"    // signature that the holder's key did not make
	BindingNonce        refusal.Code = "sdjwt.binding_nonce"        // presentation for another request
	BindingAudience     refusal.Code = "sdjwt.binding_audience"     // presentation for another verifier
	BindingTime         refusal.Code = "sdjwt.binding_time"         // presentation that is too old, or of the future
	BindingHash         refusal.Code = "sdjwt.binding_hash"         // holder signed other disclosures
	BindingUnchecked    refusal.Code = "sdjwt.binding_unchecked"    // note: whether the holder presented it was not asked
	RevocationUnchecked refusal.Code = "sdjwt.revocation_unchecked" // note: nothing says how the signer's certificate stands
	IssuerUnconfirmed   refusal.Code = "sdjwt.issuer_unconfirmed"   // note: the certificate has no names to compare the issuer with
	NoExpiry            refusal.Code = "sdjwt.no_expiry"            // note: the credential does not say until when it is good
)

// Binding is what the holder has to have signed.
type Binding struct {
	Nonce    string
	Audience string // full client_id; for the Digital Credentials API "origin:" and the origin
}

// Options say against what a credential is verified.
type Options struct {
	Now     time.Time
	Types   []string         // accepted vct; every one that has an anchor if there are none
	Binding *Binding         // nil where the holder need not be proved
	Status  statuslist.Lists // of issuers
}

// Report is what verification found.
type Report struct {
	Authentic bool               // a trusted issuer signed it, it is in force, and everything that was sent is part of it
	Bound     bool               // its holder presented it, for this request
	Refusals  []*refusal.Refusal // why it is not authentic, or not bound though it has to be
	Notes     []*refusal.Refusal // what could not be checked

	Type       string // vct
	Issuer     string // iss, where it has one
	Signer     *pki.Certificate
	Trust      trust.Explanation
	Revocation trust.Revocation // of the signer's certificate
	Algorithm  string           // of the issuer's signature
	Digest     string           // of the disclosures
	IssuedAt   time.Time        // the times are zero where they are not stated
	NotBefore  time.Time
	Expires    time.Time
	Reference  *statuslist.Reference // where its status stands, nil if nowhere
	Revoked    statuslist.State      // what is known of its status
	Presented  time.Time             // when the holder signed

	// Claims are those of the credential, with what was disclosed in its place; nil if anything was refused.
	Claims map[string]any
	// Disclosed are the paths of the claims that were disclosed one by one, as "address.locality" or "nationalities[0]".
	Disclosed []string

	holder *pki.PublicKey
	noKey  bool // the credential has a key of the holder that is not accepted
}

func (r *Report) refuse(code refusal.Code, format string, args ...any) {
	r.Refusals = append(r.Refusals, refusal.New(code, format, args...))
}

func (r *Report) note(code refusal.Code, format string, args ...any) {
	r.Notes = append(r.Notes, refusal.New(code, format, args...))
}

// fail adds an error of a decoder or of trust, and reports whether there was one.
func (r *Report) fail(err error) bool {
	if err == nil {
		return false
	}
	if why := refusal.Of(err); why != nil {
		r.Refusals = append(r.Refusals, why)
	} else {
		r.refuse(Malformed, "a part cannot be read")
	}
	return true
}

// Verify verifies one presentation (RFC 9901 section 7). It goes on after a refusal as far as what follows does not depend on it.
func Verify(raw string, store *trust.Store, o Options) *Report {
	r := &Report{Revocation: trust.NotChecked, Revoked: statuslist.NotStated, Disclosed: []string{}}
	p, err := parse(raw)
	if r.fail(err) {
		return r
	}
	if p.issued.Type != "dc+sd-jwt" {
		r.refuse(WrongType, "the token is no credential of type dc+sd-jwt")
	}
	r.Algorithm = p.issued.Algorithm
	payload, err := p.issued.Claims()
	if r.fail(err) {
		return r
	}
	claims, err := p.disclose(payload)
	if !r.fail(err) {
		r.Disclosed, r.Digest = p.paths, p.digest
	}
	r.readClaims(payload, o)
	r.checkSigner(p.issued, store, o.Now)
	r.checkStatus(payload, store, o)
	r.Authentic = len(r.Refusals) == 0
	r.checkBinding(p, o)
	if len(r.Refusals) == 0 {
		r.Claims = claims
	}
	return r
}

// readClaims reads what the issuer had to state openly (SD-JWT VC section 3.2.2). What is in a disclosure is not looked at.
func (r *Report) readClaims(payload map[string]any, o Options) {
	var err error
	if r.Type, err = jose.Text(payload, "vct"); err != nil {
		r.refuse(Malformed, "the credential does not state its type")
	} else if len(o.Types) > 0 && !slices.Contains(o.Types, r.Type) {
		r.refuse(TypeNotAsked, "the credential is of another type than was asked for")
	}
	if _, there := payload["iss"]; there {
		r.Issuer, err = jose.Text(payload, "iss")
		r.fail(err)
	}
	for name, into := range map[string]*time.Time{"iat": &r.IssuedAt, "nbf": &r.NotBefore, "exp": &r.Expires} {
		*into, err = jose.Time(payload, name)
		r.fail(err)
	}
	switch {
	case r.NotBefore.After(o.Now.Add(skew)):
		r.refuse(NotYet, "the credential is good from %s", r.NotBefore.Format(time.DateTime))
	case r.IssuedAt.After(o.Now.Add(skew)):
		r.refuse(NotYet, "the credential was issued on %s", r.IssuedAt.Format(time.DateTime))
	case r.Expires.IsZero():
		r.note(NoExpiry, "the credential does not say until when it is good")
	case !o.Now.Before(r.Expires.Add(skew)):
		r.refuse(Expired, "the credential was good until %s", r.Expires.Format(time.DateTime))
	}
	if cnf, there := payload["cnf"]; there {
		r.readHolder(cnf)
	}
}

// readHolder reads the key of the holder (RFC 7800). One that cannot be read proves nobody.
func (r *Report) readHolder(cnf any) {
	o, _ := cnf.(map[string]any)
	key, err := jose.ParseKey(o["jwk"])
	r.holder, r.noKey = key, r.fail(err)
}

// skew is by how much clocks may differ.
const skew = time.Minute
