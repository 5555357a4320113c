package names

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWordsThatJoinAreNotRuledOut holds what rules words out against what joins them, for invented words and misspellings of them joined.
func TestWordsThatJoinAreNotRuledOut(t *testing.T) {
	check := func(span []Token, other string) (joined int) {
		o := NewToken(other)
		for _, w := range joinedSpan(span) {
			if abs(len(o.Latin)-len(w.Latin)) <= 2 && joins(w, o) {
				if joined++; !mayJoin(span, []Token{o}) {
					t.Errorf("%v and %s join as %s, and are ruled out", span, o.Latin, w.Latin)
				}
			}
		}
		return joined
	}
	if check(Parse("Quille Featherston").Tokens, "quillegeathermton") == 0 {
		t.Error("Quille Featherston is not Quillegeathermton")
	}
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "abcdefghijklmnopqrstuvwxyz"
	word := func() string {
		var b strings.Builder
		for range 2 + random.IntN(8) {
			b.WriteByte(letters[random.IntN(len(letters))])
			b.WriteByte("aeiouhhcst"[random.IntN(10)])
		}
		return b.String()
	}
	joined := 0
	for range 20_000 {
		span := []Token{NewToken(word()), NewToken(word())}
		if random.IntN(4) == 0 {
			span = append(span, NewToken(word()))
		}
		var other []byte
		for _, w := range span {
			other = append(other, w.Latin...)
		}
		for range random.IntN(4) {
			other[random.IntN(len(other))] = letters[random.IntN(len(letters))]
		}
		joined += check(span, string(other))
	}
	if joined < 5000 {
		t.Errorf("only %d joined: the test says little", joined)
	}
}
