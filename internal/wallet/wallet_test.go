package wallet

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

func TestWhatACredentialStates(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		claim string
		value any
		want  map[idv.ClaimName]string
	}{
		"a state of two letters":                {"nationality", "de", map[idv.ClaimName]string{idv.Nationality: "DEU"}},
		"the first of several nationalities":    {"nationalities", []any{"FR", "DE"}, map[idv.ClaimName]string{idv.Nationality: "FRA"}},
		"the state of specimens":                {"issuing_country", "UT", map[idv.ClaimName]string{idv.Issuer: "UTO"}},
		"Kosovo, which ISO does not list":       {"nationality", "XK", map[idv.ClaimName]string{idv.Nationality: "RKS"}},
		"what is no state":                      {"nationality", "Q9", map[idv.ClaimName]string{idv.Nationality: "Q9"}},
		"a day":                                 {"birth_date", "1984-08-12", map[idv.ClaimName]string{idv.DateOfBirth: "1984-08-12"}},
		"a time":                                {"expiry_date", "2030-01-31T00:00:00Z", map[idv.ClaimName]string{idv.DateOfExpiry: "2030-01-31"}},
		"what is no day":                        {"birthdate", "1984-13-40", map[idv.ClaimName]string{}},
		"a sex in JSON":                         {"sex", json.Number("2"), map[idv.ClaimName]string{idv.Sex: "F"}},
		"a sex in CBOR":                         {"sex", uint64(1), map[idv.ClaimName]string{idv.Sex: "M"}},
		"a sex that is not known":               {"sex", uint64(0), map[idv.ClaimName]string{}},
		"a number that is text":                 {"document_number", " L898 ", map[idv.ClaimName]string{idv.DocumentNumber: "L898"}},
		"a name that is no text":                {"family_name", map[string]any{"a": "b"}, map[idv.ClaimName]string{}},
		"a claim that nobody compares":          {"eye_colour", "blue", map[idv.ClaimName]string{}},
		"an empty list of nationalities":        {"nationalities", []any{}, map[idv.ClaimName]string{}},
		"a list within a list of nationalities": {"nationalities", []any{[]any{"DE"}}, map[idv.ClaimName]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			var f facts
			f.add(map[string]any{tt.claim: tt.value})
			got := map[idv.ClaimName]string{}
			for _, c := range f.claims {
				got[c.Name] = c.Value
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAgesAndPictures(t *testing.T) {
	t.Parallel()
	picture := []byte{0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3}
	var f facts
	f.add(map[string]any{
		"age_over_18": true, "age_over_abc": true, "age_over_0": true, "age_over_21": "yes", "age_equal_or_over": map[string]any{"65": false},
		"picture": "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(picture), "family_name_truncation": "T", "given_name_truncation": "N",
	})
	want := []idv.WalletAge{{Over: 65, Is: false}, {Over: 18, Is: true}}
	if diff := cmp.Diff(want, f.ages); diff != "" {
		t.Errorf("ages (-want +got):\n%s", diff)
	}
	if string(f.portrait) != string(picture) || formatOf(f.portrait) != jpeg || len(f.cut) != 1 || f.cut[0] != idv.FamilyName {
		t.Errorf("portrait %x, cut %v", f.portrait, f.cut)
	}
	for name, v := range map[string]any{
		"another scheme": "https://issuer.example/me.jpg", "not base64": "data:image/jpeg;base64,%%%", "a number": json.Number("7"),
	} {
		if p := pictureOf(v); len(p) > 0 && formatOf(p) != "" {
			t.Errorf("%s is a picture: %x", name, p)
		}
	}
}

// fetcher answers and counts.
type fetcher struct {
	raw   []byte
	err   error
	calls int
}

func (f *fetcher) Fetch(context.Context, idv.Mode, string, string, int64) ([]byte, error) {
	f.calls++
	return f.raw, f.err
}

func TestAStatusListIsKeptForAsLongAsItSays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	list := wallettest.IssuerAt(1, now).NewStatusList(1)
	list.Issued, list.Expires = now.Add(-time.Minute), now.Add(10*time.Minute)
	f := &fetcher{raw: list.JWT()}
	at := now
	lists := NewStatusLists(f, func() time.Time { return at })
	get := func(want int) {
		t.Helper()
		if _, err := lists.List(t.Context(), idv.Test, wallettest.ListURI); err != nil || f.calls != want {
			t.Fatalf("fetched %d times, want %d: %v", f.calls, want, err)
		}
	}
	get(1)
	get(1)
	if _, err := lists.List(t.Context(), idv.Live, wallettest.ListURI); err != nil || f.calls != 2 {
		t.Errorf("the other mode has a list of its own: %d, %v", f.calls, err)
	}
	at = now.Add(11 * time.Minute)
	get(3)
	at, f.raw, f.err = now.Add(13*time.Minute), nil, errors.New("nobody answers")
	for range 2 {
		_, err := lists.List(t.Context(), idv.Test, wallettest.ListURI)
		if why := refusal.Of(err); why == nil || why.Code != statuslist.Unchecked || f.calls != 4 {
			t.Errorf("a list that cannot be fetched: %v after %d calls", err, f.calls)
		}
	}
}

func FuzzOpenWallet(f *testing.F) {
	raw, err := idv.PackWallet(idv.WalletAnswer{Request: json.RawMessage(`{"mode":"direct_post"}`), Presentations: map[string][]string{"a": {"b~"}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		answer, request, err := open(raw)
		if err != nil {
			return
		}
		report, err := judge(answer, request, new(trust.Store))
		if err == nil && report.Satisfied {
			t.Fatal("valid without anybody's trust")
		}
	})
}
