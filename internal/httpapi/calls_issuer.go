package httpapi

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func (s *Server) issuers(ctx context.Context, _ *none) (*answer[Issuers], error) {
	v, err := s.viewOf(ctx, applicantOf(ctx))
	if err != nil {
		return nil, err
	}
	return &answer[Issuers]{Body: issuersOf(v.Workflow)}, nil
}

// issuersOf lists what a person may look for: who issues documents to the public, and besides whatever the workflow names.
func issuersOf(w idv.WorkflowVersion) Issuers {
	out := Issuers{Items: []Issuer{}}
	for _, st := range icao.States() {
		named := len(w.Countries) > 0 && w.AcceptsIssuer(st.Code)
		public := st.Kind == icao.Country || st.Kind == icao.Organization || st.Kind == icao.Specimen && w.AcceptSpecimens
		if icao.MayIssue(st.Code) && (public || named) {
			out.Items = append(out.Items, Issuer{Code: st.Code, Region: regionOf(st), Name: st.Name, Accepted: w.AcceptsIssuer(st.Code)})
		}
	}
	slices.SortFunc(out.Items, func(a, b Issuer) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// regions are those that browsers have names for beside the countries of ISO 3166-1.
var regions = map[string]string{"RKS": "XK", "EUE": "EU", "UNO": "UN"}

// regionOf is the two-letter code of a state; empty where it has none.
func regionOf(st icao.State) string {
	if r, ok := regions[st.Code]; ok {
		return r
	}
	if r, err := language.ParseRegion(st.ISO); st.ISO != "" && err == nil && r.IsCountry() {
		return r.String()
	}
	return ""
}
