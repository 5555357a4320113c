package mdoc

import (
	"bytes"
	"crypto"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// securityObject is a MobileSecurityObject (ISO/IEC 18013-5 section 9.1.2.4): what the issuer signed.
type securityObject struct {
	hash                  crypto.Hash
	digests               map[string]cose.Raw // by name space
	key                   *pki.PublicKey      // of the device
	spaces                map[string]bool     // name spaces of which the device may sign everything
	elements              map[string][]string // elements that it may sign
	kind                  string
	signed, from, through time.Time
	status                cose.Raw
}

// checkIssuer verifies what the issuer signed and who that was.
func (r *Report) checkIssuer(d *document, store *trust.Store, o Options) *securityObject {
	signed, err := cose.ParseSign1(d.auth)
	if r.fail(err) {
		return nil
	}
	if signed.Payload == nil {
		r.refuse(Malformed, "the issuer's signature is over nothing")
		return nil
	}
	r.Algorithm = signed.Algorithm
	object, err := r.readObject(signed.Payload)
	if r.fail(err) {
		return nil
	}
	r.Type = object.kind
	if d.presented && d.kind != object.kind {
		r.refuse(TypeDiffers, "the document is of another type than the one that was signed")
	}
	if len(o.Types) > 0 && !slices.Contains(o.Types, object.kind) {
		r.refuse(TypeNotAsked, "the document is of another type than was asked for")
	}
	r.compare(d, object)
	r.checkDates(object, o.Now)
	r.checkSigner(signed, object, store, o)
	r.checkStatus(object, store, o)
	return object
}

// hashes are the functions of section 9.1.2.5.
var hashes = map[string]crypto.Hash{"SHA-256": crypto.SHA256, "SHA-384": crypto.SHA384, "SHA-512": crypto.SHA512}

// readObject reads MobileSecurityObjectBytes. Keys that are not known are passed over: the issuer signed them.
func (r *Report) readObject(payload []byte) (*securityObject, error) {
	raw, err := cose.Embedded(payload)
	if err != nil {
		return nil, err
	}
	m, err := cose.Map(raw)
	if err != nil {
		return nil, err
	}
	if version, err := cose.Text(m["version"]); err != nil || version != "1.0" {
		return nil, refusal.New(Version, "the signed document is of an unknown version")
	}
	object := &securityObject{status: m["status"], spaces: map[string]bool{}, elements: map[string][]string{}}
	name, err := cose.Text(m["digestAlgorithm"])
	if err != nil {
		return nil, err
	}
	if object.hash = hashes[name]; object.hash == 0 {
		return nil, refusal.New(Digest, "the hash function of the elements is not accepted")
	}
	r.Digest = name
	if object.kind, err = cose.Text(m["docType"]); err != nil {
		return nil, err
	}
	if object.digests, err = cose.Map(m["valueDigests"]); err != nil {
		return nil, err
	}
	if err := object.readDates(m["validityInfo"]); err != nil {
		return nil, err
	}
	r.Signed, r.ValidFrom, r.ValidUntil = object.signed, object.from, object.through
	return object, object.readDevice(m["deviceKeyInfo"])
}

func (s *securityObject) readDates(raw []byte) error {
	m, err := cose.Map(raw)
	if err != nil {
		return err
	}
	for name, into := range map[string]*time.Time{"signed": &s.signed, "validFrom": &s.from, "validUntil": &s.through} {
		if *into, err = date(m[name]); err != nil {
			return err
		}
	}
	return nil
}

// tagDate is the tag of a date with its time as text (RFC 8949 section 3.4.1).
const tagDate = 0xC0

func date(raw []byte) (time.Time, error) {
	if len(raw) == 0 || raw[0] != tagDate {
		return time.Time{}, refusal.New(Malformed, "a date is missing or not written as one")
	}
	text, err := cose.Text(raw[1:])
	if err != nil {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, refusal.New(Malformed, "a date is missing or not written as one")
	}
	return at.UTC(), nil
}

func (s *securityObject) readDevice(raw []byte) error {
	m, err := cose.Map(raw)
	if err != nil {
		return err
	}
	if s.key, err = cose.ParseKey(m["deviceKey"]); err != nil || m["keyAuthorizations"] == nil {
		return err
	}
	may, err := cose.Map(m["keyAuthorizations"])
	if err != nil {
		return err
	}
	if may["nameSpaces"] != nil {
		list, err := texts(may["nameSpaces"])
		if err != nil {
			return err
		}
		for _, space := range list {
			s.spaces[space] = true
		}
	}
	if may["dataElements"] == nil {
		return nil
	}
	spaces, err := cose.Map(may["dataElements"])
	for space, list := range spaces {
		if s.elements[space], err = texts(list); err != nil {
			return err
		}
	}
	return err
}

func texts(raw []byte) ([]string, error) {
	list, err := cose.List(raw)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, one := range list {
		text, err := cose.Text(one)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// compare hashes every element as it was received and compares it with the digest that the issuer signed in its name space.
func (r *Report) compare(d *document, object *securityObject) {
	count := 0
	for _, space := range slices.Sorted(maps.Keys(d.spaces)) {
		items, err := cose.List(d.spaces[space])
		if r.fail(err) {
			return
		}
		if count += len(items); count > maxElements {
			r.refuse(TooLarge, "there are more than %d elements", maxElements)
			return
		}
		if object.digests[space] == nil {
			r.refuse(NotSigned, "the issuer signed nothing in a name space")
			continue
		}
		digests, err := cose.Integers(object.digests[space])
		if r.fail(err) {
			return
		}
		seen := map[int64]bool{}
		for _, item := range items {
			if err := r.element(space, item, digests, object.hash, seen); err != nil {
				r.fail(err)
			}
		}
	}
	if count == 0 {
		r.refuse(NothingDisclosed, "the document discloses nothing")
	}
}

// minRandom is how many bytes keep a digest from being guessed (ISO/IEC 18013-5 section 9.1.2.5).
const minRandom = 16

func (r *Report) element(space string, item cose.Raw, digests map[int64]cose.Raw, hash crypto.Hash, seen map[int64]bool) error {
	raw, err := cose.Embedded(item)
	if err != nil {
		return err
	}
	m, err := cose.Fields(raw, 4, "digestID", "random", "elementIdentifier", "elementValue")
	if err != nil {
		return err
	}
	name, err := cose.Text(m["elementIdentifier"])
	if err != nil {
		return err
	}
	r.Disclosed = append(r.Disclosed, space+"/"+name)
	id, err := cose.Int(m["digestID"])
	if err != nil {
		return err
	}
	if seen[id] {
		return refusal.New(ElementRepeated, "two elements are of one digest")
	}
	seen[id] = true
	want, err := cose.Bytes(digests[id])
	if err != nil {
		return refusal.New(NotSigned, "the issuer did not sign an element")
	}
	h := hash.New()
	h.Write(item)
	if !bytes.Equal(h.Sum(nil), want) {
		return refusal.New(DigestMismatch, "an element is not the one that was signed")
	}
	if random, err := cose.Bytes(m["random"]); err != nil || len(random) < minRandom {
		return refusal.New(ShortRandom, "the digest of an element could be guessed")
	}
	v, err := cose.Value(m["elementValue"])
	if err != nil {
		return err
	}
	if !r.claims.set(space, name, v) {
		return refusal.New(ElementRepeated, "an element occurs twice")
	}
	return nil
}

// skew is by how much clocks may differ.
const skew = time.Minute

// checkDates checks when the document is good (section 9.3.1): signed, then good from, then good until.
func (r *Report) checkDates(object *securityObject, now time.Time) {
	switch {
	case object.from.Before(object.signed) || object.through.Before(object.from):
		r.refuse(Dates, "the document was signed at %s and is good from %s to %s", object.signed.Format(time.DateTime),
			object.from.Format(time.DateTime), object.through.Format(time.DateTime))
	case object.from.After(now.Add(skew)):
		r.refuse(NotYet, "the document is good from %s", object.from.Format(time.DateTime))
	case !now.Before(object.through.Add(skew)):
		r.refuse(Expired, "the document was good until %s", object.through.Format(time.DateTime))
	}
}

// documentSigning is the extended key usage of those who sign mobile documents (section B.1.4).
const documentSigning = "1.0.18013.5.1.2"

// maxValidity is how long a signer's certificate may be valid (section B.1.4).
const maxValidity = 457 * 24 * time.Hour

// checkSigner verifies the issuer's signature and who made it. Nobody stands between a signer and the authority (section B.1.2).
func (r *Report) checkSigner(signed *cose.Message, object *securityObject, store *trust.Store, o Options) {
	chain, err := signed.Certificates()
	if r.fail(err) {
		return
	}
	leaf := chain[0]
	r.Signer = leaf
	if leaf.Key == nil {
		r.fail(leaf.KeyFault)
		return
	}
	if err := signed.Verify(leaf.Key, nil); err != nil {
		if refusal.Of(err).Code == cose.Signature {
			err = refusal.New(IssuerSignature, "the key of %s did not sign the document", leaf.Subject)
		}
		r.fail(err)
	}
	r.checkProfile(leaf, o)
	if !leaf.ValidAt(object.signed) {
		r.refuse(SignedOutside, "the document was signed on %s, when its signer was not valid", object.signed.Format(time.DateTime))
	}
	if r.ofAnotherState(leaf) {
		r.refuse(SignerCountry, "the signer is of another state than the document")
	}
	r.Trust = store.Explain(leaf, trust.IACA, object.kind)
	if r.Trust.Chain == nil {
		r.Refusals = append(r.Refusals, r.Trust.Refusal)
		return
	}
	r.fail(r.Trust.Chain.CheckAt(o.Now))
	r.Revocation, err = store.Revocation(r.Trust.Chain, o.Now)
	if !r.fail(err) && r.Revocation == trust.NotChecked {
		r.note(RevocationUnchecked, "there is no revocation list of %s", leaf.Issuer)
	}
}

// checkProfile checks what the certificate is for. Authorities also have signers of lists and of requests, and servers.
func (r *Report) checkProfile(leaf *pki.Certificate, o Options) {
	signs := leaf.Allows(pki.DigitalSignature) && slices.Contains(leaf.ExtendedUsages, documentSigning)
	switch {
	case leaf.CA:
		r.refuse(SignerUsage, "%s is an authority and may not sign documents", leaf.Subject)
	case !signs && !o.AnyProfile:
		r.refuse(SignerUsage, "%s may not sign documents", leaf.Subject)
	case !signs:
		r.note(SignerProfile, "the certificate of %s does not say that it is for signing documents", leaf.Subject)
	case leaf.NotAfter.Sub(leaf.NotBefore) > maxValidity:
		r.note(SignerProfile, "the certificate of %s is valid for longer than 457 days", leaf.Subject)
	}
}

// ofAnotherState reports whether the document names another issuing state than its signer's, in any of the name spaces that were
// disclosed.
func (r *Report) ofAnotherState(leaf *pki.Certificate) bool {
	for _, elements := range r.claims {
		if country, there := elements["issuing_country"]; there && country != leaf.Subject.Country {
			return true
		}
	}
	return false
}

// checkStatus looks the document up in its status list, as sdjwt does.
func (r *Report) checkStatus(object *securityObject, store *trust.Store, o Options) {
	if object.status == nil {
		return
	}
	r.Revoked = statuslist.NotChecked
	var err error
	if r.Reference, err = statuslist.ReferenceInCBOR(object.status); r.fail(err) || r.Trust.Chain == nil {
		return
	}
	list := o.Status.For(*r.Reference)
	if list == nil {
		r.note(statuslist.Unchecked, "there is no status list of the document")
		return
	}
	err = list.Check(statuslist.Credential{Reference: *r.Reference, Chain: r.Trust.Chain}, store, o.Now)
	r.Revoked = statuslist.StateOf(err)
	r.fail(err)
}
