package password

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

const good = "correct horse battery"

func TestAHashMatchesItsPasswordAlone(t *testing.T) {
	h := NewHasher(Options{Memory: 64})
	hash, err := h.Hash(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	again, err := h.Hash(t.Context(), good)
	if err != nil || again == hash {
		t.Errorf("two hashes of one password are the same: %v", err)
	}
	for name, tt := range map[string]struct {
		password, hash string
		want           bool
	}{
		"the password":                      {good, hash, true},
		"another":                           {"something else entirely", hash, false},
		"no hash":                           {good, "", false},
		"the decoy of those without a hash": {"a decoy that nobody types", "", false},
	} {
		if got, err := h.Matches(t.Context(), tt.password, tt.hash); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := h.Matches(t.Context(), good, "not a hash"); err == nil {
		t.Error("what is no hash was compared")
	}
}

func TestOnePasswordInTwoEncodingsIsOne(t *testing.T) {
	h := NewHasher(Options{Memory: 64})
	hash, err := h.Hash(t.Context(), "caf\u00e9 on the corner")
	if err != nil {
		t.Fatal(err)
	}
	if same, err := h.Matches(t.Context(), "cafe\u0301 on the corner", hash); err != nil || !same {
		t.Errorf("%v, %v", same, err)
	}
}

func TestAnEmptyHashCostsAsMuchAsAnyOther(t *testing.T) {
	h := NewHasher(Options{Memory: 64})
	compared, decoy := 0, h.decoy
	h.decoy = func() (string, error) { compared++; return decoy() }
	if same, err := h.Matches(t.Context(), good, ""); err != nil || same || compared != 1 {
		t.Errorf("without a hash the decoy is compared %d times: %v, %v", compared, same, err)
	}
	of, err := decoy()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := h.Hash(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	work := func(hash string) string { return strings.Join(strings.Split(hash, "$")[:4], "$") } // algorithm, version, memory, rounds
	if work(of) != work(hash) {
		t.Errorf("the decoy costs %s, a member's hash %s", work(of), work(hash))
	}
}

func TestHashingWaitsForASlotAsLongAsItsCall(t *testing.T) {
	h := NewHasher(Options{Memory: 64})
	for range concurrent {
		h.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Hash(ctx, good); !errors.Is(err, context.Canceled) {
		t.Errorf("hash: %v", err)
	}
	if _, err := h.Matches(ctx, good, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("compare: %v", err)
	}
}

func TestAGoodPasswordIsLongAndNotWhatOthersGuess(t *testing.T) {
	for name, tt := range map[string]struct {
		password string
		ok       bool
	}{
		"a phrase":                           {good, true},
		"exactly the shortest":               {"abcdefghijkl", true},
		"one character less":                 {"abcdefghijk", false},
		"exactly the longest":                {strings.Repeat("ab", MaxLength/2), true},
		"one character more":                 {strings.Repeat("ab", MaxLength/2) + "a", false},
		"twelve letters of two bytes":        {strings.Repeat("éè", 6), true},
		"one character repeated":             {strings.Repeat("a", 20), false},
		"the member's address":               {"ADA@example.test", false},
		"the member's name, typed otherwise": {"  ada LOVELACE ", false},
		"an empty word is no guess":          {"another good phrase", true},
	} {
		err := Check(tt.password, "Ada Lovelace", "ada@example.test", "")
		if p, ok := problem.As(err); (err == nil) != tt.ok || (!tt.ok && (!ok || p.Kind.Code != "request.malformed" || p.Field != "/password")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
