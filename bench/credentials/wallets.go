package credentials

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const (
	askPerson = `{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["` + wallettest.VCT + `"]},
		"claims": [{"path": ["family_name"]}, {"path": ["address", "locality"]}, {"path": ["nationalities", null], "values": ["UT"]}]}`
	askLicence = `{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "` + wallettest.DocType + `"},
		"claims": [{"path": ["` + wallettest.Space + `", "family_name"]}, {"path": ["` + wallettest.Space + `", "age_over_18"], "values": [true]}]}`
)

// questions are what wallets are asked for.
var questions = []struct{ what, query string }{
	{"SD-JWT VC", `{"credentials": [` + askPerson + `]}`},
	{"mobile document", `{"credentials": [` + askLicence + `]}`},
	{"both in one answer", `{"credentials": [` + askPerson + `,` + askLicence + `]}`},
}

// wallets judges answers to each question, encrypted and in the clear, from the bytes that a wallet posts to the verdict.
func wallets(ctx context.Context, o Options) ([]Timing, error) {
	var out []Timing
	for _, q := range questions {
		for _, mode := range []openid4vp.Mode{openid4vp.DirectPost, openid4vp.DirectPostJWT} {
			t, err := judged(ctx, o, q.what+" by "+string(mode), q.query, mode)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}

func judged(ctx context.Context, o Options, what, query string, mode openid4vp.Mode) (Timing, error) {
	person, licence := wallettest.NewIssuer(1), wallettest.NewDocumentIssuer(1)
	store := new(trust.Store)
	for _, a := range []trust.Anchor{
		{Certificate: person.Root.Cert, Purpose: trust.Issuer, Scope: wallettest.VCT},
		{Certificate: licence.Root.Cert, Purpose: trust.IACA, Scope: wallettest.DocType},
	} {
		if err := store.Accept(a); err != nil {
			return Timing{}, err
		}
	}
	q, err := openid4vp.ParseQuery([]byte(query))
	if err != nil {
		return Timing{}, err
	}
	r := &openid4vp.Request{Mode: mode, ClientID: wallettest.Audience, ResponseURI: "https://verifier.example/response", Query: q}
	if err := r.Ask(wallettest.Now, 5*time.Minute); err != nil {
		return Timing{}, err
	}
	raw, err := answer(r, person, licence)
	if err != nil {
		return Timing{}, err
	}
	return timed(ctx, what, o.Rounds, func() error {
		if report := r.Verify(raw, store, openid4vp.Options{Now: wallettest.Now.Add(time.Minute)}); !report.Satisfied {
			return fmt.Errorf("bench: refused: %v", report.Refusals)
		}
		return nil
	})
}

// answer is what a wallet posts: everything that its credentials hold, so that there is the most to verify.
func answer(r *openid4vp.Request, person, licence *wallettest.Issuer) ([]byte, error) {
	holder, tokens := wallettest.NewHolder(), map[string]any{}
	for _, q := range r.Query.Credentials {
		if q.Format == openid4vp.SDJWT {
			issued := person.Person(holder).Issue()
			tokens[q.ID] = []string{wallettest.Present(issued, holder, nil, map[string]any{"nonce": r.Nonce, "aud": r.ClientID})}
			continue
		}
		transcript, err := r.Transcript()
		if err != nil {
			return nil, err
		}
		response := licence.Licence(holder).Respond(wallettest.Device{Key: holder, Transcript: transcript}, nil)
		tokens[q.ID] = []string{base64.RawURLEncoding.EncodeToString(response)}
	}
	if r.Mode == openid4vp.DirectPostJWT {
		sealed, err := r.Seal(map[string]any{"vp_token": tokens, "state": r.State})
		return []byte(url.Values{"response": {sealed}}.Encode()), err
	}
	token, err := json.Marshal(tokens)
	return []byte(url.Values{"vp_token": {string(token)}, "state": {r.State}}.Encode()), err
}
