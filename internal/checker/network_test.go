package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestANetworkRefersOrPassesByWhatIsKnownOfIt(t *testing.T) {
	german := []idv.Claim{{Name: idv.Issuer, Value: "D", Source: idv.FromMRZ}}
	claimed := []idv.Claim{{Name: idv.Issuer, Value: "DEU", Source: idv.FromClaimed}}
	hidden := idv.NetworkOrigin{Hosting: true, Anonymous: true}
	halfKnown := idv.NetworkOrigin{Anonymous: true, Gaps: idv.OriginGaps{Kind: idv.OriginOld}}
	noList := idv.NetworkOrigin{Gaps: idv.OriginGaps{Kind: idv.OriginNoFile}}
	countriesOnly := idv.NetworkOrigin{Country: "FRA", Gaps: idv.OriginGaps{ASN: idv.OriginNoFile, Kind: idv.OriginNoFile}}
	oneBroken := idv.NetworkOrigin{Country: "FRA", Gaps: idv.OriginGaps{Kind: idv.OriginBroken}}
	unlisted := idv.NetworkOrigin{Gaps: idv.OriginGaps{Country: idv.OriginUnlisted, ASN: idv.OriginUnlisted}}
	for name, tt := range map[string]struct {
		check  idv.Checker
		origin idv.NetworkOrigin
		claims []idv.Claim
		want   []string
	}{
		"the country of the document":                 {NetworkCountry{}, idv.NetworkOrigin{Country: "DEU"}, german, nil},
		"another country refers":                      {NetworkCountry{}, idv.NetworkOrigin{Country: "FRA"}, german, []string{"network.other_country"}},
		"a country that no file lists":                {NetworkCountry{}, unlisted, german, []string{"network.not_checked"}},
		"a document without an issuer":                {NetworkCountry{}, idv.NetworkOrigin{Country: "DEU"}, nil, []string{"network.not_checked"}},
		"an issuer that only the integrator claims":   {NetworkCountry{}, idv.NetworkOrigin{Country: "DEU"}, claimed, []string{"network.not_checked"}},
		"an ordinary network":                         {NetworkKind{}, idv.NetworkOrigin{}, german, nil},
		"a data centre":                               {NetworkKind{}, idv.NetworkOrigin{Hosting: true}, german, []string{"network.hosting"}},
		"an anonymous data centre":                    {NetworkKind{}, hidden, german, []string{"network.anonymous", "network.hosting"}},
		"kinds without a file":                        {NetworkKind{}, noList, german, []string{"network.not_checked"}},
		"what one list says counts if another is old": {NetworkKind{}, halfKnown, german, []string{"network.anonymous", "network.not_checked"}},
		"looked up, in a country and of a kind":       {NetworkKnown{}, idv.NetworkOrigin{Country: "FRA", Hosting: true}, german, nil},
		"looked up, and not listed":                   {NetworkKnown{}, unlisted, german, nil},
		"a file of countries alone":                   {NetworkKnown{}, countriesOnly, german, nil},
		"no file":                                     {NetworkKnown{}, idv.UnreadOrigin(idv.OriginNoFile), german, []string{"network.not_checked"}},
		"no address":                                  {NetworkKnown{}, idv.UnreadOrigin(idv.OriginNoAddress), german, []string{"network.not_checked"}},
		"one file of two is broken":                   {NetworkKnown{}, oneBroken, german, []string{"network.not_checked"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := raisedBy(t, tt.check, idv.Evidence{Claims: tt.claims, Seen: &idv.Seen{Origin: &tt.origin}})
			want := idv.Pass
			if len(tt.want) > 0 {
				want = idv.Inconclusive
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || f.Outcome != want {
				t.Errorf("%s, reasons (-want +got)\n%s", f.Outcome, diff)
			}
			if f.Seen == nil || f.Seen.Origin == nil || *f.Seen.Origin != tt.origin {
				t.Errorf("the finding says %+v of the network", f.Seen)
			}
		})
	}
}
