package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ofNetwork returns the checkers of the network from which a session was opened.
func ofNetwork() []idv.Checker { return []idv.Checker{NetworkKnown{}, NetworkCountry{}, NetworkKind{}} }

// atNetwork is the finding about a network, which passes until something refers.
func atNetwork(ev idv.Evidence) (idv.Finding, idv.NetworkOrigin, error) {
	if ev.Seen == nil || ev.Seen.Origin == nil {
		return idv.Finding{}, idv.NetworkOrigin{}, errNotLooked
	}
	f := idv.Passed()
	f.Seen = &idv.SeenFinding{Origin: ev.Seen.Origin}
	return f, *ev.Seen.Origin, nil
}

// NetworkKnown asks whether the address from which a session was opened was looked up in all the operator's files: rules that ask for
// what they say need it.
type NetworkKnown struct{ heedsAll }

// Kind is network.known.
func (NetworkKnown) Kind() idv.CheckKind { return idv.CheckNetworkKnown }

// Check refers where a file could not be asked, or there is none. An address that the files do not list is an answer.
func (NetworkKnown) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	f, o, err := atNetwork(ev)
	if err == nil && !o.Read() {
		f = refers(f, problem.NetworkNotChecked)
	}
	return f, err
}

// NetworkCountry asks whether a session was opened in the country of the document. Most people who were not are travellers or live
// abroad: a difference refers, in the workflows that ask.
type NetworkCountry struct{ heedsAll }

// Kind is network.country.
func (NetworkCountry) Kind() idv.CheckKind { return idv.CheckNetworkCountry }

// Check compares the country of the network with the issuer, as each source of the document states it. It refers where they all differ, and
// where either side is not known.
func (NetworkCountry) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	f, o, err := atNetwork(ev)
	if err != nil {
		return f, err
	}
	states := issuers(ev)
	switch {
	case o.Country == "", len(states) == 0:
		f = refers(f, problem.NetworkNotChecked)
	case !slices.ContainsFunc(states, func(s string) bool { return icao.SameState(s, o.Country) }):
		f = refers(f, problem.NetworkCountry)
	}
	return f, nil
}

// issuers are the states that issued the document, as its sources name them.
func issuers(ev idv.Evidence) []string {
	var out []string
	for _, c := range ev.Claims {
		form, ok := FormOf(c)
		if ok && c.Name == idv.Issuer && c.Source != idv.FromClaimed && !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	return out
}

// NetworkKind asks whether a session was opened from an ordinary network: neither a data centre's nor one that hides where somebody is.
type NetworkKind struct{ heedsAll }

// Kind is network.kind.
func (NetworkKind) Kind() idv.CheckKind { return idv.CheckNetworkKind }

// Check refers for each kind that a file lists the address as, and where not every file could be asked.
func (NetworkKind) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	f, o, err := atNetwork(ev)
	if err != nil {
		return f, err
	}
	if o.Anonymous {
		f = refers(f, problem.NetworkAnonymous)
	}
	if o.Hosting {
		f = refers(f, problem.NetworkHosting)
	}
	if o.Gaps.Kind != "" {
		f = refers(f, problem.NetworkNotChecked)
	}
	return f, nil
}
