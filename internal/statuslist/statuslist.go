// Package statuslist says whether a credential was revoked, from a Token Status List (draft-ietf-oauth-status-list): one signed token
// with a status of 1, 2, 4 or 8 bits for each of many credentials, as JWT or CWT.
//
// The package is pure: the token and the time are given, nothing is fetched. A credential is good only if a list of its own issuer says
// so; a list that is missing, out of date or somebody else's never passes.
package statuslist

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// The refusals of this package.
const (
	Malformed   refusal.Code = "status.malformed"    // no status list, or a reference that cannot be read
	TooLarge    refusal.Code = "status.too_large"    // list, or what it unpacks to, above the limit
	WrongType   refusal.Code = "status.type"         // signed token of another kind
	OtherList   refusal.Code = "status.other_list"   // list of another address than the credential names
	OtherIssuer refusal.Code = "status.other_issuer" // list signed by somebody who is not tied to the credential's issuer
	Expired     refusal.Code = "status.expired"      // list that is out of date
	NotYet      refusal.Code = "status.not_yet"      // list of the future
	OutOfRange  refusal.Code = "status.out_of_range" // index behind the end of the list
	Revoked     refusal.Code = "status.revoked"      // credential that is invalid for ever
	Suspended   refusal.Code = "status.suspended"    // credential that is invalid for now
	Unknown     refusal.Code = "status.unknown"      // status whose meaning is not known
	Unchecked   refusal.Code = "status.unchecked"    // note: the credential names a list, and there is none
)

const (
	maxToken    = 16 << 20 // bytes of a list as it is signed
	maxUnpacked = 32 << 20 // bytes of statuses: 268 million credentials of one bit
	skew        = time.Minute
)

// Reference says where the status of a credential stands.
type Reference struct {
	URI   string `json:"uri"`
	Index int64  `json:"idx"`
}

// ReferenceIn reads the claim "status" of a credential in JSON; nil where it names no list.
func ReferenceIn(status any) (*Reference, error) {
	o, ok := status.(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the status is no object")
	}
	list, there := o["status_list"]
	if !there {
		return nil, refusal.New(Malformed, "the status is kept in a way that is not known")
	}
	entry, ok := list.(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the reference to the status list is no object")
	}
	uri, err := jose.Text(entry, "uri")
	if err != nil {
		return nil, refusal.New(Malformed, "the status list has no address")
	}
	number, _ := entry["idx"].(json.Number)
	index, err := number.Int64()
	if err != nil || index < 0 {
		return nil, refusal.New(Malformed, "the status has no index")
	}
	return &Reference{URI: uri, Index: index}, nil
}

// ReferenceInCBOR reads the status of a mobile document (draft section 6.3).
func ReferenceInCBOR(status []byte) (*Reference, error) {
	m, err := cose.Map(status)
	if err != nil {
		return nil, err
	}
	entry, err := cose.Map(m["status_list"])
	if err != nil {
		return nil, refusal.New(Malformed, "the status is kept in a way that is not known")
	}
	uri, err := cose.Text(entry["uri"])
	if err != nil {
		return nil, err
	}
	index, err := cose.Int(entry["idx"])
	if err != nil || index < 0 {
		return nil, refusal.New(Malformed, "the status has no index")
	}
	return &Reference{URI: uri, Index: index}, nil
}

// signedToken is what a JWT and a CWT have in common.
type signedToken interface {
	Certificates() ([]*pki.Certificate, error)
}

// List is a status list whose signature has not been verified yet.
type List struct {
	Subject         string        // its address
	Issued, Expires time.Time     // Expires is zero where it is not stated
	Life            time.Duration // for how long it may be kept (ttl); 0 where it is not stated
	Bits            int           // of one status: 1, 2, 4 or 8

	packed []byte
	token  signedToken
	verify func(*pki.PublicKey) error
}

// Parse reads a list as JWT or CWT.
func Parse(raw []byte) (*List, error) {
	if len(raw) > maxToken {
		return nil, refusal.New(TooLarge, "the status list has more than %d bytes", maxToken)
	}
	text := strings.TrimSpace(string(raw[:min(len(raw), 2)]))
	if strings.HasPrefix(text, "ey") { // a header that begins with {"
		return parseJWT(strings.TrimSpace(string(raw)))
	}
	return parseCWT(raw)
}

func parseJWT(raw string) (*List, error) {
	t, err := jose.ParseToken(raw, maxToken)
	if err != nil {
		return nil, err
	}
	if t.Type != "statuslist+jwt" {
		return nil, refusal.New(WrongType, "the token is no status list")
	}
	claims, err := t.Claims()
	if err != nil {
		return nil, err
	}
	l := &List{token: t, verify: t.Verify}
	if l.Subject, err = jose.Text(claims, "sub"); err != nil {
		return nil, err
	}
	if l.Issued, err = jose.Time(claims, "iat"); err != nil {
		return nil, err
	}
	if l.Expires, err = jose.Time(claims, "exp"); err != nil {
		return nil, err
	}
	if ttl, ok := claims["ttl"].(json.Number); ok {
		seconds, _ := ttl.Int64() // what is no number is not stated
		l.Life = lifeOf(seconds)
	}
	list, ok := claims["status_list"].(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the token has no status list")
	}
	number, _ := list["bits"].(json.Number)
	bits, _ := number.Int64() // 0 is refused below
	text, _ := list["lst"].(string)
	packed, err := jose.DecodeBase64(strings.TrimRight(text, "=")) // some pad it
	if err != nil {
		return nil, err
	}
	return l.holding(bits, packed)
}

// Claims of a CWT (RFC 8392 section 3.1, draft section 5.2).
const (
	claimSubject = 2
	claimExpires = 4
	claimIssued  = 6
	claimList    = 65533
	claimLife    = 65534
)

func parseCWT(raw []byte) (*List, error) {
	m, err := cose.ParseSign1(raw)
	if err != nil {
		return nil, err
	}
	if m.Type != "application/statuslist+cwt" && m.Type != "statuslist+cwt" {
		return nil, refusal.New(WrongType, "the token is no status list")
	}
	claims, err := cose.Integers(m.Payload)
	if err != nil {
		return nil, err
	}
	l := &List{token: m, verify: func(k *pki.PublicKey) error { return m.Verify(k, nil) }}
	if l.Subject, err = cose.Text(claims[claimSubject]); err != nil {
		return nil, err
	}
	for label, into := range map[int64]*time.Time{claimIssued: &l.Issued, claimExpires: &l.Expires} {
		if claims[label] == nil {
			continue
		}
		seconds, err := cose.Int(claims[label])
		if err != nil {
			return nil, err
		}
		if seconds < 0 || seconds > lastSecond {
			return nil, refusal.New(Malformed, "claim %d of the status list is no time", label)
		}
		*into = time.Unix(seconds, 0).UTC()
	}
	if seconds, err := cose.Int(claims[claimLife]); err == nil {
		l.Life = lifeOf(seconds)
	}
	list, err := cose.Map(claims[claimList])
	if err != nil {
		return nil, err
	}
	bits, err := cose.Int(list["bits"])
	if err != nil {
		return nil, err
	}
	packed, err := cose.Bytes(list["lst"])
	if err != nil {
		return nil, err
	}
	return l.holding(bits, packed)
}

// lastSecond is the end of the year 9999. Times far beyond it would turn into times of the past.
const lastSecond = 253402300799

// lifeOf returns a duration of so many seconds, at most a year; 0 where they make no sense.
func lifeOf(seconds int64) time.Duration {
	return time.Duration(min(max(seconds, 0), 365*24*3600)) * time.Second
}

func (l *List) holding(bits int64, packed []byte) (*List, error) {
	if bits != 1 && bits != 2 && bits != 4 && bits != 8 {
		return nil, refusal.New(Malformed, "a status has 1, 2, 4 or 8 bits")
	}
	if l.Issued.IsZero() {
		return nil, refusal.New(Malformed, "the status list does not say when it was issued")
	}
	l.Bits, l.packed = int(bits), packed
	return l, nil
}

// At unpacks the list, within limits, and returns one status.
func (l *List) At(index int64) (byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(l.packed))
	if err != nil {
		return 0, refusal.New(Malformed, "the status list is not packed as it should be")
	}
	perByte := int64(8 / l.Bits)
	at := &picker{at: index / perByte}
	n, err := io.Copy(at, io.LimitReader(z, maxUnpacked+1))
	switch {
	case n > maxUnpacked:
		return 0, refusal.New(TooLarge, "the status list unpacks to more than %d bytes", maxUnpacked)
	case err != nil:
		return 0, refusal.New(Malformed, "the status list is not packed as it should be")
	case index < 0 || at.at >= n:
		return 0, refusal.New(OutOfRange, "the list has no status %d", index)
	}
	return at.found >> (index % perByte * int64(l.Bits)) & (1<<l.Bits - 1), nil
}

// picker keeps one byte of what is written to it.
type picker struct {
	at, passed int64
	found      byte
}

// Write implements io.Writer.
func (p *picker) Write(b []byte) (int, error) {
	if i := p.at - p.passed; i >= 0 && i < int64(len(b)) {
		p.found = b[i]
	}
	p.passed += int64(len(b))
	return len(b), nil
}

// Lists are status lists by which credentials are looked up.
type Lists []*List

// For returns the list with the address that a credential names; the only one there is whatever its address, which Check then refuses;
// nil if there is none.
func (all Lists) For(r Reference) *List {
	for _, l := range all {
		if l.Subject == r.URI || len(all) == 1 {
			return l
		}
	}
	return nil
}

// Credential is what a list is asked about.
type Credential struct {
	Reference Reference
	Chain     *trust.Chain // of its signer
}

// Check reports why a credential is not good: the list is not the one that it names, not signed by its issuer, out of date, or says so.
// The list's signer is the credential's own, or somebody else under the same anchor.
func (l *List) Check(c Credential, store *trust.Store, now time.Time) error {
	if l.Subject != c.Reference.URI {
		return refusal.New(OtherList, "the credential names another status list")
	}
	signer, err := l.signer(c.Chain, store, now)
	if err != nil {
		return err
	}
	if err := l.verify(signer); err != nil {
		return err
	}
	switch {
	case l.Issued.After(now.Add(skew)):
		return refusal.New(NotYet, "the status list is of %s", l.Issued.Format(time.DateTime))
	case now.After(l.until().Add(skew)):
		return refusal.New(Expired, "the status list was good until %s", l.until().Format(time.DateTime))
	}
	status, err := l.At(c.Reference.Index)
	if err != nil {
		return err
	}
	switch status { // draft section 7.1
	case 0:
		return nil
	case 1:
		return refusal.New(Revoked, "the issuer revoked the credential")
	case 2:
		return refusal.New(Suspended, "the issuer suspended the credential")
	}
	return refusal.New(Unknown, "the credential has the status %d, whose meaning is not known", status)
}

// freshness is how long a list that does not say until when it is good is used.
const freshness = 24 * time.Hour

// until returns the moment after which a list is out of date (draft sections 5.1 and 13.7).
func (l *List) until() time.Time {
	switch {
	case !l.Expires.IsZero():
		return l.Expires
	case l.Life > 0:
		return l.Issued.Add(l.Life)
	}
	return l.Issued.Add(freshness)
}

// statusSigning is the extended key usage of those who sign status lists, by the number that the drafts use (section 10).
const statusSigning = "1.3.6.1.5.5.7.3.30"

// signer returns the key that may sign the list.
func (l *List) signer(of *trust.Chain, store *trust.Store, now time.Time) (*pki.PublicKey, error) {
	chain, err := l.token.Certificates()
	if err != nil {
		return nil, err
	}
	leaf := chain[0]
	if leaf.Key == nil {
		return nil, leaf.KeyFault
	}
	if leaf.Key.Equal(of.Path[0].Key) {
		return leaf.Key, nil
	}
	path, err := store.With(chain[1:]...).Chain(leaf, of.Anchor.Purpose, of.Anchor.Scope)
	if err == nil {
		err = path.CheckAt(now)
	}
	if err != nil || !bytes.Equal(path.Anchor.Certificate.Raw, of.Anchor.Certificate.Raw) || !mayStatus(leaf, of.Path[0]) {
		return nil, refusal.New(OtherIssuer, "%s may not say what became of credentials of %s", leaf.Subject, of.Path[0].Subject)
	}
	return leaf.Key, nil
}

// mayStatus reports whether a certificate under the same anchor is for status lists: by its extended key usage, or by having those
// of the credential's own signer.
func mayStatus(c, signer *pki.Certificate) bool {
	if c.CA || !c.Allows(pki.DigitalSignature) {
		return false
	}
	other := func(usage string) bool { return !slices.Contains(signer.ExtendedUsages, usage) }
	return slices.Contains(c.ExtendedUsages, statusSigning) || !slices.ContainsFunc(c.ExtendedUsages, other)
}

// State is what is known of a credential's status.
type State string

// The states. Only a list of the issuer makes one valid.
const (
	Valid      State = "valid"
	Invalid    State = "invalid"
	OnHold     State = "suspended"
	NotKnown   State = "unknown"     // a list was there and could not be used, or says something of unknown meaning
	NotChecked State = "not_checked" // the credential names a list, and there is none
	NotStated  State = "none"        // the credential names no list
)

// StateOf returns what the answer of Check means.
func StateOf(err error) State {
	if err == nil {
		return Valid
	}
	if why := refusal.Of(err); why != nil && why.Code == Revoked {
		return Invalid
	} else if why != nil && why.Code == Suspended {
		return OnHold
	}
	return NotKnown
}
