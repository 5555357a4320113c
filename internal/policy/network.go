package policy

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Network is what rules may ask of the network from which a session was opened.
type Network struct {
	Country   string `json:"country,omitempty"` // ISO 3166-1 alpha-3; empty where it is not known
	Hosting   bool   `json:"hosting,omitempty"`
	Anonymous bool   `json:"anonymous,omitempty"`
	Kind      bool   `json:"kind,omitempty"` // both of these are known

	// ASN is the number of the autonomous system, 0 where it is not known. Some belong to a single household: it is not kept with the
	// decision, which outlives the session's personal data.
	ASN uint32 `json:"-"`
}

// networkOf returns what rules may ask of an origin; nil where nobody looked.
func networkOf(o *idv.NetworkOrigin) *Network {
	if o == nil {
		return nil
	}
	return &Network{Country: o.Country, Hosting: o.Hosting, Anonymous: o.Anonymous, Kind: o.Gaps.Kind == "", ASN: o.ASN}
}

// network is what is known of the network; nothing where the workflow does not ask.
func (f Facts) network() Network {
	for _, k := range idv.NetworkChecks() {
		if c, _ := f.find(k); c.Network != nil {
			return *c.Network
		}
	}
	return Network{}
}

// aboutSystem are the names of the variables that cannot be answered once the decision is made.
var aboutSystem = []string{"network.asn", "network.asn_known"}

// asksSystem reports whether a condition is about the autonomous system.
func (r *Rules) asksSystem() bool {
	return slices.ContainsFunc(r.list, func(one rule) bool { return one.asks.system })
}

// networkVariables are what a rule can ask about the network from which a session was opened.
func networkVariables() []Variable {
	known := func(name, doc string, of func(Network) bool) Variable {
		return Variable{Name: "network." + name, Type: "bool", Doc: doc, cel: cel.BoolType, value: func(f facts) (any, bool) { return of(f.network()), true }}
	}
	// A network that a file lists is hosting or anonymous, also where another file could not be asked.
	kind := func(name, doc string, of func(Network) bool) Variable {
		return Variable{
			Name: "network." + name, Type: "bool", Doc: doc, Known: "network.kind_known", cel: cel.BoolType,
			value: func(f facts) (any, bool) { n := f.network(); return of(n), n.Kind || of(n) },
		}
	}
	return []Variable{
		{
			Name: "network.country", Type: "string", Known: "network.country_known", cel: cel.StringType,
			Doc:   "The country from which the session was opened, as your file of countries says, spelled as document.country (Germany is \"D\").",
			value: func(f facts) (any, bool) { n := f.network(); return CountryCode(n.Country), n.Country != "" },
		},
		known("country_known", "Whether that country is known: the workflow has to require a check of network.", func(n Network) bool { return n.Country != "" }),
		{
			Name: "network.asn", Type: "int", Known: "network.asn_known", cel: cel.IntType,
			Doc:   "The number of the autonomous system, which is that of a provider. It is not kept with decisions, so the simulation cannot tell.",
			value: func(f facts) (any, bool) { n := f.network(); return int64(n.ASN), n.ASN != 0 },
		},
		known("asn_known", "Whether that number is known.", func(n Network) bool { return n.ASN != 0 }),
		kind("hosting", "Whether the network is that of a data centre.", func(n Network) bool { return n.Hosting }),
		kind("anonymous", "Whether it is a VPN, a proxy, a relay or an exit of Tor.", func(n Network) bool { return n.Anonymous }),
		known("kind_known", "Whether both are known.", func(n Network) bool { return n.Kind }),
	}
}
