package wire

import (
	"cmp"
	"slices"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// regions are those that browsers have names for beside the countries of ISO 3166-1.
var regions = map[string]string{"RKS": "XK", "EUE": "EU", "UNO": "UN"}

// Issuers are the states and organisations that issue documents.
type Issuers struct {
	Items []Issuer `json:"items" doc:"By name in English"`
}

// Issuer is a state or an organisation that issues documents.
type Issuer struct {
	Code     string `json:"code" of:"state" example:"FRA" doc:"ICAO 9303-3"`
	Region   string `json:"region" example:"FR" doc:"ISO 3166-1 alpha-2, by which a browser names it in the person's language; empty where there is none"`
	Name     string `json:"name" example:"France" doc:"In English"`
	Accepted bool   `json:"accepted" doc:"Its documents are accepted in this session"`
}

// IssuersOf returns the issuers that a person may look for: those that issue documents to the public, and those that the workflow names.
func IssuersOf(w idv.WorkflowVersion) Issuers {
	out := Issuers{Items: []Issuer{}}
	for _, st := range icao.States() {
		named := len(w.Countries) > 0 && w.AcceptsIssuer(st.Code)
		public := st.Kind == icao.Country || st.Kind == icao.Organization || st.Kind == icao.Specimen && w.AcceptSpecimens
		if icao.MayIssue(st.Code) && (public || named) {
			out.Items = append(out.Items, Issuer{Code: st.Code, Region: RegionOf(st), Name: st.Name, Accepted: w.AcceptsIssuer(st.Code)})
		}
	}
	slices.SortFunc(out.Items, func(a, b Issuer) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// RegionOf returns the two-letter code of a state, by which browsers name it; empty where it has none.
func RegionOf(st icao.State) string {
	if r, ok := regions[st.Code]; ok {
		return r
	}
	if r, err := language.ParseRegion(st.ISO); st.ISO != "" && err == nil && r.IsCountry() {
		return r.String()
	}
	return ""
}
