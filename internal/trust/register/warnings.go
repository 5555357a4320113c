package register

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// ListOld is the age from which a master list is worth a look for a newer one: the states that publish lists do so several times a year.
const ListOld = 120 * 24 * time.Hour

// Worry is what somebody should look at.
type Worry string

// The worries.
const (
	AuthorityExpired Worry = "authority_expired" // no authority of the country, or none for the type, is valid any more
	AuthorityExpires Worry = "authority_expires" // the last valid one expires within 90 days
	ListIsOld        Worry = "list_old"          // the master list in force is older than ListOld
	RevocationOld    Worry = "revocation_old"    // the revocation list is out of date: its signers are not checked
	RevocationEnds   Worry = "revocation_ends"   // the revocation list goes out of date within a week
)

// week is the time before a revocation list's end in which that is announced.
const week = 7 * 24 * time.Hour

// Warning is one of them.
type Warning struct {
	Worry   Worry
	Purpose trust.Purpose
	Scope   string            // country, docType or vct
	Update  idv.TrustUpdateID // of a list; empty for an authority
	At      time.Time         // of the expiry, or when the list was signed
}

// Revocations is a revocation list in force.
type Revocations struct {
	Update  idv.TrustUpdateID
	Purpose trust.Purpose
	Scope   string // country, docType or vct
	Issuer  string
	Dated   time.Time
	Until   time.Time // the next one is due; zero where the list does not say
	Entries int
	Usable  bool // in date, and its signer is trusted
}

// List is a master list or a VICAL in force.
type List struct {
	Update       idv.TrustUpdateID
	Kind         Kind
	Scope        string // country whose state signed a master list, or provider of a VICAL
	Dated        time.Time
	Certificates int
	Usable       bool // its signer is trusted
}

// Coverage is what is trusted in a mode.
type Coverage struct {
	Countries   []trust.Coverage
	Anchors     []trust.Anchor // of purposes that are no countries'
	Lists       []List
	Revocations []Revocations
	Unusable    []Unusable
	Warnings    []Warning // the most pressing first
}

// Coverage counts what is trusted in a mode by country, and says what somebody should look at.
func (r *Register) Coverage(ctx context.Context, mode idv.Mode) (Coverage, error) {
	l, err := r.inForce(ctx, mode)
	if err != nil {
		return Coverage{}, err
	}
	out := Coverage{Countries: l.store.Cover(r.now()), Unusable: l.unusable}
	for _, p := range []trust.Purpose{trust.IACA, trust.Issuer, trust.VICAL} {
		out.Anchors = append(out.Anchors, l.store.Anchors(p, "")...)
	}
	unusable := func(id idv.TrustUpdateID) bool {
		return slices.ContainsFunc(l.unusable, func(u Unusable) bool { return u.Update == id })
	}
	listed := func(u Update) {
		out.Lists = append(out.Lists, List{Update: u.ID, Kind: u.Kind, Scope: u.Scope, Dated: u.Dated, Certificates: u.Count, Usable: !unusable(u.ID)})
	}
	for _, one := range l.held.lists {
		listed(one.update)
	}
	for _, one := range l.held.vicals {
		listed(one.update)
	}
	for _, one := range l.held.crls {
		u := one.update
		out.Revocations = append(out.Revocations, Revocations{
			Update: u.ID, Purpose: u.Purpose, Scope: u.Scope, Issuer: u.Subject, Dated: u.Dated, Until: nextOf(one.list), Entries: u.Count,
			Usable: !unusable(u.ID),
		})
	}
	out.Warnings = warn(out, r.now())
	return out, nil
}

// nextOf returns when the list after this one is due; zero where it does not say.
func nextOf(l *pki.RevocationList) time.Time { return l.NextUpdate }

// warn says what somebody should look at, ordered by kind and scope.
func warn(c Coverage, now time.Time) []Warning {
	var out []Warning
	add := func(w Worry, p trust.Purpose, scope string, u idv.TrustUpdateID, at time.Time) {
		out = append(out, Warning{Worry: w, Purpose: p, Scope: scope, Update: u, At: at})
	}
	authorities := func(p trust.Purpose, scope string, valid, later int, last time.Time) {
		switch {
		case valid == 0:
			add(AuthorityExpired, p, scope, "", last)
		case later == 0:
			add(AuthorityExpires, p, scope, "", last)
		}
	}
	for _, one := range c.Countries {
		authorities(trust.CSCA, one.Country, one.Valid, one.Later, one.LastRoot)
	}
	for _, one := range scoped(c.Anchors, now) {
		authorities(one.purpose, one.scope, one.valid, one.later, one.last)
	}
	for _, one := range c.Lists {
		if now.Sub(one.Dated) > ListOld {
			purpose := trust.CSCA
			if one.Kind == VICAL {
				purpose = trust.IACA
			}
			add(ListIsOld, purpose, one.Scope, one.Update, one.Dated)
		}
	}
	for _, one := range c.Revocations {
		switch {
		case !one.Until.IsZero() && now.After(one.Until):
			add(RevocationOld, one.Purpose, one.Scope, one.Update, one.Until)
		case !one.Until.IsZero() && now.Add(week).After(one.Until):
			add(RevocationEnds, one.Purpose, one.Scope, one.Update, one.Until)
		}
	}
	order := []Worry{RevocationOld, AuthorityExpired, AuthorityExpires, RevocationEnds, ListIsOld}
	slices.SortStableFunc(out, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Worry), slices.Index(order, b.Worry)), cmp.Compare(a.Scope, b.Scope))
	})
	return out
}

// covered counts the anchors of one type of credential.
type covered struct {
	purpose      trust.Purpose
	scope        string
	valid, later int // now, and in 90 days
	last         time.Time
}

func scoped(anchors []trust.Anchor, now time.Time) []covered {
	var out []covered
	for _, a := range anchors {
		i := slices.IndexFunc(out, func(c covered) bool { return c.purpose == a.Purpose && c.scope == a.Scope })
		if i < 0 {
			i = len(out)
			out = append(out, covered{purpose: a.Purpose, scope: a.Scope})
		}
		c := &out[i]
		if a.Certificate.ValidAt(now) {
			c.valid++
		}
		if a.Certificate.ValidAt(now.Add(trust.Soon)) {
			c.later++
		}
		if a.Certificate.NotAfter.After(c.last) {
			c.last = a.Certificate.NotAfter
		}
	}
	return out
}
