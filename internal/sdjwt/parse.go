package sdjwt

import (
	"crypto"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

const (
	maxSize        = 4 << 20 // bytes of a presentation: portraits are in some
	maxDisclosures = 500
)

// presentation is what a holder sent.
type presentation struct {
	issued  *jose.Token
	binding string // the holder's token, empty if there is none
	signed  string // what the holder's token has to hash: everything up to the last tilde

	digest      string
	disclosures map[string]*disclosure // by digest
	paths       []string               // of the claims that were disclosed
}

// disclosure is a claim with its salt (RFC 9901 section 4.2).
type disclosure struct {
	text    string // as received
	name    string // empty for an element of an array
	element bool
	value   any
	used    bool
}

// parse splits a presentation, "token~disclosure~…~" with the holder's token behind it, and reads its disclosures.
func parse(raw string) (*presentation, error) {
	if len(raw) > maxSize || strings.Count(raw, "~") > maxDisclosures+1 {
		return nil, refusal.New(TooLarge, "there are more than %d bytes or %d disclosures", maxSize, maxDisclosures)
	}
	parts := strings.Split(raw, "~")
	if len(parts) < 2 {
		return nil, refusal.New(Malformed, "there is no tilde behind the token")
	}
	issued, err := jose.ParseToken(parts[0], maxSize)
	if err != nil {
		return nil, err
	}
	last := len(parts) - 1
	p := &presentation{issued: issued, binding: parts[last], signed: raw[:len(raw)-len(parts[last])], disclosures: map[string]*disclosure{}}
	claims, err := issued.Claims()
	if err != nil {
		return nil, err
	}
	hash, err := p.hash(claims)
	if err != nil {
		return nil, err
	}
	for _, text := range parts[1:last] {
		d, err := parseDisclosure(text)
		if err != nil {
			return nil, err
		}
		digest := digestOf(hash, text)
		if _, twice := p.disclosures[digest]; twice {
			return nil, refusal.New(DigestRepeated, "a disclosure was sent twice")
		}
		p.disclosures[digest] = d
	}
	return p, nil
}

// hashes are the functions that are accepted (IANA, Named Information Hash Algorithm).
var hashes = map[string]crypto.Hash{"sha-256": crypto.SHA256, "sha-384": crypto.SHA384, "sha-512": crypto.SHA512}

// hash returns the function of the disclosures, SHA-256 where none is named (RFC 9901 section 4.1.1).
func (p *presentation) hash(claims map[string]any) (crypto.Hash, error) {
	p.digest = "sha-256"
	if v, there := claims[claimHash]; there {
		name, ok := v.(string)
		if _, known := hashes[name]; !ok || !known {
			return 0, refusal.New(Digest, "the hash function of the disclosures is not accepted")
		}
		p.digest = name
	}
	return hashes[p.digest], nil
}

func digestOf(hash crypto.Hash, text string) string {
	h := hash.New()
	h.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// Names with a meaning of their own (RFC 9901 section 4).
const (
	claimDigests = "_sd"
	claimHash    = "_sd_alg"
	claimElement = "..."
)

func parseDisclosure(text string) (*disclosure, error) {
	broken := refusal.New(Disclosure, "a disclosure is no list of salt, name and value")
	raw, err := jose.DecodeBase64(text)
	if err != nil {
		return nil, broken
	}
	v, err := jose.Decode(raw)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok || len(list) < 2 || len(list) > 3 {
		return nil, broken
	}
	if _, ok := list[0].(string); !ok {
		return nil, broken
	}
	d := &disclosure{text: text, value: list[len(list)-1], element: len(list) == 2}
	if d.element {
		return d, nil
	}
	if d.name, ok = list[1].(string); !ok {
		return nil, broken
	}
	if d.name == claimDigests || d.name == claimElement {
		return nil, refusal.New(Disclosure, "a disclosure is of a name that none may have")
	}
	return d, nil
}

// disclose returns the claims with each disclosure in its place and no digests (RFC 9901 section 7.1). Each digest may occur once in
// all of them, and each disclosure has to be of one.
func (p *presentation) disclose(payload map[string]any) (map[string]any, error) {
	w := &weaver{p: p, seen: map[string]bool{}}
	claims, err := w.object(payload, "", 0)
	if err != nil {
		return nil, err
	}
	for _, d := range p.disclosures {
		if !d.used {
			return nil, refusal.New(NotReferenced, "a disclosure is of no digest that the issuer signed")
		}
	}
	return claims, nil
}

// weaver puts disclosures in their places.
type weaver struct {
	p    *presentation
	seen map[string]bool // digests
}

// maxNested is how deep claims may be nested, disclosures within disclosures included.
const maxNested = 24

func (w *weaver) value(v any, path string, depth int) (any, error) {
	if depth > maxNested {
		return nil, refusal.New(TooLarge, "the claims are nested deeper than %d levels", maxNested)
	}
	switch x := v.(type) {
	case map[string]any:
		return w.object(x, path, depth)
	case []any:
		return w.array(x, path, depth)
	}
	return v, nil
}

func (w *weaver) object(o map[string]any, path string, depth int) (map[string]any, error) {
	out := map[string]any{}
	for name, v := range o {
		switch name {
		case claimDigests:
			continue
		case claimHash:
			if depth == 0 {
				continue
			}
			return nil, refusal.New(Malformed, "the hash function is named within a claim")
		case claimElement:
			return nil, refusal.New(Malformed, "the digest of an element is outside of an array")
		}
		inner, err := w.value(v, join(path, name), depth+1)
		if err != nil {
			return nil, err
		}
		out[name] = inner
	}
	v, there := o[claimDigests]
	if !there {
		return out, nil
	}
	digests, ok := v.([]any)
	if !ok {
		return nil, refusal.New(Malformed, "the digests are no list")
	}
	for _, v := range digests {
		d, err := w.find(v, false)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		if _, there := out[d.name]; there || (depth == 0 && d.name == claimHash) {
			return nil, refusal.New(Collision, "a disclosure is of a claim that is there already")
		}
		if depth == 0 && open[d.name] {
			return nil, refusal.New(HiddenClaim, "%q has to be stated openly", d.name)
		}
		if err := w.put(d, join(path, d.name), depth, func(v any) { out[d.name] = v }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// open are the claims that may not be disclosed one by one (SD-JWT VC section 3.2.2.2).
var open = map[string]bool{"iss": true, "nbf": true, "exp": true, "cnf": true, "vct": true, "vct#integrity": true, "status": true}

func (w *weaver) array(list []any, path string, depth int) ([]any, error) {
	out := []any{}
	for _, v := range list {
		at := fmt.Sprintf("%s[%d]", path, len(out)) // elements that were kept back leave no gap
		o, _ := v.(map[string]any)
		digest, hidden := o[claimElement]
		if !hidden {
			inner, err := w.value(v, at, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, inner)
			continue
		}
		if len(o) != 1 {
			return nil, refusal.New(Malformed, "there is something beside the digest of an element")
		}
		d, err := w.find(digest, true)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		if err := w.put(d, at, depth, func(v any) { out = append(out, v) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w *weaver) put(d *disclosure, path string, depth int, into func(any)) error {
	d.used = true
	w.p.paths = append(w.p.paths, path)
	v, err := w.value(d.value, path, depth+1)
	if err == nil {
		into(v)
	}
	return err
}

// find returns the disclosure of a digest, nil if it was not sent or never was one.
func (w *weaver) find(v any, element bool) (*disclosure, error) {
	digest, ok := v.(string)
	if !ok {
		return nil, refusal.New(Malformed, "a digest is no text")
	}
	if w.seen[digest] {
		return nil, refusal.New(DigestRepeated, "a digest occurs twice")
	}
	w.seen[digest] = true
	d := w.p.disclosures[digest]
	if d != nil && d.element != element {
		return nil, refusal.New(Disclosure, "a disclosure is of an element where a claim was expected, or the other way round")
	}
	return d, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
