package testwallet_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) // in the year after the issuer was founded, near its beginning

func clock() time.Time { return now }

// nobody trusts nobody, and has no list.
type nobody struct{}

func (nobody) Load(context.Context, idv.Mode) (*trust.Store, error) { return &trust.Store{}, nil }

var errNoList = errors.New("nobody answers")

func (nobody) List(context.Context, idv.Mode, string) (*statuslist.List, error) {
	return nil, errNoList
}

// asked is a request by the browser's API.
func asked(t *testing.T, asks ...idv.WalletAsk) *openid4vp.Request {
	t.Helper()
	r := &openid4vp.Request{Mode: openid4vp.DCAPIJWT, Origin: "https://verifier.example", Query: openid4vp.Preset{Asks: asks, Age: 18}.Query()}
	if err := r.Ask(now, idv.WalletRequestLife); err != nil {
		t.Fatal(err)
	}
	return r
}

// judged answers a request and judges the answer as a session of a mode does.
func judged(t *testing.T, w testwallet.Wallet, mode idv.Mode, asks ...idv.WalletAsk) *openid4vp.Report {
	t.Helper()
	r := asked(t, asks...)
	w.Now = now
	raw, err := w.Answer(r)
	if err != nil {
		t.Fatal(err)
	}
	store, err := testwallet.Trust{Loader: nobody{}, Now: clock}.Load(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return r.Verify(raw, store, openid4vp.Options{Now: now})
}

func TestThePortraitOfACredentialIsAGeneratedFaceOrNone(t *testing.T) {
	t.Parallel()
	portraitOf := func(choice testwallet.Choice, ask idv.WalletAsk) any {
		r := &openid4vp.Request{
			Mode: openid4vp.DCAPIJWT, Origin: "https://verifier.example", Query: openid4vp.Preset{Asks: []idv.WalletAsk{ask}, Age: 18, Portrait: true}.Query(),
		}
		must(t, r.Ask(now, idv.WalletRequestLife))
		raw, err := testwallet.Wallet{Choice: choice, Now: now}.Answer(r)
		must(t, err)
		store, err := testwallet.Trust{Loader: nobody{}, Now: clock}.Load(t.Context(), idv.Test)
		must(t, err)
		report := r.Verify(raw, store, openid4vp.Options{Now: now})
		if !report.Satisfied {
			t.Fatalf("%s of %s is refused for %v", choice, ask, report.Refusals)
		}
		for _, c := range report.Credentials {
			if c.SDJWT != nil {
				return c.SDJWT.Claims["picture"]
			}
			return c.MDoc.Claims[openid4vp.MDLSpace]["portrait"]
		}
		return nil
	}
	begins := func(v any) string {
		switch p := v.(type) {
		case string:
			return p[:min(len(p), 27)]
		case []byte:
			return string(p[:3])
		}
		return ""
	}
	for ask, want := range map[idv.WalletAsk]string{idv.AskPID: "data:image/jpeg;base64,/9j/", idv.AskMDL: "\xff\xd8\xff", idv.AskAge: ""} {
		own, other := portraitOf(testwallet.Share, ask), portraitOf(testwallet.OtherFace, ask)
		if begins(own) != want || begins(other) != want || begins(own) != "" && cmp.Equal(own, other) {
			t.Errorf("%s: the portraits begin with %q and %q, want %q and two faces", ask, begins(own), begins(other), want)
		}
	}
	if none := portraitOf(testwallet.NoPortrait, idv.AskPID); none != nil {
		t.Error("there is a portrait where none was to be")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func codes(r *openid4vp.Report) (out []string) {
	for _, one := range r.Refusals {
		out = append(out, string(one.Code))
	}
	return out
}

func TestTheTestWalletAnswersEachPreset(t *testing.T) {
	t.Parallel()
	for name, asks := range map[string][]idv.WalletAsk{
		"a person's data": {idv.AskPID}, "a driving licence": {idv.AskMDL}, "an age": {idv.AskAge}, "a person's data or a licence": {idv.AskMDL, idv.AskPID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := judged(t, testwallet.Wallet{Choice: testwallet.Share}, idv.Test, asks...); !r.Satisfied {
				t.Errorf("in test mode it is refused for %v", r.Refusals)
			}
			live := judged(t, testwallet.Wallet{Choice: testwallet.Share}, idv.Live, asks...)
			if live.Satisfied || len(live.Refusals) == 0 || live.Refusals[0].Code != trust.AnchorMissing {
				t.Errorf("in live mode it is trusted: %v", codes(live))
			}
		})
	}
}

func TestTheTestWalletAnswersAsItIsTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		choice testwallet.Choice
		asks   idv.WalletAsk
		codes  []string
	}{
		{choice: testwallet.Share, asks: idv.AskPID},
		{choice: testwallet.OtherName, asks: idv.AskPID},
		{choice: testwallet.Expired, asks: idv.AskPID, codes: []string{"sdjwt.expired"}},
		{choice: testwallet.Expired, asks: idv.AskMDL, codes: []string{"mdoc.expired"}},
		{choice: testwallet.Decline, asks: idv.AskPID, codes: []string{"openid.wallet_error"}},
	} {
		t.Run(string(tt.choice)+" "+string(tt.asks), func(t *testing.T) {
			t.Parallel()
			r := judged(t, testwallet.Wallet{Choice: tt.choice, Facts: map[idv.ClaimName]string{idv.FamilyName: "Quill"}}, idv.Test, tt.asks)
			if d := cmp.Diff(tt.codes, codes(r)); d != "" {
				t.Fatalf("codes (-want +got):\n%s", d)
			}
			if c := r.Credentials["pid_sd_jwt"].SDJWT; c != nil && len(tt.codes) == 0 {
				want := "Quill"
				if tt.choice == testwallet.OtherName {
					want = "Somebody-Else"
				}
				if c.Claims["family_name"] != want {
					t.Errorf("it is of %v, want %s", c.Claims["family_name"], want)
				}
			}
		})
	}
}

func TestTheTestWalletsStatusListIsKnownInTestModeAlone(t *testing.T) {
	t.Parallel()
	lists := testwallet.Lists{Getter: nobody{}, Now: clock}
	store, err := testwallet.Trust{Loader: nobody{}, Now: clock}.Load(t.Context(), idv.Test)
	if err != nil {
		t.Fatal(err)
	}
	for choice, want := range map[testwallet.Choice]statuslist.State{testwallet.Share: statuslist.Valid, testwallet.Revoked: statuslist.Invalid} {
		for _, ask := range []idv.WalletAsk{idv.AskPID, idv.AskMDL} {
			for id, c := range judged(t, testwallet.Wallet{Choice: choice}, idv.Test, ask).Credentials {
				of := statuslist.Credential{}
				if c.SDJWT != nil {
					of = statuslist.Credential{Reference: *c.SDJWT.Reference, Chain: c.SDJWT.Trust.Chain}
				} else {
					of = statuslist.Credential{Reference: *c.MDoc.Reference, Chain: c.MDoc.Trust.Chain}
				}
				list, err := lists.List(t.Context(), idv.Test, of.Reference.URI)
				if err != nil {
					t.Fatal(err)
				}
				if err := list.Check(of, store, now); statuslist.StateOf(err) != want {
					t.Errorf("%s of %s is %v, want %s", choice, id, err, want)
				}
				if _, err := lists.List(t.Context(), idv.Live, of.Reference.URI); !errors.Is(err, errNoList) {
					t.Errorf("in live mode the list is there: %v", err)
				}
			}
		}
	}
}
