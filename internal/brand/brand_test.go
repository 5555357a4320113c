package brand

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func drawn(t *testing.T, w, h int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	m.SetNRGBA(1, 0, color.NRGBA{R: 200, G: 10, B: 30, A: 128})
	b, err := write(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func kept(t *testing.T, b []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "logo")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWhatAnOperatorStatesIsChecked(t *testing.T) {
	for name, tt := range map[string]struct{ colour, logo, support, privacy, err string }{
		"nothing at all": {},
		"everything": {
			colour: "#C2185B", logo: kept(t, drawn(t, 40, 20)), support: "mailto:help@bank.example", privacy: "https://bank.example/privacy",
		},
		"a colour by name":                    {colour: "red", err: "--brand-colour"},
		"a colour that closes an element":     {colour: `#fff"><b>`, err: "--brand-colour"},
		"a link that runs code":               {support: "javascript:alert(1)", err: "--brand-support"},
		"a privacy notice by mail":            {privacy: "mailto:a@bank.example", err: "--brand-privacy"},
		"a link with a password":              {privacy: "https://a:b@bank.example", err: "--brand-privacy"},
		"a link without a host":               {privacy: "https:///x", err: "--brand-privacy"},
		"a logo that is not there":            {logo: filepath.Join(t.TempDir(), "none.png"), err: "--brand-logo"},
		"a logo that is a drawing in letters": {logo: kept(t, []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`)), err: "neither PNG nor WebP"},
		"a logo that is cut off":              {logo: kept(t, drawn(t, 40, 20)[:60]), err: "--brand-logo"},
		"a logo that is too large":            {logo: kept(t, drawn(t, MaxLogoSide+1, 1)), err: "pixels"},
		"a logo of too many bytes":            {logo: kept(t, make([]byte, MaxLogoBytes+1)), err: "kB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(tt.colour, tt.logo, tt.support, tt.privacy)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("got %v, want an error with %q", err, tt.err)
			}
		})
	}
}

func TestOnlyThePixelsOfALogoAreKept(t *testing.T) {
	// A text chunk between the header and the pixels: where a camera or a program writes what it knows.
	plain := drawn(t, 40, 20)
	chunk := "\x00\x00\x00\x0btEXtAuthor\x00Ann"
	crc := "\x00\x00\x00\x00"
	said := bytes.Join([][]byte{plain[:33], []byte(chunk + crc), plain[33:]}, nil)
	if _, err := Clean(said); err == nil {
		t.Error("a chunk with a wrong sum was taken")
	}
	l, err := Read("", kept(t, append(plain, "<script>"...)), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(l.Logo, []byte("script")) {
		t.Error("what stood behind the picture was kept")
	}
	m, err := png.Decode(bytes.NewReader(l.Logo))
	if err != nil {
		t.Fatal(err)
	}
	got, want := color.NRGBAModel.Convert(m.At(1, 0)), color.NRGBA{R: 200, G: 10, B: 30, A: 128}
	if diff := cmp.Diff(want, got); diff != "" || m.Bounds().Dx() != 40 {
		t.Errorf("%v, %s", m.Bounds(), diff)
	}
}

func TestALogoIsNoLargerThanItIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		raw  []byte
		want image.Point
	}{
		"a wide one":            {drawn(t, MaxLogoSide, 400), image.Pt(512, 128)},
		"a high one":            {drawn(t, 3, 1000), image.Pt(1, 512)},
		"one that fits":         {drawn(t, 512, 512), image.Pt(512, 512)},
		"one of no height left": {drawn(t, MaxLogoSide, 1), image.Pt(512, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := Clean(c.raw)
			if err != nil {
				t.Fatal(err)
			}
			m, err := png.Decode(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, m.Bounds().Max); diff != "" || len(out) > MaxLogoBytes {
				t.Errorf("%d bytes, (-want +got)\n%s", len(out), diff)
			}
		})
	}
}

func TestALogoThatPacksBadlyIsMadeSmaller(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	for i, r := 0, uint32(1); i < len(noise.Pix); i++ {
		r = r*1664525 + 1013904223
		noise.Pix[i] = byte(r >> 24)
	}
	out, err := shown(noise)
	if err != nil {
		t.Fatal(err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(out))
	if err != nil || len(out) > MaxLogoBytes || size.Width != 256 {
		t.Errorf("%d bytes, %d × %d, %v", len(out), size.Width, size.Height, err)
	}
}

func TestTheLanguagesAreThoseOfThePages(t *testing.T) {
	b, err := os.ReadFile(filepath.FromSlash("../../web/src/i18n/languages.ts"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+): \{ name: `).FindAllStringSubmatch(string(b), -1) {
		got = append(got, m[1])
	}
	if diff := cmp.Diff(got, Languages()); diff != "" {
		t.Errorf("(-pages +here)\n%s", diff)
	}
}

func TestTheElementCannotBeLeft(t *testing.T) {
	b, err := Look{Support: `https://bank.example/?"><script>`, Hello: map[string]string{"en": `Hi"><script>alert(1)</script>`}}.Meta("")
	if err != nil {
		t.Fatal(err)
	}
	if s := string(b); strings.Count(s, "<") != 1 || strings.Count(s, `"`) != 4 {
		t.Errorf("%s", s)
	}
	if b, err := (Look{}).Meta(""); err != nil || b != nil {
		t.Errorf("a look of nothing is told: %s, %v", b, err)
	}
}

func FuzzLogo(f *testing.F) {
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		out, err := Clean(raw)
		if err == nil {
			if _, err := png.DecodeConfig(bytes.NewReader(out)); err != nil {
				t.Errorf("what was written cannot be read: %v", err)
			}
		}
	})
}
