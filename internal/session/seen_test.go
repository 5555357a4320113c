package session_test

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestCase44NumbersOfSpecimensLinkNobody(t *testing.T) {
	for number, want := range map[string]bool{
		"123456789": false, "L898902C3": false, "l898902c3": false, "L898902C<": false, "D23145890": false, "1234": false,
		"L898902C4": true, "P7654321": true,
	} {
		if form, got := session.DocumentForm("UTO", idv.Passport, number); got != want {
			t.Errorf("%q: got %q, %v; want that it tells a document from others: %v", number, form, got, want)
		}
	}
	spaced, _ := session.DocumentForm("UTO", idv.Passport, "P 765-4321")
	plain, _ := session.DocumentForm("UTO", idv.Passport, "P7654321")
	other, _ := session.DocumentForm("SWE", idv.Passport, "P7654321")
	if spaced != plain || other == plain {
		t.Errorf("got %q, %q and of another issuer %q", spaced, plain, other)
	}
}
