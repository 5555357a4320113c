package register

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/vical"
)

// loadedFor is how long what was loaded is used: revocation lists go out of date.
const loadedFor = 10 * time.Minute

// loaded is what was in force at a revision.
type loaded struct {
	revision int64
	at       time.Time
	held     *held
	store    *trust.Store
	unusable []Unusable
}

// held is what is in force in a mode, read.
type held struct {
	anchors  []anchored
	lists    []listed
	vicals   []issued
	crls     []revoking
	removed  []string
	unusable []Unusable
}

type anchored struct {
	mode   idv.Mode
	anchor trust.Anchor
}

type listed struct {
	list   *trust.VerifiedList
	update Update
}

type issued struct {
	list   *vical.Verified
	update Update
}

type revoking struct {
	list   *pki.RevocationList
	update Update
}

// Unusable is an update that is in force and cannot be used.
type Unusable struct {
	Update  idv.TrustUpdateID
	Refusal *refusal.Refusal
}

// Load returns what is trusted in a mode, in the form in which emrtd, mdoc, sdjwt, statuslist and openid4vp take it: each anchor for its
// purpose and scope alone. It is shared and must not be changed. Updates that cannot be used any more, such as revocation lists that are
// out of date, are left out.
func (r *Register) Load(ctx context.Context, mode idv.Mode) (*trust.Store, error) {
	l, err := r.inForce(ctx, mode)
	return l.store, err
}

// Unusable returns what is in force in a mode and cannot be used, with why.
func (r *Register) Unusable(ctx context.Context, mode idv.Mode) ([]Unusable, error) {
	l, err := r.inForce(ctx, mode)
	return l.unusable, err
}

// inForce reads what is in force, or returns what was read a moment ago.
func (r *Register) inForce(ctx context.Context, mode idv.Mode) (loaded, error) {
	revision, err := r.store.TrustRevision(ctx)
	if err != nil {
		return loaded{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if l, ok := r.loaded[mode]; ok && l.revision == revision && r.now().Sub(l.at) < loadedFor {
		return l, nil
	}
	updates, err := r.store.TrustInForce(ctx, modesOf(mode))
	if err != nil {
		return loaded{}, err
	}
	h, err := hold(updates)
	if err != nil {
		return loaded{}, err
	}
	l := loaded{revision: revision, at: r.now(), held: h}
	l.store, l.unusable = h.store(l.at)
	r.loaded[mode] = l
	return l, nil
}

// hold reads updates, each kind after those that it rests on.
func hold(updates []Update) (*held, error) {
	h := &held{}
	for _, kind := range []Kind{Removal, Anchor, MasterList, VICAL, RevocationList} {
		for _, u := range updates {
			if u.Kind != kind {
				continue
			}
			err := h.add(u)
			if err == nil {
				continue
			}
			why := refusal.Of(err)
			if why == nil {
				return nil, fmt.Errorf("load trust update %s: %w", u.ID, err)
			}
			h.unusable = append(h.unusable, Unusable{Update: u.ID, Refusal: why})
		}
	}
	return h, nil
}

func (h *held) add(u Update) error {
	switch u.Kind {
	case Removal:
		h.removed = append(h.removed, u.Subject)
	case Anchor:
		c, err := pki.ParseCertificate(u.Raw)
		if err != nil {
			return err
		}
		h.anchors = append(h.anchors, anchored{mode: u.Mode, anchor: trust.Anchor{
			Certificate: c, Purpose: u.Purpose, Scope: u.Scope, Source: u.Source, Date: u.Dated, AcceptedBy: u.SettledBy, AcceptedAt: u.SettledAt,
		}})
	case MasterList:
		list, err := trust.ParseMasterList(u.Raw)
		if err != nil {
			return err
		}
		verified, err := list.Verify(h.signers(u.Mode, trust.CSCA))
		if err != nil {
			return err
		}
		h.lists = append(h.lists, listed{list: verified, update: u})
	case VICAL:
		return h.addVICAL(u)
	case RevocationList:
		list, err := pki.ParseRevocationList(u.Raw)
		if err != nil {
			return err
		}
		h.crls = append(h.crls, revoking{list: list, update: u})
	default:
		return errors.New("unknown kind")
	}
	return nil
}

// addVICAL verifies a list of authorities of mobile documents.
func (h *held) addVICAL(u Update) error {
	list, err := vical.Parse(u.Raw)
	if err != nil {
		return err
	}
	verified, err := list.Verify(h.signers(u.Mode, trust.VICAL))
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(verified.Path, h.isRemoved); i >= 0 {
		return refusal.New(trust.Distrusted, "%s, on whom the list rests, was removed", verified.Path[i].Subject)
	}
	h.vicals = append(h.vicals, issued{list: verified, update: u})
	return nil
}

// signers returns the anchors of a purpose that the signer of a list of a mode may lead to: those that were accepted by themselves.
func (h *held) signers(mode idv.Mode, p trust.Purpose) []*pki.Certificate {
	var out []*pki.Certificate
	for _, a := range h.anchors {
		if a.anchor.Purpose != p || (mode == idv.Live && a.mode != idv.Live) || h.isRemoved(a.anchor.Certificate) {
			continue
		}
		out = append(out, a.anchor.Certificate)
	}
	return out
}

func (h *held) isRemoved(c *pki.Certificate) bool { return slices.Contains(h.removed, c.Fingerprint()) }

// store puts a trust.Store together. unusable also names what is out of date at the moment.
func (h *held) store(now time.Time) (s *trust.Store, unusable []Unusable) {
	s, unusable = new(trust.Store), slices.Clone(h.unusable)
	for _, fingerprint := range h.removed {
		s.Distrust(fingerprint)
	}
	for _, a := range h.anchors {
		_ = s.Accept(a.anchor) // what was removed stays out
	}
	for _, l := range h.lists {
		s.AcceptList(l.list, l.update.Source, l.update.SettledBy, l.update.SettledAt)
	}
	for _, l := range h.vicals {
		l.list.Accept(s, l.update.Source, l.update.SettledBy, l.update.SettledAt)
	}
	for _, l := range h.crls {
		if err := s.AcceptCRL(l.list, now); err != nil {
			unusable = append(unusable, Unusable{Update: l.update.ID, Refusal: refusal.Of(err)})
		}
	}
	return s, unusable
}
