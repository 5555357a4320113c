package openid4vp

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Choose returns the request that an answer by the browser's API is to, by its protocol. A single request is returned whatever the answer.
func Choose(requests []*Request, raw []byte) (*Request, error) {
	if len(requests) == 1 {
		return requests[0], nil
	}
	var answer struct {
		Protocol string `json:"protocol"`
	}
	if len(raw) > maxAnswer || json.Unmarshal(raw, &answer) != nil {
		return nil, refusal.New(Malformed, "the answer is not the credential of a browser")
	}
	for _, r := range requests {
		if r.protocol() == answer.Protocol {
			return r, nil
		}
	}
	return nil, refusal.New(OtherChannel, "the answer is by another protocol than was asked for")
}

// agesOnly reports whether nothing is asked for but ages.
func (q *Query) agesOnly() bool {
	return !slices.ContainsFunc(q.Credentials, func(c CredentialQuery) bool {
		return len(c.Claims) == 0 || slices.ContainsFunc(c.Claims, func(claim ClaimQuery) bool {
			name, _ := claim.Path[min(len(claim.Path), 2)-1].(string)
			first, _ := claim.Path[0].(string)
			return first != "age_equal_or_over" && !strings.HasPrefix(name, "age_over_")
		})
	})
}

// technical are the claims of an SD-JWT credential that say nothing about its holder.
var technical = []string{
	"iss", "iat", "nbf", "exp", "cnf", "vct", "vct#integrity", "status", "_sd", "_sd_alg", "jti",
	"issuing_country", "issuing_authority", "date_of_issuance", "date_of_expiry",
}

// CheckMinimal refuses presentations that disclose more than the ages that were asked for, where nothing else was. It trusts nobody, so
// that what is refused need not be kept. Where more than ages was asked for it refuses nothing.
func (r *Request) CheckMinimal(tokens map[string][]string, now time.Time) error {
	if !r.Query.agesOnly() {
		return nil
	}
	report := r.Judge(tokens, new(trust.Store), Options{Now: now})
	for _, q := range r.Query.Credentials {
		c := report.Credentials[q.ID]
		switch {
		case c.SDJWT != nil && (q.Exceeds(c.SDJWT.Disclosed) || q.opens(tokens[q.ID][0])), c.MDoc != nil && q.Exceeds(c.MDoc.Disclosed):
			return refusal.New(Excessive, "the wallet disclosed more than was asked for")
		}
	}
	return nil
}

// opens reports whether an SD-JWT states something openly that was not asked for.
func (c CredentialQuery) opens(presentation string) bool {
	token, _, _ := strings.Cut(presentation, "~")
	t, err := jose.ParseToken(token, maxAnswer)
	if err != nil {
		return false // which is refused later
	}
	claims, err := t.Claims()
	if err != nil {
		return false
	}
	for name := range claims {
		if !slices.Contains(technical, name) && c.Exceeds([]string{name}) {
			return true
		}
	}
	return false
}
