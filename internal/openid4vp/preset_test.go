package openid4vp_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

func TestPresetsAreQueriesThatCanBeAsked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		preset openid4vp.Preset
		ids    []string
		sets   int
	}{
		"personal identification data": {
			openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskPID}, Portrait: true}, []string{"pid_sd_jwt", "pid_mdoc"}, 1,
		},
		"a driving licence": {openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskMDL}}, []string{"mdl"}, 0},
		"either of the two": {openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskPID, idv.AskMDL}}, []string{"pid_sd_jwt", "pid_mdoc", "mdl"}, 1},
		"others beside a preset": {
			openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskMDL}, Others: []idv.WalletOther{
				{Format: idv.WalletSDJWT, Type: "urn:example:membership:1", Claims: []idv.WalletClaim{{Path: []string{"a"}, Optional: true}, {Path: []string{"b", "c"}}}},
				{Format: idv.WalletMDoc, Type: "org.example.1", Claims: []idv.WalletClaim{{Path: []string{"org.example.1", "a"}}}},
			}}, []string{"mdl", "other_1", "other_2"}, 1,
		},
		"an age, by any credential that attests to one": {
			openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskAge}, Age: 21}, []string{"proof_of_age", "pid_sd_jwt", "pid_mdoc", "mdl"}, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := tt.preset.Query()
			raw, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := openid4vp.ParseQuery(raw); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			var ids []string
			for _, c := range q.Credentials {
				ids = append(ids, c.ID)
			}
			if !slices.Equal(ids, tt.ids) || len(q.Sets) != tt.sets {
				t.Errorf("asks for %v in %d sets", ids, len(q.Sets))
			}
		})
	}
}

func TestAnAgeIsAskedForByOneClaimEach(t *testing.T) {
	t.Parallel()
	for _, c := range (openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskAge}, Age: 21, Portrait: true}).Query().Credentials {
		if asked := c.Asked(); len(asked) != 1 || len(c.ClaimSets) != 0 {
			t.Errorf("%s is asked for %v", c.ID, asked)
		}
	}
}

func TestWhatIsDisclosedBeyondTheQuery(t *testing.T) {
	t.Parallel()
	q := (openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskAge}, Age: 18}).Query()
	sd, licence := q.Credentials[1], q.Credentials[3]
	for name, tt := range map[string]struct {
		of        openid4vp.CredentialQuery
		disclosed []string
		want      bool
	}{
		"the claim":                      {sd, []string{"age_equal_or_over.18"}, false},
		"the claim within its object":    {sd, []string{"age_equal_or_over", "age_equal_or_over.18"}, false},
		"another claim":                  {sd, []string{"age_equal_or_over.18", "family_name"}, true},
		"another age":                    {sd, []string{"age_equal_or_over.21"}, true},
		"the element":                    {licence, []string{"org.iso.18013.5.1/age_over_18"}, false},
		"another element":                {licence, []string{"org.iso.18013.5.1/age_over_18", "org.iso.18013.5.1/portrait"}, true},
		"an element of another space":    {licence, []string{"org.iso.18013.5.1.aamva/age_over_18"}, true},
		"an element that begins with it": {licence, []string{"org.iso.18013.5.1/age_over_180"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.of.Exceeds(tt.disclosed); got != tt.want {
				t.Errorf("exceeds: %v", got)
			}
		})
	}
}

func TestAnAnswerThatDisclosesMoreThanAnAgeIsRefused(t *testing.T) {
	t.Parallel()
	now := time.Now()
	holder := wallettest.NewHolder()
	pid := wallettest.IssuerAt(1, now).PID(&holder.PublicKey, openid4vp.PIDType, now, map[string]any{
		"age_equal_or_over": map[string]bool{"18": true}, "family_name": "Eriksson",
	})
	r := &openid4vp.Request{
		Mode: openid4vp.DirectPost, ClientID: wallettest.Audience, ResponseURI: "https://verifier.example/answer",
		Query: openid4vp.Preset{Asks: []idv.WalletAsk{idv.AskAge}, Age: 18}.Query(),
	}
	if err := r.Ask(now, time.Minute); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		issued string
		want   refusal.Code
	}{
		"everything":   {pid.Issue(), openid4vp.Excessive},
		"nothing more": {wallettest.Without(pid.Issue(), 2), ""},
	} {
		t.Run(name, func(t *testing.T) {
			tokens := map[string][]string{"pid_sd_jwt": {wallettest.Present(tt.issued, holder, nil, nil)}}
			got := refusal.Code("")
			if why := refusal.Of(r.CheckMinimal(tokens, now)); why != nil {
				got = why.Code
			}
			if got != tt.want {
				t.Errorf("refused for %q", got)
			}
		})
	}
}

func TestEveryPresetsTypeIsKnownToWorkflows(t *testing.T) {
	t.Parallel()
	for _, q := range (openid4vp.Preset{Asks: idv.WalletAsks()}).Query().Credentials {
		for _, credentialType := range append(slices.Clone(q.Meta.Types), q.Meta.DocType) {
			if credentialType != "" && !idv.HasWalletPreset(credentialType) {
				t.Errorf("%s is not known as a preset's", credentialType)
			}
		}
	}
}
