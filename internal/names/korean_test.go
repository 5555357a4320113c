package names

import (
	"maps"
	"testing"
)

func TestKoreanSyllablesAreTheSameEachTimeTheyAreMade(t *testing.T) {
	first := makeKoreanSyllables()
	for range 30 { // the order of a map differs
		if !maps.Equal(first, makeKoreanSyllables()) {
			t.Fatal("made again, the table is another")
		}
	}
	if got := first["joh"]; got.vowels != koreanVowels["oh"] {
		t.Errorf("joh has the vowels %q, its own entry says %q", got.vowels, koreanVowels["oh"])
	}
}
