package mail

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/brand"
)

// until is a time that is shown in mails.
var until = time.Date(2026, 12, 2, 14, 5, 0, 0, time.UTC)

func full(k Kind, language string) Mail {
	return Mail{ID: "mai_1", Kind: k, Content: Content{
		To: "ann@example.org", Language: language,
		Brand: Brand{Name: "Example & Söhne", Colour: "#0f766e", Support: "mailto:help@example.org", Privacy: "https://example.org/p"},
		Link:  "https://id.example.org/v/secret", Code: "123456", Count: 3, Detail: "whk_1", Until: until,
	}}
}

func TestApplicantsGetMailsInEachLanguageOfTheirPages(t *testing.T) {
	files, err := wordFiles.ReadDir("words")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), path.Ext(f.Name())); name != "members" {
			got = append(got, name)
		}
	}
	want := slices.Sorted(slices.Values(brand.Languages()))
	if !slices.Equal(got, want) {
		t.Errorf("languages of mails: got %v, want %v", got, want)
	}
}

func TestEveryMailIsWrittenWhollyInEveryLanguage(t *testing.T) {
	for _, k := range Kinds() {
		for _, language := range brand.Languages() {
			m, err := Write(full(k, language))
			if err != nil {
				t.Fatalf("%s in %s: %v", k, language, err)
			}
			for what, text := range map[string]string{"subject": m.Subject, "text": m.Text, "HTML": m.HTML} {
				if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "{}") && what != "HTML" || strings.Contains(text, "{brand}") {
					t.Errorf("%s in %s: %s is not filled in: %q", k, language, what, text)
				}
			}
			if k.ToApplicants() && k != Code && !strings.Contains(m.Text, "https://id.example.org/v/secret") {
				t.Errorf("%s in %s: the text lacks the link", k, language)
			}
			if k == Code && (!strings.Contains(m.Text, "123456") || !strings.Contains(m.HTML, "123456")) {
				t.Errorf("%s in %s: the code is missing", k, language)
			}
		}
	}
}

func TestAllLanguagesSayTheSameKinds(t *testing.T) {
	for _, language := range append(brand.Languages(), "members") {
		raw, err := wordFiles.ReadFile("words/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var w words
		if err := json.Unmarshal(raw, &w); err != nil {
			t.Fatal(err)
		}
		for _, k := range Kinds() {
			said, ok := w.Mails[k]
			if ok != (k.ToApplicants() == (language != "members")) {
				t.Errorf("%s: has words for %s: %v", language, k, ok)
			}
			if ok && (said.Subject == "" || len(said.Lines) == 0) {
				t.Errorf("%s: %s has no subject or says nothing", language, k)
			}
		}
	}
}

func TestSubjectsNameTheDeploymentAndNothingPersonal(t *testing.T) {
	for _, k := range Kinds() {
		m, err := Write(full(k, "en"))
		if err != nil {
			t.Fatal(err)
		}
		for _, personal := range []string{"ann", "example.org", "secret", "123456", "whk_1"} {
			if strings.Contains(strings.ToLower(m.Subject), personal) {
				t.Errorf("%s: the subject %q says %q", k, m.Subject, personal)
			}
		}
	}
}

func TestATestSessionsMailSaysSo(t *testing.T) {
	m := full(Link, "en")
	m.Content.TestMode = true
	got, err := Write(m)
	if err != nil || !strings.HasPrefix(got.Subject, "[Test] ") {
		t.Errorf("subject %q, error %v", got.Subject, err)
	}
}

func TestNothingInABrandOrLinkBecomesMarkup(t *testing.T) {
	m := full(Link, "en")
	m.Content.Brand.Name = `<script>alert(1)</script>`
	m.Content.Brand.Colour = `red"><b`
	m.Content.Brand.Support = `javascript:alert(1)`
	got, err := Write(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", `red"`, `href="javascript:`} {
		if strings.Contains(got.HTML, bad) {
			t.Errorf("the HTML contains %q", bad)
		}
	}
}

func TestAnHTMLMailLoadsNothing(t *testing.T) {
	for _, k := range Kinds() {
		m, err := Write(full(k, "ar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, loads := range []string{"<img", "src=", "url(", "<link", "@import"} {
			if strings.Contains(m.HTML, loads) {
				t.Errorf("%s: the HTML contains %q", k, loads)
			}
		}
	}
}

func TestNoHeaderCanBeInjected(t *testing.T) {
	for name, to := range map[string]string{
		"a line break":         "ann@example.org\r\nBcc: eve@example.org",
		"a line feed":          "ann@example.org\nSubject: x",
		"two addresses":        "ann@example.org, eve@example.org",
		"a name":               "Ann <ann@example.org>",
		"a comment":            "ann(x)@example.org",
		"a null":               "ann@example.org\x00",
		"no host":              "bob@",
		"a host without a dot": "ann@intranet",
		"letters of no server": "änn@example.org",
		"too much of it":       strings.Repeat("a", 250) + "@example.org",
	} {
		m := full(Link, "en")
		m.Content.To = to
		if _, err := Write(m); err == nil {
			t.Errorf("%s: %q was taken as an address", name, to)
		} else if strings.Contains(err.Error(), to) {
			t.Errorf("%s: the error repeats the address: %v", name, err)
		}
	}
	m := full(Link, "en")
	m.Content.Brand.Name = "Bank\r\nBcc: eve@example.org"
	got, err := Write(m)
	if err != nil || strings.ContainsAny(got.Subject, "\r\n") {
		t.Errorf("subject %q, error %v", got.Subject, err)
	}
}

func FuzzAnAddressThatIsTakenIsOneLine(f *testing.F) {
	for _, s := range []string{"ann@example.org", "a@bücher.example", "x\r\ny@z.example", `"a b"@example.org`, "<a@b.example>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := deliverable(s)
		if err != nil {
			return
		}
		if strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || r == ' ' || r > '~' }) || strings.Count(got, "@") < 1 {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestAHintShowsNoMoreThanItsOwnerNeeds(t *testing.T) {
	for in, want := range map[string]string{
		"ann.doe@mail.example.org": "a•••@m•••.org", "a@b.example": "a•••@b•••.example", "": "", "x": "", "@b.example": "",
	} {
		if got := Hint(in); got != want {
			t.Errorf("Hint(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestInkCanBeReadOnEveryColour(t *testing.T) {
	for ground, want := range map[string]string{"#ffffff": "#000000", "#000000": "#ffffff", "#ffdd00": "#000000", "#0f766e": "#ffffff"} {
		if got := ink(ground); got != want {
			t.Errorf("ink on %s: got %s, want %s", ground, got, want)
		}
	}
}
