package sdjwt_test

import (
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// exchange is what another maker's wallet answered, with throw-away keys.
type exchange struct {
	Created time.Time
	Request struct {
		ClientID string `json:"client_id"`
		Nonce    string
		Origin   string
	}
	PIDRootPEM string `json:"pidRootPem"`
	DirectPost struct {
		VPToken string `json:"vp_token"`
	} `json:"direct_post"`
	DCAPI struct {
		VPToken map[string][]string `json:"vp_token"`
	} `json:"dc_api"`
	Negatives map[string]string
}

func TestAnswersOfAnotherMakersWallet(t *testing.T) {
	if os.Getenv("BONAFIDE_DATA") == "" {
		t.Skip("BONAFIDE_DATA is not set: no vectors/wallet")
	}
	for _, file := range []string{"wallet.json", "wallet_device_alg_undefined.json"} {
		raw, err := os.ReadFile(filepath.Join(os.Getenv("BONAFIDE_DATA"), "vectors", "wallet", file))
		if err != nil {
			t.Skip(err)
		}
		var x exchange
		if err := json.Unmarshal(raw, &x); err != nil {
			t.Fatal(err)
		}
		var posted map[string][]string
		if err := json.Unmarshal([]byte(x.DirectPost.VPToken), &posted); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name, raw, audience string
			want                refusal.Code
		}{
			{"V20 direct_post", posted["pid"][0], x.Request.ClientID, ""},
			{"V18 dc_api", x.DCAPI.VPToken["pid"][0], "origin:" + x.Request.Origin, ""},
			{"N32 a posted answer in the browser's API", posted["pid"][0], "origin:" + x.Request.Origin, sdjwt.BindingAudience},
			{"N30 another nonce", x.Negatives["kb_wrong_nonce"], x.Request.ClientID, sdjwt.BindingNonce},
			{"N31 another audience", x.Negatives["kb_wrong_aud"], x.Request.ClientID, sdjwt.BindingAudience},
			{"N28 the holder's token was taken out", x.Negatives["kb_stripped"], x.Request.ClientID, sdjwt.BindingMissing},
		} {
			t.Run(file+" "+c.name, func(t *testing.T) {
				r := sdjwt.Verify(c.raw, x.trusted(t, c.raw), sdjwt.Options{
					Now: x.Created.Add(time.Minute), Binding: &sdjwt.Binding{Nonce: x.Request.Nonce, Audience: c.audience},
				})
				if c.want == "" && r.Bound {
					return
				}
				if len(r.Refusals) != 1 || r.Refusals[0].Code != c.want {
					t.Errorf("refusals %v, want %q", r.Refusals, c.want)
				}
			})
		}
	}
}

// trusted trusts the root of the exchange for the type of the credential.
func (x *exchange) trusted(t *testing.T, raw string) *trust.Store {
	t.Helper()
	block, _ := pem.Decode([]byte(x.PIDRootPEM))
	root, err := pki.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	store := &trust.Store{}
	vct := sdjwt.Verify(raw, store, sdjwt.Options{Now: x.Created}).Type
	if err := store.Accept(trust.Anchor{Certificate: root, Purpose: trust.Issuer, Scope: vct}); err != nil {
		t.Fatal(err)
	}
	return store
}
