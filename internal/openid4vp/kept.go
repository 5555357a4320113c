package openid4vp

import (
	"encoding/base64"
	"encoding/json"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// ParseRequest reads a request that was kept as JSON.
func ParseRequest(raw []byte) (*Request, error) {
	r := &Request{}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, refusal.New(BadRequest, "the kept request cannot be read")
	}
	return r, r.check()
}

// Verifier names who asks: the client_id, or the origin of the page by the browser's API.
func (r *Request) Verifier() string {
	if r.Mode.browser() {
		return r.Origin
	}
	return r.ClientID
}

// Pack returns presentations as text that JSON keeps unchanged: mobile documents by ISO/IEC 18013-7 are bytes.
func (r *Request) Pack(tokens map[string][]string) map[string][]string {
	if r.Mode != ISOMDoc {
		return tokens
	}
	out := map[string][]string{}
	for id, list := range tokens {
		for _, one := range list {
			out[id] = append(out[id], base64.RawURLEncoding.EncodeToString([]byte(one)))
		}
	}
	return out
}

// Unpack undoes Pack.
func (r *Request) Unpack(packed map[string][]string) (map[string][]string, error) {
	if r.Mode != ISOMDoc {
		return packed, nil
	}
	out := map[string][]string{}
	for id, list := range packed {
		for _, one := range list {
			raw, err := jose.DecodeBase64(one)
			if err != nil {
				return nil, err
			}
			out[id] = append(out[id], string(raw))
		}
	}
	return out, nil
}
