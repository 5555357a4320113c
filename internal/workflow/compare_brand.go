package workflow

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// brand describes differences in the look of the applicant's pages. They affect no decision.
func (c *comparison) brand() {
	a, b := c.a.Brand, c.b.Brand
	for _, one := range []struct{ field, what, a, b string }{
		{"/brand/name", "The display name", a.Name, b.Name},
		{"/brand/colour", "The colour", a.Colour, b.Colour},
		{"/brand/support", "The help link", a.Support, b.Support},
		{"/brand/privacy", "The privacy notice link", a.Privacy, b.Privacy},
	} {
		if one.a != one.b {
			c.add(one.field, Neither, "%s is %s (was %s).", one.what, orDefault(one.b), orDefault(one.a))
		}
	}
	switch {
	case a.Logo == b.Logo:
	case b.Logo == "":
		c.add("/brand/logo", Neither, "The version's own logo was removed; the deployment's is shown, if it has one.")
	default:
		c.add("/brand/logo", Neither, "The logo changed.")
	}
	c.languages(a.Languages, b.Languages)
	c.hello(a.Hello, b.Hello)
}

func orDefault(s string) string {
	if s == "" {
		return "the deployment's value"
	}
	return "“" + s + "”"
}

// languages compares the offered languages; an empty list offers all.
func (c *comparison) languages(a, b []string) {
	of := func(l []string) []string {
		if len(l) == 0 {
			return brand.Languages()
		}
		return l
	}
	gone, added := difference(of(a), of(b)), difference(of(b), of(a))
	if len(gone) > 0 {
		c.add("/brand/languages", Neither, "Languages no longer offered: %s.", strings.Join(gone, ", "))
	}
	if len(added) > 0 {
		c.add("/brand/languages", Neither, "Languages now offered: %s.", strings.Join(added, ", "))
	}
	if len(gone)+len(added) == 0 && !slices.Equal(a, b) {
		c.add("/brand/languages", Neither, "The list of languages changed, but the languages offered are the same.")
	}
}

func (c *comparison) hello(a, b []idv.BrandText) {
	for _, language := range brand.Languages() {
		if old, now := greetingIn(a, language), greetingIn(b, language); old != now {
			text := "empty"
			if now != "" {
				text = orDefault(now)
			}
			c.add("/brand/hello", Neither, "The welcome text (%s) is now %s.", language, text)
		}
	}
}

func greetingIn(texts []idv.BrandText, language string) string {
	for _, t := range texts {
		if t.Language == language {
			return t.Text
		}
	}
	return ""
}
