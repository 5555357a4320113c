package verified

import "github.com/bonafide-id/bonafide/internal/idv"

// Credential is what a wallet disclosed of a credential that no preset has: the claims that the workflow asked for, and no other.
type Credential struct {
	Format string            `json:"format" enum:"dc+sd-jwt,mso_mdoc"`
	Type   string            `json:"type" doc:"vct of an SD-JWT VC, or docType of a mobile document"`
	Claims []CredentialClaim `json:"claims" nullable:"false" doc:"In the order in which the workflow asks; one that was not disclosed is left out"`
}

// CredentialClaim is one claim as its issuer signed it.
type CredentialClaim struct {
	Path  string `json:"path" doc:"Steps joined by slashes; of a mobile document name space and element"`
	Value string `json:"value" doc:"Text unchanged, anything else as JSON. A picture is its media type in brackets"`
}

// CredentialsOf returns what a report verifies of credentials that no preset has; none where the check of the wallet did not pass.
func CredentialsOf(r idv.Report, found idv.Wallet) []Credential {
	out := []Credential{}
	if !passed(r, signatures[idv.FromWallet]) {
		return out
	}
	for _, presented := range found.Credentials {
		one := Credential{Format: presented.Format, Type: presented.Type}
		for _, v := range found.Values {
			if v.Credential == presented.ID {
				one.Claims = append(one.Claims, CredentialClaim{Path: v.Path, Value: v.Value})
			}
		}
		if len(one.Claims) > 0 {
			out = append(out, one)
		}
	}
	return out
}
