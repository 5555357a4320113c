package openid4vp

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Verifier is who asks: the key and the certificates that requests are signed with.
type Verifier struct {
	Key   *ecdsa.PrivateKey // on P-256
	Chain []*pki.Certificate
}

// The prefixes by which a certificate names a verifier (OpenID4VP 1.0 section 5.9.3).
const (
	prefixHost = "x509_san_dns:"
	prefixHash = "x509_hash:"
)

// HostID returns the client_id of a verifier by a host that its certificate names; HashID by the certificate itself.
func (v *Verifier) HostID(host string) string { return prefixHost + strings.ToLower(host) }

// HashID returns the client_id of a verifier by its certificate.
func (v *Verifier) HashID() string {
	sum := sha256.Sum256(v.Chain[0].Raw)
	return prefixHash + base64.RawURLEncoding.EncodeToString(sum[:])
}

// IsFor reports whether the verifier's certificate names a host.
func (v *Verifier) IsFor(host string) bool {
	return len(v.Chain) > 0 && slices.Contains(v.Chain[0].DNSNames, strings.ToLower(host))
}

// Check reports why wallets would not take requests that the verifier signs.
func (v *Verifier) Check() error {
	if v == nil || len(v.Chain) == 0 {
		return refusal.New(BadRequest, "the verifier needs a certificate of an authority")
	}
	return v.check(&Request{ClientID: v.HashID()})
}

// Ask completes a request: nonce, state, key and times are new.
func (r *Request) Ask(now time.Time, life time.Duration) error {
	r.Nonce, r.State, r.Made, r.Until = secret(), secret(), now.UTC(), now.Add(life).UTC()
	if r.Mode.encrypted() {
		key, err := ecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			return err
		}
		r.Private, r.Public, r.KeyID = key.Bytes(), key.PublicKey().Bytes(), secret()[:16]
	}
	return r.check()
}

// secret returns 256 random bits as text.
func secret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// selfIssued is the audience of requests whose wallet is not known (section 5.8).
const selfIssued = "https://self-issued.me/v2"

// Parameters returns the request as wallets read it (section 5).
func (r *Request) Parameters() (map[string]any, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	metadata := map[string]any{"vp_formats_supported": map[string]any{
		string(SDJWT): map[string]any{"sd-jwt_alg_values": jose.Algorithms, "kb-jwt_alg_values": jose.Algorithms},
		string(MDoc):  map[string]any{"issuerauth_alg_values": cose.Algorithms, "deviceauth_alg_values": cose.Algorithms},
	}}
	key, err := r.public()
	if err != nil {
		return nil, err
	}
	if key != nil {
		jwk := jose.Key(key)
		jwk["use"], jwk["alg"], jwk["kid"] = "enc", "ECDH-ES", r.KeyID
		metadata["jwks"] = map[string]any{"keys": []any{jwk}}
		metadata["encrypted_response_enc_values_supported"] = []string{"A128GCM", "A256GCM"}
	}
	out := map[string]any{
		"response_type": "vp_token", "response_mode": string(r.Mode), "nonce": r.Nonce, "dcql_query": r.Query, "client_metadata": metadata,
	}
	if !r.Mode.browser() {
		out["state"], out["response_uri"] = r.State, r.ResponseURI
	}
	if !r.Mode.browser() || r.Signed {
		out["client_id"], out["aud"] = r.ClientID, selfIssued
	}
	if r.Mode.browser() && r.Signed {
		out["expected_origins"] = []string{r.Origin}
	}
	return out, nil
}

// Object returns the signed request (RFC 9101), with the nonce of a wallet that posted one (section 5.10.1).
func (r *Request) Object(v *Verifier, walletNonce string) (string, error) {
	if err := v.check(r); err != nil {
		return "", err
	}
	parameters, err := r.Parameters()
	if err != nil {
		return "", err
	}
	parameters["iat"], parameters["exp"] = r.Made.Unix(), r.Until.Unix()
	if walletNonce != "" {
		parameters["wallet_nonce"] = walletNonce
	}
	var chain []string
	for _, c := range v.Chain {
		if !c.SelfIssued() { // the anchor is for the wallet to know
			chain = append(chain, base64.StdEncoding.EncodeToString(c.Raw))
		}
	}
	return sign(v.Key, map[string]any{"alg": "ES256", "typ": "oauth-authz-req+jwt", "x5c": chain}, parameters)
}

// check reports why wallets would not take the verifier's requests.
func (v *Verifier) check(r *Request) error {
	if v == nil || len(v.Chain) == 0 || v.Chain[0].Key == nil || v.Chain[0].SelfIssued() {
		return refusal.New(BadRequest, "the verifier needs a certificate of an authority")
	}
	leaf := v.Chain[0]
	public, err := v.Key.PublicKey.Bytes()
	if err != nil || leaf.Key.Curve == nil || leaf.Key.Curve.Name != "P-256" || string(leaf.Key.Point()) != string(public) {
		return refusal.New(BadRequest, "the certificate is of another key, or on another curve than P-256")
	}
	host, byHost := strings.CutPrefix(r.ClientID, prefixHost)
	switch {
	case !byHost && r.ClientID != v.HashID():
		return refusal.New(BadRequest, "the client_id is not of the verifier's certificate")
	case byHost && !slices.Contains(leaf.DNSNames, host):
		return refusal.New(BadRequest, "the certificate does not name the host of the client_id")
	case byHost && !r.Mode.browser() && hostOf(r.ResponseURI) != host:
		return refusal.New(BadRequest, "the response_uri is on another host than the client_id")
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// sign returns a compact token by ES256.
func sign(key *ecdsa.PrivateKey, header, payload map[string]any) (string, error) {
	var parts []string
	for _, part := range []map[string]any{header, payload} {
		raw, err := json.Marshal(part)
		if err != nil {
			return "", err
		}
		parts = append(parts, base64.RawURLEncoding.EncodeToString(raw))
	}
	text := strings.Join(parts, ".")
	digest := crypto.SHA256.New()
	digest.Write([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest.Sum(nil))
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	for i, half := range []*big.Int{r, s} {
		half.FillBytes(signature[32*i : 32*i+32])
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// Browser returns the request as the Digital Credentials API takes it: protocol and data. The verifier is needed where it is signed.
func (r *Request) Browser(v *Verifier) (map[string]any, error) {
	data := map[string]any{}
	var err error
	switch {
	case r.Mode == ISOMDoc:
		data, err = r.iso()
	case r.Signed:
		data["request"], err = r.Object(v, "")
	default:
		data, err = r.Parameters()
	}
	return map[string]any{"protocol": r.protocol(), "data": data}, err
}

// iso returns the request of ISO/IEC 18013-7 annex C.
func (r *Request) iso() (map[string]any, error) {
	info, err := r.EncryptionInfo()
	if err != nil {
		return nil, err
	}
	q := r.Query.Credentials[0]
	wanted := map[string]map[string]bool{}
	for _, c := range q.Claims {
		space, name := c.Path[0].(string), c.Path[1].(string)
		if wanted[space] == nil {
			wanted[space] = map[string]bool{}
		}
		wanted[space][name] = c.Retain != nil && *c.Retain
	}
	items := cose.Embed(cose.Encode(map[string]any{"docType": q.Meta.DocType, "nameSpaces": wanted}))
	request := cose.Encode(map[string]any{"version": "1.0", "docRequests": []any{map[string]any{"itemsRequest": cose.Raw(items)}}})
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]any{"deviceRequest": encode(request), "encryptionInfo": encode(info)}, nil
}
