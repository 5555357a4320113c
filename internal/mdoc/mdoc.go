// Package mdoc verifies mobile documents (ISO/IEC 18013-5): what an issuer signed, and that the device to which it was issued
// presented it in this session.
//
// The report keeps two answers apart: whether a trusted issuer signed what was disclosed and it is in force, and whether its device
// presented it, to us and now. What was not checked is a note and never counts as passed. What a device signs itself is never taken for
// what the issuer signed.
package mdoc

import (
	"crypto/ecdh"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// The refusals and notes of this package.
const (
	Malformed           refusal.Code = "mdoc.malformed"            // no document, or a part that is missing or of another kind
	TooLarge            refusal.Code = "mdoc.too_large"            // more bytes or elements than are read
	Version             refusal.Code = "mdoc.version"              // response or document of an unknown version
	NotOK               refusal.Code = "mdoc.status"               // response that says that something went wrong
	DocumentCount       refusal.Code = "mdoc.document_count"       // none or several documents where one was asked for
	NothingDisclosed    refusal.Code = "mdoc.nothing_disclosed"    // document without an element
	TypeNotAsked        refusal.Code = "mdoc.type_not_asked"       // document of another type than was asked for
	TypeDiffers         refusal.Code = "mdoc.type_differs"         // document of another type than the one that was signed
	Digest              refusal.Code = "mdoc.digest"               // hash function that is not accepted
	DigestMismatch      refusal.Code = "mdoc.digest_mismatch"      // element that is not the one that was signed
	NotSigned           refusal.Code = "mdoc.not_signed"           // element or name space that the issuer did not sign
	ElementRepeated     refusal.Code = "mdoc.element_repeated"     // element or digest that occurs twice
	ShortRandom         refusal.Code = "mdoc.short_random"         // element whose digest could be guessed
	IssuerSignature     refusal.Code = "mdoc.issuer_signature"     // signature that the issuer's key did not make
	SignerUsage         refusal.Code = "mdoc.signer_usage"         // certificate that may not sign documents
	SignerProfile       refusal.Code = "mdoc.signer_profile"       // note: certificate with other purposes or validity than ISO/IEC 18013-5 has
	SignerCountry       refusal.Code = "mdoc.signer_country"       // signer of another state than the document's
	SignedOutside       refusal.Code = "mdoc.signed_outside"       // signed when the signer was not valid
	Dates               refusal.Code = "mdoc.dates"                // dates in an order that makes no sense
	Expired             refusal.Code = "mdoc.expired"              // document that is out of date
	NotYet              refusal.Code = "mdoc.not_yet"              // document of the future
	DeviceMissing       refusal.Code = "mdoc.device_missing"       // device did not sign, or in two ways
	DeviceSignature     refusal.Code = "mdoc.device_signature"     // signature that the device's key did not make for this session
	DeviceMac           refusal.Code = "mdoc.device_mac"           // authentication code where a signature is needed, or a wrong one
	NotAuthorised       refusal.Code = "mdoc.not_authorised"       // element that the device may not sign
	DeviceUnchecked     refusal.Code = "mdoc.device_unchecked"     // note: whether the device presented it was not asked
	RevocationUnchecked refusal.Code = "mdoc.revocation_unchecked" // note: nothing says how the signer's certificate stands
)

// Session is what the device has to have authenticated.
type Session struct {
	Transcript []byte           // SessionTranscript as CBOR, made of what the server kept and not of what was sent
	Reader     *ecdh.PrivateKey // reader's key of the session, for authentication codes; nil where only signatures are taken
}

// Options say against what a document is verified.
type Options struct {
	Now        time.Time
	Types      []string         // accepted docTypes; every one that has an anchor if there are none
	Session    *Session         // nil where the device need not be proved
	Status     statuslist.Lists // of issuers
	AnyProfile bool             // signers with other extended key usages than ISO/IEC 18013-5 has are noted instead of refused
}

// Elements are data elements by name space and identifier.
type Elements map[string]map[string]any

func (e Elements) set(space, name string, v any) bool {
	if e[space] == nil {
		e[space] = map[string]any{}
	}
	if _, twice := e[space][name]; twice {
		return false
	}
	e[space][name] = v
	return true
}

// Report is what verification found.
type Report struct {
	Authentic bool               // a trusted issuer signed all that was disclosed, and it is in force
	Bound     bool               // its device presented it, in this session
	Refusals  []*refusal.Refusal // why it is not authentic, or not bound though it has to be
	Notes     []*refusal.Refusal // what could not be checked

	Type       string // docType
	Signer     *pki.Certificate
	Trust      trust.Explanation
	Revocation trust.Revocation // of the signer's certificate
	Algorithm  int64            // of the issuer's signature, as COSE numbers it
	Digest     string           // of the elements
	Signed     time.Time
	ValidFrom  time.Time
	ValidUntil time.Time
	Reference  *statuslist.Reference // where its status stands, nil if nowhere
	Revoked    statuslist.State      // what is known of its status
	ByMac      bool                  // the device authenticated by code and not by signature: it cannot be shown to others

	// Claims are what the issuer signed and was disclosed; nil if anything was refused.
	Claims Elements
	// Disclosed are name spaces and identifiers of what was disclosed, also where it was refused.
	Disclosed []string
	// OfDevice is what the device says itself. It proves nothing about the holder; nil if anything was refused.
	OfDevice Elements

	claims, ofDevice Elements
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

// Verify verifies a DeviceResponse with one document, or an IssuerSigned that nobody presented. It goes on after a refusal as far as
// what follows does not depend on it.
func Verify(raw []byte, store *trust.Store, o Options) *Report {
	r := &Report{Revocation: trust.NotChecked, Revoked: statuslist.NotStated, Disclosed: []string{}, claims: Elements{}, ofDevice: Elements{}}
	d, err := parse(raw)
	if r.fail(err) {
		return r
	}
	object := r.checkIssuer(d, store, o)
	r.Authentic = len(r.Refusals) == 0
	if object != nil {
		r.checkDevice(d, object, o.Session)
	}
	if len(r.Refusals) == 0 {
		r.Claims, r.OfDevice = r.claims, r.ofDevice
	}
	return r
}

const (
	maxSize     = 8 << 20 // bytes of a response: portraits are in it
	maxElements = 500
)

// document is one document as received.
type document struct {
	kind      string // docType; empty in an IssuerSigned
	spaces    map[string]cose.Raw
	auth      cose.Raw // issuerAuth
	presented bool     // there is a part of the device
	ofDevice  cose.Raw // DeviceNameSpacesBytes
	proof     map[string]cose.Raw
}

// parse reads the frame of a response (ISO/IEC 18013-5 section 8.3.2.1.2.2). Keys that are not known are refused: one that was changed
// on the way would else read as one that is not there.
func parse(raw []byte) (*document, error) {
	if len(raw) > maxSize {
		return nil, refusal.New(TooLarge, "the response has more than %d bytes", maxSize)
	}
	top, err := cose.Map(raw)
	if err != nil {
		return nil, err
	}
	if _, issued := top["issuerAuth"]; issued {
		return (&document{}).readIssued(raw)
	}
	if top, err = cose.Fields(raw, 2, "version", "status", "documents", "documentErrors"); err != nil {
		return nil, err
	}
	if version, err := cose.Text(top["version"]); err != nil || version != "1.0" {
		return nil, refusal.New(Version, "the response is of an unknown version")
	}
	if status, err := cose.Int(top["status"]); err != nil || status != 0 {
		return nil, refusal.New(NotOK, "the response says that something went wrong")
	}
	list, err := cose.List(top["documents"])
	if err != nil || len(list) != 1 {
		return nil, refusal.New(DocumentCount, "the response has %d documents where one was asked for", len(list))
	}
	parts, err := cose.Fields(list[0], 3, "docType", "issuerSigned", "deviceSigned", "errors")
	if err != nil {
		return nil, err
	}
	d := &document{presented: true}
	if d.kind, err = cose.Text(parts["docType"]); err != nil {
		return nil, err
	}
	device, err := cose.Fields(parts["deviceSigned"], 2, "nameSpaces", "deviceAuth")
	if err != nil {
		return nil, err
	}
	d.ofDevice = device["nameSpaces"]
	if d.proof, err = cose.Fields(device["deviceAuth"], 0, "deviceSignature", "deviceMac"); err != nil {
		return nil, err
	}
	return d.readIssued(parts["issuerSigned"])
}

func (d *document) readIssued(raw []byte) (*document, error) {
	parts, err := cose.Fields(raw, 1, "issuerAuth", "nameSpaces")
	if err != nil {
		return nil, err
	}
	d.auth = parts["issuerAuth"]
	if parts["nameSpaces"] == nil {
		return nil, refusal.New(NothingDisclosed, "the document discloses nothing")
	}
	d.spaces, err = cose.Map(parts["nameSpaces"])
	return d, err
}
