package problem

import (
	"errors"
	"fmt"
	"regexp"
	"testing"
)

func TestEveryRowCanBeActedOn(t *testing.T) {
	code := regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)?$`)
	for _, k := range All() {
		if !code.MatchString(k.Code) {
			t.Errorf("%q is not a code", k.Code)
		}
		if k.Title == "" || k.Remedy == "" || k.Reader == "" || k.Status < 400 || k.Status > 599 {
			t.Errorf("%s: a row needs a title, a remedy, a reader and an error status: %+v", k.Code, k)
		}
		if k.Severity != None && k.Reviewer == "" {
			t.Errorf("%s is a reason and has no word for the reviewer", k.Code)
		}
	}
}

func TestAProblemIsFoundThroughWrapping(t *testing.T) {
	err := fmt.Errorf("decode: %w", New(CaptureNotAnImage).At("picture").Saying("%d bytes", 0))
	if !Has(err, CaptureNotAnImage) || Has(err, CaptureBlurred) {
		t.Errorf("Has does not see the kind in %v", err)
	}
	if !errors.Is(err, New(CaptureNotAnImage)) {
		t.Errorf("errors.Is does not see the kind in %v", err)
	}
	if want := "decode: capture.not_an_image: picture: 0 bytes"; err.Error() != want {
		t.Errorf("got %q, want %q", err.Error(), want)
	}
}

func TestSayingLeavesTheOriginalAlone(t *testing.T) {
	first := New(NotFound)
	_ = first.Saying("x").At("y")
	if first.Detail != "" || first.Field != "" {
		t.Errorf("the original changed: %+v", first)
	}
}

// What a native speaker would stumble over, seen in earlier texts.
var stumbles = regexp.MustCompile(
	`(?i)\b(is told|stands? beside|lies in|of which|meanwhile|deceit|mends?|anew|somebody else came|can bring it back|may not do this)\b|^Whoever |^Who `,
)

func TestTheCatalogueReadsAsEnglish(t *testing.T) {
	for _, k := range All() {
		for _, text := range []string{k.Title, k.Remedy, k.Reviewer} {
			if found := stumbles.FindString(text); found != "" {
				t.Errorf("%s: %q says %q", k.Code, text, found)
			}
		}
	}
}
