package httpapi

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of a session's own facts (PRODUCT §5).
const (
	MaxMetadataKeys  = 50
	MaxMetadataKey   = 40
	MaxMetadataValue = 500
	MaxClaimedValue  = 200
)

// checkNewSession refuses what no session can hold. It names the field, never its value.
func checkNewSession(n NewSession) error {
	if len(n.Metadata) > MaxMetadataKeys {
		return malformed("/metadata", "At most "+strconv.Itoa(MaxMetadataKeys)+" keys.")
	}
	for _, key := range sorted(n.Metadata) {
		if l := utf8.RuneCountInString(key); l == 0 || l > MaxMetadataKey {
			return malformed("/metadata", "A key has 1 to "+strconv.Itoa(MaxMetadataKey)+" characters.")
		}
		if utf8.RuneCountInString(n.Metadata[key]) > MaxMetadataValue {
			return malformed("/metadata/"+key, "A value has at most "+strconv.Itoa(MaxMetadataValue)+" characters.")
		}
	}
	if err := checkClaimed("/claimed", n.Claimed); err != nil {
		return err
	}
	if n.Locale != "" {
		if _, err := language.Parse(n.Locale); err != nil {
			return malformed("/locale", "A BCP 47 language tag, such as en or pt-BR.")
		}
	}
	return checkReturnURL(n.ReturnURL, n.Mode)
}

// checkClaimed refuses facts that we do not know, by name.
func checkClaimed(at string, claimed map[idv.ClaimName]string) error {
	for _, name := range sorted(claimed) {
		if !slices.Contains(idv.ClaimableNames(), name) {
			return problem.New(problem.RequestUnknownField).At(at + "/" + shorten(string(name)))
		}
		if utf8.RuneCountInString(claimed[name]) > MaxClaimedValue {
			return malformed(at+"/"+string(name), "At most "+strconv.Itoa(MaxClaimedValue)+" characters.")
		}
	}
	return nil
}

// checkReturnURL wants https; test mode may go back to this machine without it.
func checkReturnURL(s string, mode idv.Mode) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" {
		return malformed("/return_url", "A web address without user name or password.")
	}
	if u.Scheme == "https" || (u.Scheme == "http" && mode == idv.Test && loopback(u.Hostname())) {
		return nil
	}
	return malformed("/return_url", "https, or in test mode http on this machine.")
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

func malformed(field, detail string) error {
	return problem.New(problem.RequestMalformed).At(field).Saying("%s", detail)
}

// shorten keeps a name that was sent to us from filling an answer.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) > MaxMetadataKey {
		return string(runes[:MaxMetadataKey]) + "…"
	}
	return name
}

func sorted[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
