package origin

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// answers are the questions that a file answers. The kind of a network is two of them: whether it is a data centre, and whether it hides people.
type answers struct{ country, asn, centre, hides bool }

func (a answers) none() bool { return a == answers{} }

func (a answers) and(b answers) answers {
	return answers{a.country || b.country, a.asn || b.asn, a.centre || b.centre, a.hides || b.hides}
}

// said is what a record says of an address.
type said struct {
	answers
	state     string // ISO 3166-1 alpha-3, or as the zone writes it where ISO has none
	system    uint32
	hosting   bool
	anonymous bool
}

// kindFlags are the fields by which files say what kind of network an address belongs to, and whether that is a data centre: MaxMind's
// Anonymous IP, Enterprise and Insights, DB-IP's, IPinfo's, IPLocate's.
var kindFlags = map[string]bool{
	"is_anonymous": false, "is_anonymous_vpn": false, retired: false, "is_public_proxy": false, "is_residential_proxy": false,
	"is_tor_exit_node": false, "is_hosting_provider": true,
	"is_vpn": false, "is_proxy": false, "is_tor": false, "is_relay": false, "is_hosting": true, "is_datacenter": true,
	"vpn": false, "proxy": false, "tor": false, "relay": false, "hosting": true,
}

// retired is a field that MaxMind's files of countries and cities have for a few addresses. It counts where it is set; that a file has it
// does not make it a list of anonymous networks.
const retired = "is_anonymous_proxy"

// proxyTypes are the values of IP2Proxy's proxy_type: data centres (DCH), and what hides somebody. Others, such as search engines (SES),
// say nothing.
var proxyTypes = map[string]bool{"DCH": true, "CDN": true, "VPN": false, "TOR": false, "PUB": false, "WEB": false, "RES": false, "CPN": false, "EPN": false}

// read reads a record in any of the forms that are in use:
//
//	country.iso_code                          GeoLite2, GeoIP2, DB-IP, IP2Location
//	country_code, or country of two letters   IPinfo, IPLocate
//	autonomous_system_number, asn ("AS64500" or 64500), also below traits
//	kindFlags, also below traits and privacy; proxy_type of IP2Proxy; traits.user_type "hosting"
//
// What it does not know, or is of another type, it leaves out. So is registered_country: a network may be registered in a state and serve another.
func read(record map[string]any) said {
	var out said
	out.setState(record["country"])
	out.setState(record["country_code"])
	out.flags(record)
	for _, key := range []string{"traits", "privacy", "anonymizer", "as"} {
		if inner, ok := record[key].(map[string]any); ok {
			out.flags(inner)
		}
	}
	return out
}

// setState takes the first country that is one.
func (s *said) setState(v any) {
	if inner, ok := v.(map[string]any); ok {
		v = inner["iso_code"]
	}
	code, ok := v.(string)
	if !ok || len(code) != 2 || s.state != "" {
		return
	}
	s.state = stateOf(code)
	s.country = s.state != ""
}

// kosovo has a code that ISO leaves to its users, and one of ICAO's.
const kosovo = "RKS"

// stateOf is the code of three letters of one of two; empty for what is no state.
func stateOf(code string) string {
	region, err := language.ParseRegion(code)
	switch {
	case err != nil || !region.IsCountry():
		return ""
	case strings.EqualFold(code, "XK"):
		return kosovo
	}
	return icao.ClaimedState(region.ISO3())
}

func (s *said) flags(record map[string]any) {
	for _, key := range []string{"autonomous_system_number", "asn", "as_number"} {
		if n, ok := number(record[key]); ok && s.system == 0 {
			s.system, s.asn = n, true
		}
	}
	for key, hosting := range kindFlags {
		on, ok := truth(record[key])
		s.centre, s.hides = s.centre || ok && hosting, s.hides || ok && !hosting && key != retired
		s.hosting = s.hosting || on && hosting
		s.anonymous = s.anonymous || on && !hosting
	}
	s.types(record)
}

// types takes what says the kind of a network in a word.
func (s *said) types(record map[string]any) {
	if t, ok := record["proxy_type"].(string); ok {
		hosting, known := proxyTypes[strings.ToUpper(t)]
		s.centre, s.hides, s.hosting, s.anonymous = true, true, s.hosting || known && hosting, s.anonymous || known && !hosting
	}
	if t, ok := record["user_type"].(string); ok {
		s.centre, s.hosting = true, s.hosting || t == "hosting" || t == "content_delivery_network"
		s.anonymous = s.anonymous || t == "consumer_privacy_network"
	}
}

// number is the number of an autonomous system, which is greater than 0.
func number(v any) (uint32, bool) {
	switch v := v.(type) {
	case uint64:
		return uint32(v), v > 0 && v <= math.MaxUint32
	case int32:
		return uint32(v), v > 0
	case string:
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToUpper(v), "AS"), 10, 32)
		return uint32(n), err == nil && n > 0
	}
	return 0, false
}

// truth is a flag: a boolean, a number or a word.
func truth(v any) (on, ok bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case uint64:
		return v != 0, true
	case string:
		switch strings.ToLower(v) {
		case "true", "1", "yes":
			return true, true
		case "false", "0", "no", "":
			return false, true
		}
	}
	return false, false
}
