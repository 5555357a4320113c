package openid4vp_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// verifier returns a verifier whose certificate is for verifier.example.
func verifier(t testing.TB) *openid4vp.Verifier {
	t.Helper()
	key, chain := wallettest.NewVerifier("verifier.example")
	return &openid4vp.Verifier{Key: key, Chain: []*pki.Certificate{chain[0].Cert, chain[1].Cert}}
}

func TestASignedRequestSaysWhoAsksAndForWhat(t *testing.T) {
	v := verifier(t)
	for name, id := range map[string]string{"by its host": v.HostID("Verifier.example"), "by its certificate": v.HashID()} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, openid4vp.DirectPostJWT, both)
			d.request.ClientID = id
			object, err := d.request.Object(v, "of the wallet")
			if err != nil {
				t.Fatal(err)
			}
			signed, err := jose.ParseSigned(object, []jose.SignatureAlgorithm{jose.ES256})
			if err != nil {
				t.Fatal(err)
			}
			payload, err := signed.Verify(&v.Key.PublicKey)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(payload, &got); err != nil {
				t.Fatal(err)
			}
			for field, want := range map[string]any{
				"client_id": id, "nonce": d.request.Nonce, "state": d.request.State, "wallet_nonce": "of the wallet", "response_mode": "direct_post.jwt",
				"response_uri": d.request.ResponseURI, "aud": "https://self-issued.me/v2", "response_type": "vp_token",
			} {
				if got[field] != want {
					t.Errorf("%s is %v, want %v", field, got[field], want)
				}
			}
			if again, err := d.request.Object(v, ""); err != nil || again == "" {
				t.Errorf("V22: it cannot be fetched again: %v", err)
			}
		})
	}
}

func TestRequestsThatNoWalletWouldTakeAreRefused(t *testing.T) {
	v := verifier(t)
	self := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Usage: 0x80}, emrtdtest.NewKey(wallettest.Sound, 99))
	for name, change := range map[string]func(*openid4vp.Request) *openid4vp.Verifier{
		"the certificate is for another host": func(r *openid4vp.Request) *openid4vp.Verifier { r.ClientID = v.HostID("other.example"); return v },
		"the answer goes to another host": func(r *openid4vp.Request) *openid4vp.Verifier {
			r.ResponseURI = "https://other.example/response"
			return v
		},
		"the answer goes over plain HTTP": func(r *openid4vp.Request) *openid4vp.Verifier {
			r.ResponseURI = "http://verifier.example/response"
			return v
		},
		"the hash is of another certificate": func(r *openid4vp.Request) *openid4vp.Verifier { r.ClientID = v.HashID() + "x"; return v },
		"the key is another": func(*openid4vp.Request) *openid4vp.Verifier {
			return &openid4vp.Verifier{Key: wallettest.NewHolder(), Chain: v.Chain}
		},
		"the certificate vouches for itself": func(*openid4vp.Request) *openid4vp.Verifier {
			return &openid4vp.Verifier{Key: v.Key, Chain: []*pki.Certificate{self.Cert}}
		},
		"there is no nonce": func(r *openid4vp.Request) *openid4vp.Verifier { r.Nonce = "short"; return v },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, openid4vp.DirectPostJWT, both)
			d.request.ClientID = v.HostID("verifier.example")
			_, err := d.request.Object(change(d.request), "")
			if why := refusal.Of(err); why == nil || why.Code != openid4vp.BadRequest {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestARequestThatWasKeptIsTheSameAgain(t *testing.T) {
	for mode, query := range modes {
		d := newDesk(t, mode, query)
		raw := d.answer(t)
		var again openid4vp.Request
		if err := json.Unmarshal(asJSON(t, d.request), &again); err != nil {
			t.Fatal(err)
		}
		if r := again.Verify(raw, d.store, openid4vp.Options{Now: wallettest.Now.Add(time.Minute)}); !r.Satisfied {
			t.Errorf("%s: refusals %v", mode, r.Refusals)
		}
	}
}
