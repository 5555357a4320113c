// Package brand is how the operator looks to the people who are asked to prove who they are: a name, a colour, a logo,
// and where to find help and the privacy notice.
package brand

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"net/url"
	"os"
	"regexp"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Limits of a logo.
const (
	MaxLogoBytes = 256 << 10 // of the operator's file, and of what is served
	MaxLogoSide  = 1600      // pixels
	shownSide    = 512       // pixels of the longer side of what is served, at most
	maxAddress   = 500       // bytes of a link
)

// Look is how the applicant's pages look. All of it may be missing.
type Look struct {
	Name      string            // who asks
	Colour    string            // #rrggbb; the pages adapt it until it can be read
	Logo      []byte            // PNG, written anew from the operator's file: nothing but pixels is left of that
	Support   string            // https or mailto
	Privacy   string            // https
	Languages []string          // in which the pages are offered; every one if empty
	Hello     map[string]string // by language: the sentence below the first heading, plain text
}

// CheckColour says what is wrong with a colour.
func CheckColour(s string) error {
	if s != "" && !colour.MatchString(s) {
		return errors.New("a colour such as #0f766e")
	}
	return nil
}

// CheckSupport says what is wrong with the address of help.
func CheckSupport(link string) error { return checkLink(link, "https", "mailto") }

// CheckPrivacy says what is wrong with the address of a privacy notice.
func CheckPrivacy(link string) error { return checkLink(link, "https") }

var colour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// Read checks what the operator states, and reads the logo, a PNG or WebP file. Errors name what is wrong, for the operator.
func Read(stated, logoFile, support, privacy string) (Look, error) {
	l := Look{Colour: strings.ToLower(stated), Support: support, Privacy: privacy}
	if l.Colour != "" && !colour.MatchString(l.Colour) {
		return Look{}, fmt.Errorf("--brand-colour: %q is not a colour like #0f766e", stated)
	}
	if err := CheckSupport(support); err != nil {
		return Look{}, fmt.Errorf("--brand-support: %w", err)
	}
	if err := CheckPrivacy(privacy); err != nil {
		return Look{}, fmt.Errorf("--brand-privacy: %w", err)
	}
	if logoFile == "" {
		return l, nil
	}
	raw, err := os.ReadFile(logoFile)
	if err != nil {
		return Look{}, fmt.Errorf("--brand-logo: %w", err)
	}
	if l.Logo, err = Clean(raw); err != nil {
		return Look{}, fmt.Errorf("--brand-logo: %w", err)
	}
	return l, nil
}

func checkLink(link string, schemes ...string) error {
	if link == "" {
		return nil
	}
	u, err := url.Parse(link)
	if err != nil || len(link) > maxAddress || u.User != nil {
		return errors.New("it is not an address")
	}
	for _, s := range schemes {
		if u.Scheme == s && (u.Host != "" || s == "mailto" && u.Opaque != "") {
			return nil
		}
	}
	return fmt.Errorf("it begins with %s", strings.Join(schemes, ": or ")+":")
}

// Clean reads a PNG or WebP and answers a PNG of its pixels, made smaller where it has more of them than the pages show or takes
// more than MaxLogoBytes. Errors say what is wrong with it, to whoever chose it.
func Clean(raw []byte) ([]byte, error) {
	if len(raw) > MaxLogoBytes {
		return nil, fmt.Errorf("it is larger than %d kB", MaxLogoBytes>>10)
	}
	config, decode := png.DecodeConfig, png.Decode
	if bytes.HasPrefix(raw, []byte("RIFF")) {
		config, decode = webp.DecodeConfig, webp.Decode
	}
	size, err := config(bytes.NewReader(raw))
	if err != nil {
		return nil, errors.New("it is neither PNG nor WebP")
	}
	if size.Width < 1 || size.Height < 1 || size.Width > MaxLogoSide || size.Height > MaxLogoSide {
		return nil, fmt.Errorf("its sides are 1 to %d pixels, not %d × %d", MaxLogoSide, size.Width, size.Height)
	}
	picture, err := decode(bytes.NewReader(raw))
	if err != nil {
		return nil, errors.New("its pixels cannot be read")
	}
	return shown(picture)
}

// shown is the PNG of a picture, smaller until it is no larger than what the pages show, in pixels and in bytes.
func shown(picture image.Image) ([]byte, error) {
	for side := shownSide; ; side /= 2 {
		out, err := write(within(picture, side))
		if err != nil || len(out) <= MaxLogoBytes {
			return out, err
		}
	}
}

// within is the picture, its longer side at most so many pixels.
func within(picture image.Image, side int) image.Image {
	b := picture.Bounds()
	long := max(b.Dx(), b.Dy())
	if long <= side {
		return picture
	}
	small := image.NewNRGBA(image.Rect(0, 0, max(1, b.Dx()*side/long), max(1, b.Dy()*side/long)))
	draw.CatmullRom.Scale(small, small.Bounds(), picture, b, draw.Src, nil)
	return small
}

func write(picture image.Image) ([]byte, error) {
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("write it as PNG: %w", err)
	}
	return out.Bytes(), nil
}

// Meta is the element that tells a page its look; logo is where the page finds the logo. It is empty where there is
// nothing to tell.
func (l Look) Meta(logo string) ([]byte, error) {
	said := map[string]string{"name": l.Name, "colour": l.Colour, "logo": logo, "support": l.Support, "privacy": l.Privacy}
	if l.Name == "" && l.Colour == "" && logo == "" && l.Support == "" && l.Privacy == "" && len(l.Languages)+len(l.Hello) == 0 {
		return nil, nil
	}
	if len(l.Languages) > 0 {
		said["languages"] = strings.Join(l.Languages, " ")
	}
	for language, text := range l.Hello {
		said["hello_"+language] = text
	}
	told, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	return []byte(`<meta name="bonafide-brand" content="` + html.EscapeString(string(told)) + `">`), nil
}
