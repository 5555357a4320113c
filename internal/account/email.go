package account

import (
	"net/mail"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// NormalizeEmail returns an e-mail address in the form that members are looked up by: NFC, case folded, without
// surrounding spaces.
func NormalizeEmail(email string) string {
	return cases.Fold().String(norm.NFC.String(strings.TrimSpace(email)))
}

// CheckEmail returns problem request.malformed unless email is a bare address, without a display name.
func CheckEmail(email string) error {
	a, err := mail.ParseAddress(email)
	if err != nil || a.Name != "" || a.Address != email {
		return problem.New(problem.RequestMalformed).At("/email").Saying("An e-mail address.")
	}
	return nil
}
