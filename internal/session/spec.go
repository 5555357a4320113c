package session

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of what an integrator sends, in characters.
const (
	MaxReference     = 200
	MaxMetadataKeys  = 50
	MaxMetadataKey   = 40
	MaxMetadataValue = 500
	MaxClaim         = 300
	MaxURL           = 2000
)

var (
	localePattern = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)
	datePattern   = regexp.MustCompile(`^\d{4}-(\d{2}|XX)-(\d{2}|XX)$`)
)

// unknownParts makes the earliest date of one whose month or day is not known.
var unknownParts = strings.NewReplacer("XX", "01")

// claimable are the facts that an integrator can state.
var claimable = map[idv.ClaimName]bool{
	idv.GivenNames: true, idv.FamilyName: true, idv.DateOfBirth: true, idv.DocumentNumber: true,
	idv.Nationality: true, idv.Address: true,
}

func checkReturnURL(s string, mode idv.Mode) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || len(s) > MaxURL || u.Host == "" || u.User != nil {
		return Malformed("/return_url", "it must be an https address without credentials")
	}
	if u.Scheme == "https" || (u.Scheme == "http" && mode == idv.Test && loopback(u.Hostname())) {
		return nil
	}
	return Malformed("/return_url", "it must start with https; http is for loopback addresses in test mode")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// CleanText brings s to NFC and refuses control characters and too much of it.
func CleanText(s, field string, most int) (string, error) {
	if !utf8.ValidString(s) {
		return "", Malformed(field, "it is not UTF-8")
	}
	s = norm.NFC.String(s)
	if utf8.RuneCountInString(s) > most {
		return "", Malformed(field, "at most %d characters", most)
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return "", Malformed(field, "control characters are refused")
		}
	}
	return s, nil
}

// Malformed returns the problem request.malformed at a field, which is a JSON pointer or the name of a parameter.
func Malformed(field, format string, args ...any) error {
	said := []rune(fmt.Sprintf(format, args...))
	said[0] = unicode.ToUpper(said[0])
	return problem.New(problem.RequestMalformed).At(field).Saying("%s.", string(said))
}
