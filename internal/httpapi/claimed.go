package httpapi

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// checkClaimed refuses facts that we do not know, by name and never by value.
func checkClaimed(at string, claimed map[idv.ClaimName]string) error {
	for _, name := range slices.Sorted(maps.Keys(claimed)) {
		if !slices.Contains(idv.ClaimableNames(), name) {
			return problem.New(problem.RequestUnknownField).At(at + "/" + pointerToken(string(name)))
		}
		if utf8.RuneCountInString(claimed[name]) > session.MaxClaim {
			return malformed(at+"/"+string(name), "At most "+strconv.Itoa(session.MaxClaim)+" characters.")
		}
	}
	return nil
}

func malformed(field, detail string) error {
	return problem.New(problem.RequestMalformed).At(field).Saying("%s", detail)
}

// longestName is as much of a name that was sent to us as we repeat.
const longestName = 40

// shorten keeps a name that was sent to us from filling an answer.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) > longestName {
		return string(runes[:longestName]) + "…"
	}
	return name
}
