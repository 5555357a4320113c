package facts

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAForgeryChangesOneFact(t *testing.T) {
	genuine := fixtures.Fields{
		Person: fixtures.Person{Surname: "Ångström-Öberg", GivenNames: "Märta Linnéa", Born: time.Date(1974, 8, 12, 0, 0, 0, 0, time.UTC)},
		Number: "AB1234567", Expires: time.Date(2031, 3, 5, 0, 0, 0, 0, time.UTC),
	}
	facts := func(f fixtures.Fields) map[idv.ClaimName]string {
		return map[idv.ClaimName]string{
			idv.FamilyName: f.Surname, idv.GivenNames: f.GivenNames, idv.DocumentNumber: f.Number,
			idv.DateOfBirth: f.Born.Format(time.DateOnly), idv.DateOfExpiry: f.Expires.Format(time.DateOnly),
		}
	}
	for _, how := range append([]Forgery{NoForgery}, forgeries...) {
		for seed := range int64(40) {
			changed := []idv.ClaimName{}
			was, is := facts(genuine), facts(how.on(genuine, seed))
			for name := range was {
				if was[name] != is[name] {
					changed = append(changed, name)
				}
			}
			want := []idv.ClaimName{}
			if how != NoForgery {
				want = append(want, how.fact())
			}
			if d := cmp.Diff(want, changed); d != "" {
				t.Errorf("%s, seed %d, %v (-want +got):\n%s", how, seed, is, d)
			}
		}
	}
}

func TestForgeriesAndGenuineDocumentsAreAddedUpApart(t *testing.T) {
	curve := make([]bool, len(leasts))
	seen := append([]bool{true}, curve[1:]...)
	got := settleForged([]verdict{
		{NoForgery, idv.PrintedAgrees, false, curve}, {NumberDigit, idv.PrintedDisagrees, false, seen}, {BirthYear, idv.PrintedAgrees, true, curve},
	})
	if got.Genuine.Agrees.Count != 1 || got.Genuine.Agrees.Of != 1 || got.Altered.Disagrees.Count != 1 || got.Altered.Agrees.Of != 2 ||
		got.By[BirthYear].Taken.Count != 1 {
		t.Errorf("%+v", got)
	}
	if p := got.Curve[0]; p.Altered.Count != 1 || p.Genuine.Count != 0 {
		t.Errorf("the first point is %+v", p)
	}
}
