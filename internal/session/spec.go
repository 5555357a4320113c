package session

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of what an integrator sends (PRODUCT §5), in characters.
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

// claimable are the facts that an integrator can state.
var claimable = map[idv.ClaimName]bool{
	idv.GivenNames: true, idv.FamilyName: true, idv.DateOfBirth: true, idv.DocumentNumber: true,
	idv.Nationality: true, idv.Address: true,
}

// check brings texts to NFC and refuses what breaks a limit.
func (n *Spec) check() error {
	if n.Mode != idv.Live && n.Mode != idv.Test {
		return malformed("/mode", "it is live or test")
	}
	if n.Locale != "" && !localePattern.MatchString(n.Locale) {
		return malformed("/locale", "it is a language tag like en or pt-BR")
	}
	var err error
	if n.ExternalReference, err = text(n.ExternalReference, "/external_reference", MaxReference); err != nil {
		return err
	}
	if err := n.checkMetadata(); err != nil {
		return err
	}
	if err := n.checkClaimed(); err != nil {
		return err
	}
	return checkReturnURL(n.ReturnURL, n.Mode)
}

func (n *Spec) checkMetadata() error {
	if len(n.Metadata) > MaxMetadataKeys {
		return malformed("/metadata", "at most %d keys", MaxMetadataKeys)
	}
	out := make(map[string]string, len(n.Metadata))
	for k, v := range n.Metadata {
		key, err := text(k, "/metadata", MaxMetadataKey)
		if err != nil {
			return err
		}
		if out[key], err = text(v, "/metadata", MaxMetadataValue); err != nil {
			return err
		}
	}
	n.Metadata = out
	return nil
}

func (n *Spec) checkClaimed() error {
	out := make(map[idv.ClaimName]string, len(n.Claimed))
	for name, v := range n.Claimed {
		if !claimable[name] {
			return malformed("/claimed", "a fact of that name cannot be claimed")
		}
		field := "/claimed/" + string(name)
		value, err := text(v, field, MaxClaim)
		if err != nil {
			return err
		}
		if name == idv.DateOfBirth && !datePattern.MatchString(value) {
			return malformed(field, "it is a date like 1980-05-21")
		}
		out[name] = value
	}
	n.Claimed = out
	return nil
}

func checkReturnURL(s string, mode idv.Mode) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || len(s) > MaxURL || u.Host == "" || u.User != nil {
		return malformed("/return_url", "it is an https address without credentials")
	}
	if u.Scheme == "https" || (u.Scheme == "http" && mode == idv.Test && loopback(u.Hostname())) {
		return nil
	}
	return malformed("/return_url", "it starts with https; http is for loopback addresses in test mode")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// text brings s to NFC and refuses control characters and too much of it.
func text(s, field string, most int) (string, error) {
	if !utf8.ValidString(s) {
		return "", malformed(field, "it is not UTF-8")
	}
	s = norm.NFC.String(s)
	if utf8.RuneCountInString(s) > most {
		return "", malformed(field, "at most %d characters", most)
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return "", malformed(field, "control characters are refused")
		}
	}
	return s, nil
}

func malformed(field, format string, args ...any) error {
	return problem.New(problem.RequestMalformed).At(field).Saying("%s.", fmt.Sprintf(format, args...))
}
