package register

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/vical"
)

// Difference returns what an update adds, removes and changes against what it replaces, by country. That of a revocation list is empty.
func (r *Register) Difference(ctx context.Context, u Update) ([]trust.Change, error) {
	if u.Kind == Removal {
		return r.removes(ctx, u)
	}
	after, err := certificates(u)
	if err != nil {
		return nil, err
	}
	var before []*pki.Certificate
	if u.Replaces != "" {
		old, err := r.store.TrustUpdate(ctx, u.Replaces)
		if err != nil && !problem.Has(err, problem.NotFound) {
			return nil, err
		}
		if before, err = certificates(old); err != nil {
			return nil, err
		}
	}
	return trust.Difference(before, after), nil
}

// removes returns the certificate that a removal takes out, as long as something in force holds it.
func (r *Register) removes(ctx context.Context, u Update) ([]trust.Change, error) {
	l, err := r.inForce(ctx, u.Mode)
	if err != nil {
		return nil, err
	}
	var all []*pki.Certificate
	for _, a := range l.held.anchors {
		all = append(all, a.anchor.Certificate)
	}
	for _, list := range l.held.lists {
		all = append(all, list.list.Certificates...)
	}
	for _, list := range l.held.vicals {
		all = append(all, list.list.Certificates()...)
	}
	i := slices.IndexFunc(all, func(c *pki.Certificate) bool { return c.Fingerprint() == u.Subject })
	if i < 0 {
		return nil, nil
	}
	return trust.Difference(all[i:i+1], nil), nil
}

// certificates returns what an update holds; none of a revocation list.
func certificates(u Update) ([]*pki.Certificate, error) {
	switch u.Kind {
	case Anchor:
		c, err := pki.ParseCertificate(u.Raw)
		if err != nil {
			return nil, fmt.Errorf("read trust update %s: %w", u.ID, err)
		}
		return []*pki.Certificate{c}, nil
	case MasterList:
		list, err := trust.ParseMasterList(u.Raw)
		if err != nil {
			return nil, fmt.Errorf("read trust update %s: %w", u.ID, err)
		}
		return list.Certificates, nil
	case VICAL:
		list, err := vical.Parse(u.Raw)
		if err != nil {
			return nil, fmt.Errorf("read trust update %s: %w", u.ID, err)
		}
		return list.Certificates(), nil
	default:
		return nil, nil
	}
}

// Gaps returns the states without a valid authority, by their codes of ISO 3166-1 alpha-2.
func Gaps(covered []trust.Coverage) []string {
	valid := map[string]bool{}
	for _, c := range covered {
		valid[c.Country] = c.Roots > 0 && c.Roots+c.Links > c.Expired
	}
	var out []string
	for _, s := range icao.States() {
		region, err := language.ParseRegion(cmp.Or(s.ISO, s.Code))
		if s.Kind == icao.Country && err == nil && !valid[region.String()] {
			out = append(out, region.String())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
