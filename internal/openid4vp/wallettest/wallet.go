package wallettest

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/fxamacker/cbor/v2"
)

// Asked is a request as a wallet reads it.
type Asked struct {
	ClientID, Nonce, State, ResponseURI string
	Origin                              string // of the page, by the browser's API
	Protocol                            string // of the browser's API
	Mode                                string
	Query                               Query
	Key                                 *ecdh.PublicKey // nil where the answer is not encrypted
	KeyID                               string
	Info                                string // encryptionInfo, by ISO/IEC 18013-7
	Enc                                 jose.ContentEncryption
}

// Query is the part of DCQL that the wallet understands.
type Query struct {
	Credentials []struct {
		ID     string
		Format string
		Meta   struct {
			Types   []string `json:"vct_values"`
			DocType string   `json:"doctype_value"`
		}
		Claims []struct{ Path []any }
	}
}

// ReadObject reads a signed request, without verifying it.
func ReadObject(object string) Asked {
	raw, err := base64.RawURLEncoding.DecodeString(strings.Split(object, ".")[1])
	if err != nil {
		panic(err)
	}
	return ReadParameters(raw)
}

// ReadParameters reads the parameters of a request.
func ReadParameters(raw []byte) Asked {
	var p struct {
		ClientID    string `json:"client_id"`
		Nonce       string
		State       string
		ResponseURI string `json:"response_uri"`
		Mode        string `json:"response_mode"`
		Query       Query  `json:"dcql_query"`
		Metadata    struct {
			JWKS struct{ Keys []jose.JSONWebKey }
		} `json:"client_metadata"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		panic(err)
	}
	a := Asked{ClientID: p.ClientID, Nonce: p.Nonce, State: p.State, ResponseURI: p.ResponseURI, Mode: p.Mode, Query: p.Query, Enc: jose.A128GCM}
	if keys := p.Metadata.JWKS.Keys; len(keys) > 0 {
		key, err := keys[0].Key.(*ecdsa.PublicKey).ECDH()
		if err != nil {
			panic(err)
		}
		a.Key, a.KeyID = key, keys[0].KeyID
	}
	return a
}

// ReadBrowser reads one request of the browser's API. Of ISO/IEC 18013-7 it takes what is asked for as given in q.
func ReadBrowser(request map[string]any, origin string, q Query) Asked {
	data := request["data"].(map[string]any)
	protocol := request["protocol"].(string)
	var a Asked
	switch {
	case protocol == "org-iso-mdoc":
		a = Asked{Query: q, Info: data["encryptionInfo"].(string)}
		info, err := base64.RawURLEncoding.DecodeString(a.Info)
		if err != nil {
			panic(err)
		}
		var parts []cbor.RawMessage
		var parameters struct {
			Key map[int]cbor.RawMessage `cbor:"recipientPublicKey"`
		}
		must(cbor.Unmarshal(info, &parts))
		must(cbor.Unmarshal(parts[1], &parameters))
		var x, y []byte
		must(cbor.Unmarshal(parameters.Key[-2], &x))
		must(cbor.Unmarshal(parameters.Key[-3], &y))
		a.Key, err = ecdh.P256().NewPublicKey(append(append([]byte{4}, x...), y...))
		must(err)
	case data["request"] != nil:
		a = ReadObject(data["request"].(string))
	default:
		a = ReadParameters(toJSON(data))
	}
	a.Origin, a.Protocol = origin, protocol
	return a
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// audience is whom the holder names.
func (a Asked) audience() string {
	if a.Origin != "" {
		return "origin:" + a.Origin
	}
	return a.ClientID
}

func (a Asked) ecdsa() *ecdsa.PublicKey {
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), a.Key.Bytes())
	must(err)
	return key
}

// Transcript is the wallet's own reading of what its device signs.
func (a Asked) Transcript() []byte {
	var thumbprint []byte
	if a.Key != nil {
		sum, err := (&jose.JSONWebKey{Key: a.ecdsa()}).Thumbprint(crypto.SHA256)
		must(err)
		thumbprint = sum
	}
	name, info := "OpenID4VPHandover", []any{a.ClientID, a.Nonce, thumbprint, a.ResponseURI}
	switch {
	case a.Info != "":
		name, info = "dcapi", []any{a.Info, a.Origin}
	case a.Origin != "":
		name, info = "OpenID4VPDCAPIHandover", []any{a.Origin, a.Nonce, thumbprint}
	}
	sum := sha256.Sum256(cose.Encode(info))
	return cose.Encode([]any{nil, nil, []any{name, sum[:]}})
}

// Seal encrypts an answer to the key of the request.
func (a Asked) Seal(payload any) string {
	e, err := jose.NewEncrypter(a.Enc, jose.Recipient{Algorithm: jose.ECDH_ES, Key: a.ecdsa(), KeyID: a.KeyID}, nil)
	must(err)
	sealed, err := e.Encrypt(toJSON(payload))
	must(err)
	text, err := sealed.CompactSerialize()
	must(err)
	return text
}

// Wallet holds credentials of one holder.
type Wallet struct {
	Holder    *ecdsa.PrivateKey
	PID       *Credential // nil for none
	Documents []*Document
	Generous  bool // discloses everything, whatever was asked for
}

// Token returns vp_token: one presentation for the first credential of the query that the wallet has.
func (w *Wallet) Token(a Asked) map[string]any {
	for _, q := range a.Query.Credentials {
		if w.PID != nil && slices.Contains(q.Meta.Types, w.PID.Payload["vct"].(string)) {
			names := map[string]bool{}
			for _, c := range q.Claims {
				names[c.Path[0].(string)] = true
			}
			return map[string]any{q.ID: []string{w.present(a, names)}}
		}
		for _, d := range w.Documents {
			if d.Kind == q.Meta.DocType {
				names := map[string]bool{}
				for _, c := range q.Claims {
					names[c.Path[0].(string)+"/"+c.Path[1].(string)] = true
				}
				return map[string]any{q.ID: []string{base64.RawURLEncoding.EncodeToString(w.respond(a, d, names))}}
			}
		}
	}
	return nil
}

func (w *Wallet) present(a Asked, names map[string]bool) string {
	c := *w.PID
	c.Disclosures = slices.DeleteFunc(slices.Clone(c.Disclosures), func(d Disclosure) bool { return !w.Generous && !names[d.name()] })
	return Present(c.Issue(), w.Holder, nil, map[string]any{"nonce": a.Nonce, "aud": a.audience(), "iat": time.Now().Unix()})
}

func (w *Wallet) respond(a Asked, d *Document, names map[string]bool) []byte {
	some := *d
	some.Sent = map[string][]Item{}
	for space, items := range d.Sent {
		kept := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return !w.Generous && !names[space+"/"+i.Name] })
		if len(kept) > 0 {
			some.Sent[space] = kept
		}
	}
	return some.Respond(Device{Key: w.Holder, Transcript: a.Transcript()}, nil)
}

// name is the name of a disclosed claim; empty for an element.
func (d Disclosure) name() string {
	raw, err := base64.RawURLEncoding.DecodeString(d.Text)
	must(err)
	var parts []any
	must(json.Unmarshal(raw, &parts))
	if len(parts) < 3 {
		return ""
	}
	return parts[1].(string)
}

// Form returns what the wallet posts.
func (w *Wallet) Form(a Asked) url.Values {
	token := w.Token(a)
	switch {
	case token == nil:
		return url.Values{"error": {"access_denied"}, "state": {a.State}}
	case a.Mode == "direct_post":
		return url.Values{"vp_token": {string(toJSON(token))}, "state": {a.State}}
	}
	return url.Values{"response": {a.Seal(map[string]any{"vp_token": token, "state": a.State})}}
}

// Browser returns what the browser's API hands to the page.
func (w *Wallet) Browser(a Asked) map[string]any {
	if a.Info == "" {
		return map[string]any{"protocol": a.Protocol, "data": map[string]any{"response": a.Seal(map[string]any{"vp_token": w.Token(a)})}}
	}
	names := map[string]bool{}
	for _, c := range a.Query.Credentials[0].Claims {
		names[c.Path[0].(string)+"/"+c.Path[1].(string)] = true
	}
	i := slices.IndexFunc(w.Documents, func(d *Document) bool { return d.Kind == a.Query.Credentials[0].Meta.DocType })
	key, err := hpke.NewDHKEMPublicKey(a.Key)
	must(err)
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES128GCM(), a.Transcript())
	must(err)
	sealed, err := sender.Seal(nil, w.respond(a, w.Documents[i], names))
	must(err)
	raw := cose.Encode([]any{"dcapi", map[string]any{"enc": enc, "cipherText": sealed}})
	return map[string]any{"protocol": a.Protocol, "data": map[string]any{"response": base64.RawURLEncoding.EncodeToString(raw)}}
}

// IssuerAt returns an issuer of SD-JWT credentials and mobile documents whose certificates are valid around a moment.
func IssuerAt(number int, now time.Time) *Issuer {
	root := emrtdtest.NewRoot(emrtdtest.Template{
		Serial: int64(300 + number), Country: "UT", CA: true, From: now.AddDate(-1, 0, 0), To: now.AddDate(9, 0, 0),
	}, emrtdtest.NewKey(Sound, 20+number))
	signer := root.Issue(emrtdtest.Template{
		Name: "Signer", Serial: int64(number), Extended: []string{DocumentSigning, "1.3.6.1.4.1.99999.1"}, Extra: [][]byte{HostName("issuer.example")},
		From: now.AddDate(0, -1, 0), To: now.AddDate(0, 11, 0),
	}, emrtdtest.NewKey(Sound, 40+number))
	return &Issuer{Root: root, Signer: signer}
}

// PID returns personal identification data as SD-JWT VC, issued at a moment. Every claim is disclosed on its own.
func (i *Issuer) PID(holder *ecdsa.PublicKey, vct string, now time.Time, claims map[string]any) *Credential {
	c := &Credential{
		Header: map[string]any{"alg": "ES256", "typ": "dc+sd-jwt", "x5c": []string{base64.StdEncoding.EncodeToString(i.Signer.Raw)}},
		Payload: map[string]any{
			"iss": "https://issuer.example/pid", "vct": vct, "iat": now.Add(-time.Hour).Unix(), "exp": now.Add(22 * time.Hour).Unix(),
			"cnf": map[string]any{"jwk": JWK(holder)}, "_sd_alg": "sha-256", "_sd": []string{},
		},
		Key: i.Signer.Key,
	}
	for name, v := range claims {
		c.Hide(Disclose(name, v))
	}
	return c
}

// Document returns a mobile document of one name space, issued at a moment.
func (i *Issuer) Document(holder *ecdsa.PublicKey, kind string, now time.Time, elements map[string]map[string]any) *Document {
	d := &Document{Kind: kind, Sent: map[string][]Item{}, Protected: map[int]any{1: -7}, Open: map[int]any{33: i.Signer.Raw}, Key: i.Signer.Key}
	for space, all := range elements {
		for name, v := range all {
			d.Sent[space] = append(d.Sent[space], Item{len(d.Sent[space]), random(16), name, v})
		}
	}
	d.Object = map[string]any{
		"version": "1.0", "digestAlgorithm": "SHA-256", "docType": kind, "valueDigests": Digests(d.Sent),
		"deviceKeyInfo": map[string]any{"deviceKey": COSEKey(holder)},
		"validityInfo":  map[string]any{"signed": Date(now.Add(-time.Hour)), "validFrom": Date(now.Add(-time.Hour)), "validUntil": Date(now.Add(22 * time.Hour))},
	}
	return d
}

// Day is a full-date as mobile documents have it.
func Day(text string) cbor.Tag { return cbor.Tag{Number: 1004, Content: text} }

// Payload returns the payload of a token, without verifying it.
func Payload(token string) map[string]any {
	raw, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	must(err)
	var out map[string]any
	must(json.Unmarshal(raw, &out))
	return out
}
