package refusal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// TestEveryCodeHasOneMeaning reads the codes that packages declare: each is written "package.cause", and none twice.
func TestEveryCodeHasOneMeaning(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared, form := regexp.MustCompile(`refusal\.Code += "([^"]*)"`), regexp.MustCompile(`^[a-z]+\.[a-z_]+$`)
	where := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(raw), -1) {
			if other, twice := where[m[1]]; twice {
				t.Errorf("%s and %s both declare %s", other, file, m[1])
			}
			if !form.MatchString(m[1]) {
				t.Errorf("%s: %q is not written as package.cause", file, m[1])
			}
			where[m[1]] = file
		}
	}
	if len(where) < 70 {
		t.Errorf("%d codes were found: the pattern no longer fits the code", len(where))
	}
}

func TestARefusalIsFoundInAChain(t *testing.T) {
	r := refusal.New("tlv.malformed", "element %d", 3)
	if got := refusal.Of(fmt.Errorf("read: %w", r)); got != r || got.Error() != "element 3 (tlv.malformed)" {
		t.Errorf("got %v", got)
	}
	if got := refusal.Of(errors.New("another")); got != nil {
		t.Errorf("got %v", got)
	}
}
