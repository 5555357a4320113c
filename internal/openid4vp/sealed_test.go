package openid4vp_test

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// FuzzSealed encrypts anything to the key of the request, as any wallet can: what lies behind the encryption (the state, the
// vp_token and its presentations) crashes nothing, and nothing satisfies the request but credentials for all of it.
// FuzzVerify does not reach it, because a change to an encrypted answer fails its tag.
func FuzzSealed(f *testing.F) {
	d := newDesk(f, openid4vp.DirectPostJWT, both)
	d.pin(f)
	sound := asJSON(f, map[string]any{"vp_token": d.vpToken(f), "state": d.request.State})
	if r := d.verify([]byte("response=" + d.seal(f, json.RawMessage(sound)))); !r.Satisfied {
		f.Fatalf("a sound answer is refused: %v", codes(r.Refusals))
	}
	f.Add(sound)
	f.Add(asJSON(f, map[string]any{"error": "access_denied", "state": d.request.State}))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if !json.Valid(payload) {
			return
		}
		r := d.verify([]byte("response=" + d.seal(t, json.RawMessage(payload))))
		if r.Satisfied && len(r.Credentials) != len(d.request.Query.Credentials) {
			t.Errorf("%d credentials satisfy it", len(r.Credentials))
		}
	})
}
