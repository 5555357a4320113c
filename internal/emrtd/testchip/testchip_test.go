package testchip_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/trust"
)

var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// nobody trusts nobody.
type nobody struct{}

func (nobody) Load(context.Context, idv.Mode) (*trust.Store, error) { return &trust.Store{}, nil }

func trusts(t *testing.T, mode idv.Mode) *trust.Store {
	t.Helper()
	store, err := testchip.Trust{Loader: nobody{}, Now: func() time.Time { return now }}.Load(t.Context(), mode)
	must(t, err)
	return store
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// card is the zone of an identity card of Utopia.
func card(t *testing.T) []string {
	t.Helper()
	lines, err := mrz.Write(mrz.Document{
		Format: mrz.TD1, Code: "I", Issuer: "UTO", Number: "D23145890", Surname: "ERIKSSON", GivenNames: "ANNA MARIA", Nationality: "UTO", Sex: "F",
		BirthDate: "740812", ExpiryDate: "320415",
	})
	must(t, err)
	return lines
}

func TestEachChipIsWhatItsNameSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		choice    testchip.Choice
		authentic bool
		notACopy  bool
		codes     []string
		name      string
	}{
		{testchip.Genuine, true, true, nil, "ERIKSSON"},
		{testchip.OtherName, true, true, nil, "SOMEBODY ELSE"},
		{testchip.OtherFace, true, true, nil, "ERIKSSON"},
		{testchip.Copy, true, false, nil, "ERIKSSON"},
		{testchip.Changed, false, false, []string{"chip.digest_mismatch"}, "SOMEBODY ELSE"},
		{testchip.Untrusted, false, false, []string{"trust.anchor_missing"}, "ERIKSSON"},
	} {
		for what, zone := range map[string][]string{"passport": emrtdtest.Zone, "identity card": card(t)} {
			t.Run(string(tt.choice)+" "+what, func(t *testing.T) {
				t.Parallel()
				c := testchip.Chip{Choice: tt.choice, Zone: zone, Now: now}
				files, err := c.Files()
				must(t, err)
				o := emrtd.Options{Now: now}
				challenge := []byte("8 bytes.")
				if answer := c.Answer(challenge); answer != nil {
					o.Active = &emrtd.Answer{Challenge: challenge, Signature: answer}
				}
				r := emrtd.Verify(files, trusts(t, idv.Test), o)
				var codes []string
				for _, why := range r.Refusals {
					codes = append(codes, string(why.Code))
				}
				if d := cmp.Diff(tt.codes, codes); d != "" || r.Authentic != tt.authentic || (r.Copy == emrtd.CopyExcluded) != tt.notACopy {
					t.Errorf("authentic %v, copy %s, refusals (-want +got):\n%s", r.Authentic, r.Copy, d)
				}
				if r.Zone == nil || r.Zone.Surname != tt.name {
					t.Errorf("it is of %+v, want %s", r.Zone, tt.name)
				}
				if tt.authentic && r.Revocation != trust.Good {
					t.Errorf("revocation is %s", r.Revocation)
				}
			})
		}
	}
}

func TestLiveModeTrustsNoTestChip(t *testing.T) {
	t.Parallel()
	files, err := testchip.Chip{Choice: testchip.Genuine, Zone: emrtdtest.Zone, Now: now}.Files()
	must(t, err)
	if r := emrtd.Verify(files, trusts(t, idv.Live), emrtd.Options{Now: now}); r.Authentic || len(r.Refusals) == 0 || r.Refusals[0].Code != trust.AnchorMissing {
		t.Errorf("in live mode it is authentic or refused for something else: %v", r.Refusals)
	}
}

func TestAPageWithoutAZoneMakesNoChip(t *testing.T) {
	t.Parallel()
	for _, zone := range [][]string{nil, {"P<UTO"}} {
		if _, err := (testchip.Chip{Choice: testchip.OtherName, Zone: zone, Now: now}).Files(); err == nil {
			t.Errorf("%q makes a chip", zone)
		}
	}
}
