package facts

import (
	"fmt"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/strange"
)

// strange takes pictures of a document of an unknown layout: of each side, or of both in one.
func (o Options) strange(k int) ([]shot, error) {
	seed := o.Seed + int64(k)
	doc, err := strange.New(seed)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", seed, err)
	}
	pictures := doc.Pictures(func(seed int64) fixtures.Camera {
		cam, _ := o.camera(seed)
		return cam
	})
	var out []shot
	for _, p := range pictures {
		s, err := o.shot(fmt.Sprintf("%s-%06d-%s", doc.Kind, seed, p.Name), p.Image, p.Truth)
		if err != nil {
			return nil, err
		}
		s.group, s.layout = string(doc.Kind), UnknownLayout
		if !isBack(s.picture) {
			s.wantKind = doc.Kind
			if doc.Told {
				s.wantIssuer = doc.Issuer
			}
		}
		out = append(out, s)
	}
	return out, nil
}
