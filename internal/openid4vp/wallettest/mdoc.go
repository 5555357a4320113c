package wallettest

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
)

// The mobile document of the tests.
const (
	DocType = "org.iso.18013.5.1.mDL"
	Space   = "org.iso.18013.5.1"
	// DocumentSigning is the extended key usage of those who sign mobile documents.
	DocumentSigning = "1.0.18013.5.1.2"
)

// NewDocumentIssuer returns an issuer of mobile documents.
func NewDocumentIssuer(number int) *Issuer {
	root := emrtdtest.NewAuthority("UT", Sound, 60+number)
	return &Issuer{Root: root, Signer: root.Issue(emrtdtest.Template{
		Name: "Document Signer", Extended: []string{DocumentSigning}, From: Now.AddDate(0, -3, 0), To: Now.AddDate(0, 10, 0),
	}, emrtdtest.NewKey(Sound, 80+number))}
}

// Item is one data element with the digest that it is signed by.
type Item struct {
	ID     int
	Random []byte
	Name   string
	Value  any
}

// Bytes returns IssuerSignedItemBytes.
func (i Item) Bytes() cbor.RawMessage {
	return cose.Embed(cose.Encode(map[string]any{"digestID": i.ID, "random": i.Random, "elementIdentifier": i.Name, "elementValue": i.Value}))
}

// Document is a mobile document before it is signed.
type Document struct {
	Kind      string            // docType in the frame
	Sent      map[string][]Item // what is disclosed
	Object    map[string]any    // MobileSecurityObject
	Protected map[int]any
	Open      map[int]any // headers that are not signed
	Key       *emrtdtest.Key
}

// Date returns a time as documents have it.
func Date(t time.Time) cbor.Tag {
	return cbor.Tag{Number: 0, Content: t.UTC().Format("2006-01-02T15:04:05Z")}
}

// Licence returns a driving licence whose elements are all disclosed.
func (i *Issuer) Licence(holder *ecdsa.PrivateKey) *Document {
	items := []Item{
		{0, random(16), "family_name", "Mustermann"}, {1, random(32), "given_name", "Erika"},
		{2, random(16), "birth_date", cbor.Tag{Number: 1004, Content: "1984-08-12"}},
		{3, random(16), "issuing_country", "UT"}, {4, random(16), "portrait", []byte{0xFF, 0xD8}}, {5, random(16), "age_over_18", true},
		{6, random(16), "driving_privileges", []any{map[string]any{"vehicle_category_code": "B", "issue_date": cbor.Tag{Number: 1004, Content: "2018-08-09"}}}},
	}
	d := &Document{
		Kind: DocType, Sent: map[string][]Item{Space: items},
		Protected: map[int]any{1: -7}, Open: map[int]any{33: i.Signer.Raw}, Key: i.Signer.Key,
	}
	d.Object = map[string]any{
		"version": "1.0", "digestAlgorithm": "SHA-256", "docType": DocType, "valueDigests": Digests(d.Sent),
		"deviceKeyInfo": map[string]any{"deviceKey": COSEKey(&holder.PublicKey)},
		"validityInfo": map[string]any{
			"signed": Date(Now.AddDate(0, 0, -1)), "validFrom": Date(Now.AddDate(0, 0, -1)), "validUntil": Date(Now.AddDate(0, 0, 13)),
		},
	}
	return d
}

// Digests returns the digests of elements by name space.
func Digests(sent map[string][]Item) map[string]any {
	out := map[string]any{}
	for space, items := range sent {
		digests := map[int]any{}
		for _, item := range items {
			sum := sha256.Sum256(item.Bytes())
			digests[item.ID] = sum[:]
		}
		out[space] = digests
	}
	return out
}

// COSEKey returns a public key as COSE has it.
func COSEKey(k *ecdsa.PublicKey) map[int]any {
	point, err := k.Bytes()
	if err != nil {
		panic(err)
	}
	return map[int]any{1: 2, -1: 1, -2: point[1:33], -3: point[33:]}
}

// Issue returns IssuerSigned.
func (d *Document) Issue() map[string]any {
	spaces := map[string]any{}
	for space, items := range d.Sent {
		all := []any{}
		for _, item := range items {
			all = append(all, item.Bytes())
		}
		spaces[space] = all
	}
	payload := cose.Embed(cose.Encode(d.Object))
	return map[string]any{"nameSpaces": spaces, "issuerAuth": cbor.RawMessage(Sign1(d.Key, d.Protected, d.Open, payload))}
}

// Device is what authenticates a document.
type Device struct {
	Key        *ecdsa.PrivateKey
	Transcript []byte
	Algorithm  any             // of the signature; -7 unless given
	Reader     *ecdh.PublicKey // authenticates by code for this reader's key, where given
	Says       map[string]any  // name spaces that the device signs
}

// Respond returns a DeviceResponse. change sees it before it is encoded; it may be nil.
func (d *Document) Respond(by Device, change func(response, document map[string]any)) []byte {
	if by.Says == nil {
		by.Says = map[string]any{}
	}
	says := cose.Embed(cose.Encode(by.Says))
	message := cose.Embed(cose.Encode([]any{"DeviceAuthentication", cbor.RawMessage(by.Transcript), d.Kind, cbor.RawMessage(says)}))
	document := map[string]any{
		"docType": d.Kind, "issuerSigned": d.Issue(),
		"deviceSigned": map[string]any{"nameSpaces": cbor.RawMessage(says), "deviceAuth": by.authenticate(message)},
	}
	response := map[string]any{"version": "1.0", "status": 0, "documents": []any{document}}
	if change != nil {
		change(response, document)
	}
	return cose.Encode(response)
}

func (by Device) authenticate(message []byte) map[string]any {
	if by.Reader == nil {
		if by.Algorithm == nil {
			by.Algorithm = -7
		}
		head := cose.Encode(map[int]any{1: by.Algorithm})
		signature := SignPlain(by.Key, cose.Encode([]any{"Signature1", head, []byte{}, message}))
		return map[string]any{"deviceSignature": []any{head, map[int]any{}, nil, signature}}
	}
	private, err := by.Key.ECDH()
	if err != nil {
		panic(err)
	}
	shared, err := private.ECDH(by.Reader)
	if err != nil {
		panic(err)
	}
	salt := sha256.Sum256(cose.Embed(by.Transcript))
	key, err := hkdf.Key(sha256.New, shared, salt[:], "EMacKey", 32)
	if err != nil {
		panic(err)
	}
	head := cose.Encode(map[int]any{1: 5})
	code := hmac.New(sha256.New, key)
	code.Write(cose.Encode([]any{"MAC0", head, []byte{}, message}))
	return map[string]any{"deviceMac": []any{head, map[int]any{}, nil, code.Sum(nil)}}
}
