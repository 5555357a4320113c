package openid4vp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Types of credentials that the presets ask for.
const (
	PIDType    = "urn:eudi:pid:1"          // vct (PID Rulebook annex 3.1, section 4)
	PIDDoc     = "eu.europa.ec.eudi.pid.1" // docType and name space (section 3)
	MDLDoc     = "org.iso.18013.5.1.mDL"   // docType (ISO/IEC 18013-5 section 7.1)
	MDLSpace   = "org.iso.18013.5.1"
	AAMVA      = "org.iso.18013.5.1.aamva" // name space (AAMVA mDL Implementation Guidelines section 3.2)
	AgeDoc     = "eu.europa.ec.av.1"       // docType and name space of the EU's proof of age
	pidSD      = "pid_sd_jwt"
	pidMDoc    = "pid_mdoc"
	mdlMDoc    = "mdl"
	proofOfAge = "proof_of_age"
)

// Preset says what is asked for.
type Preset struct {
	Asks     []idv.WalletAsk
	Age      int  // years that are asked about by idv.AskAge; 18 if 0
	Portrait bool // whether a portrait is asked for, where the wallet has one
	Others   []idv.WalletOther
}

// QueryOf returns what a workflow asks wallets for, as sessions ask it and as the editor of workflows shows it.
func QueryOf(w idv.WorkflowVersion) *Query {
	return Preset{Asks: w.WalletAsks, Age: w.MinimumAge, Portrait: w.TakesFace(), Others: w.WalletOthers}.Query()
}

// otherQuery asks for a credential that no preset has. A wallet that lacks an optional claim gives the others.
func otherQuery(id string, other idv.WalletOther) CredentialQuery {
	c := CredentialQuery{ID: id, Format: Format(other.Format), Meta: Meta{Types: []string{other.Type}}}
	if c.Format == MDoc {
		c.Meta = Meta{DocType: other.Type}
	}
	needed := 0
	for _, optional := range []bool{false, true} {
		for _, asked := range other.Claims {
			if asked.Optional != optional {
				continue
			}
			path := make([]any, len(asked.Path))
			for i, step := range asked.Path {
				path[i] = step
			}
			c.claim("c"+strconv.Itoa(len(c.Claims)+1), path...)
		}
		if !optional {
			needed = len(c.Claims)
		}
	}
	return c.needing(needed)
}

// Query returns the query of a preset: one of its credentials answers it. An age is asked for by itself, without any other claim.
func (p Preset) Query() *Query {
	q := &Query{}
	for _, ask := range p.Asks {
		switch ask {
		case idv.AskPID:
			q.Credentials = append(q.Credentials, p.pid(), p.pidDocument())
		case idv.AskMDL:
			q.Credentials = append(q.Credentials, p.licence())
		case idv.AskAge:
			q.Credentials = append(q.Credentials, p.age()...)
		}
	}
	for i, other := range p.Others {
		q.Credentials = append(q.Credentials, otherQuery("other_"+strconv.Itoa(i+1), other))
	}
	if len(q.Credentials) > 1 {
		var options [][]string
		for _, c := range q.Credentials {
			options = append(options, []string{c.ID})
		}
		q.Sets = []SetQuery{{Options: options}}
	}
	return q
}

// Document returns the part of a query that asks for a single mobile document, as ISO/IEC 18013-7 annex C has it; nil if it asks for
// none.
func (q *Query) Document() *Query {
	for _, id := range []string{mdlMDoc, proofOfAge, pidMDoc} {
		if i := slices.IndexFunc(q.Credentials, func(c CredentialQuery) bool { return c.ID == id }); i >= 0 {
			return &Query{Credentials: []CredentialQuery{q.Credentials[i]}}
		}
	}
	if i := slices.IndexFunc(q.Credentials, func(c CredentialQuery) bool { return c.Format == MDoc }); i >= 0 {
		return &Query{Credentials: []CredentialQuery{q.Credentials[i]}}
	}
	return nil
}

// pid asks for personal identification data as SD-JWT VC (PID Rulebook annex 3.1, section 4.1.1).
func (p Preset) pid() CredentialQuery {
	c := CredentialQuery{ID: pidSD, Format: SDJWT, Meta: Meta{Types: []string{PIDType}}}
	c.claim("family_name", "family_name")
	c.claim("given_name", "given_name")
	c.claim("birthdate", "birthdate")
	c.claim("nationalities", "nationalities", nil)
	c.claim("issuing_country", "issuing_country")
	base := len(c.Claims)
	c.claim("date_of_expiry", "date_of_expiry")
	if p.Portrait {
		c.claim("picture", "picture")
	}
	return c.needing(base)
}

// pidDocument asks for the same as a mobile document (section 3.1).
func (p Preset) pidDocument() CredentialQuery {
	c := document(pidMDoc, PIDDoc, PIDDoc, "family_name", "given_name", "birth_date", "nationality", "issuing_country", "expiry_date")
	base := len(c.Claims)
	if p.Portrait {
		c.claim("portrait", PIDDoc, "portrait")
	}
	return c.needing(base)
}

// licence asks for a mobile driving licence. AAMVA's name space says whether names are cut.
func (p Preset) licence() CredentialQuery {
	names := []string{"family_name", "given_name", "birth_date", "issue_date", "expiry_date", "issuing_country", "issuing_authority", "document_number"}
	if p.Portrait {
		names = append(names, "portrait")
	}
	c := document(mdlMDoc, MDLDoc, MDLSpace, names...)
	base := len(c.Claims)
	c.claim("family_name_truncation", AAMVA, "family_name_truncation")
	c.claim("given_name_truncation", AAMVA, "given_name_truncation")
	return c.needing(base)
}

// needing makes the claims after the first so many optional: a wallet gives all of them, else one, else none.
func (c CredentialQuery) needing(first int) CredentialQuery {
	var base, all []string
	for i, claim := range c.Claims {
		if all = append(all, claim.ID); i < first {
			base = append(base, claim.ID)
		}
	}
	if len(all) == len(base) {
		return c
	}
	c.ClaimSets = [][]string{all}
	if extra := all[first:]; len(extra) > 1 {
		for _, id := range slices.Backward(extra) {
			c.ClaimSets = append(c.ClaimSets, append(slices.Clone(base), id))
		}
	}
	c.ClaimSets = append(c.ClaimSets, base)
	return c
}

func (p Preset) age() []CredentialQuery {
	years := p.Age
	if years == 0 {
		years = 18
	}
	over := "age_over_" + strconv.Itoa(years)
	sd := CredentialQuery{ID: pidSD, Format: SDJWT, Meta: Meta{Types: []string{PIDType}}}
	sd.claim("age", "age_equal_or_over", strconv.Itoa(years))
	return []CredentialQuery{document(proofOfAge, AgeDoc, AgeDoc, over), sd, document(pidMDoc, PIDDoc, PIDDoc, over), document(mdlMDoc, MDLDoc, MDLSpace, over)}
}

func document(id, docType, space string, names ...string) CredentialQuery {
	c := CredentialQuery{ID: id, Format: MDoc, Meta: Meta{DocType: docType}}
	for _, name := range names {
		c.claim(name, space, name)
	}
	return c
}

func (c *CredentialQuery) claim(id string, path ...any) {
	claim := ClaimQuery{ID: id, Path: path}
	if c.Format == MDoc {
		keeps := true // what is shown to a reviewer is kept
		claim.Retain = &keeps
	}
	c.Claims = append(c.Claims, claim)
}

// Asked returns the claims of a query, for people: steps of a path are joined by dots.
func (c CredentialQuery) Asked() []string {
	var out []string
	for _, claim := range c.Claims {
		out = append(out, claim.joined("."))
	}
	return out
}

func (q ClaimQuery) joined(by string) string {
	text := ""
	for _, step := range q.Path {
		name, named := step.(string)
		switch {
		case !named: // an element of an array, or all of them
		case text == "":
			text = name
		default:
			text += by + name
		}
	}
	return text
}

// Exceeds reports whether something was disclosed that the query does not ask for. disclosed are paths as the reports of sdjwt and mdoc
// have them. A claim inside an asked one, or around it, belongs to it.
func (c CredentialQuery) Exceeds(disclosed []string) bool {
	by := "."
	if c.Format == MDoc {
		by = "/"
	}
	return slices.ContainsFunc(disclosed, func(path string) bool {
		plain, _, _ := strings.Cut(path, "[")
		return !slices.ContainsFunc(c.Claims, func(q ClaimQuery) bool {
			asked := q.joined(by)
			return plain == asked || strings.HasPrefix(plain, asked+by) || strings.HasPrefix(asked, plain+by)
		})
	})
}
