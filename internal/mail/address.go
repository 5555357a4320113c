package mail

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// maxAddress is the longest address, in bytes (RFC 5321 §4.5.3.1.3, without the angle brackets).
const maxAddress = 254

// errAddress is what is wrong with an address, without the address.
var errAddress = errors.New("it is not an e-mail address like ann@example.org")

// CheckAddress returns an error unless s is a bare address that a mail can be sent to: without a name, a comment or a line break, in
// letters that every server takes before the @, and with a host after it that has a dot.
func CheckAddress(s string) error {
	_, err := deliverable(s)
	return err
}

// deliverable returns an address with its host in the letters of the DNS (RFC 5891).
func deliverable(s string) (string, error) {
	if len(s) > maxAddress || strings.ContainsFunc(s, unicode.IsControl) {
		return "", errAddress
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s {
		return "", errAddress
	}
	at := strings.LastIndexByte(s, '@')
	host, err := idna.Lookup.ToASCII(s[at+1:])
	if err != nil || !strings.Contains(host, ".") && host != "localhost" || strings.ContainsFunc(s[:at], func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errAddress
	}
	return s[:at] + "@" + host, nil
}

// Hint returns an address so that its owner recognises it and nobody else can read it: a•••@e•••.org. It is empty for what is no address.
func Hint(s string) string {
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || host == "" {
		return ""
	}
	first := func(s string) string {
		for _, r := range s {
			return string(r)
		}
		return ""
	}
	end := ""
	if dot := strings.LastIndexByte(host, '.'); dot > 0 {
		end = host[dot:]
	}
	return first(local) + "•••@" + first(host) + "•••" + end
}
