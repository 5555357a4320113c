package chip

import (
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// taken are the files that are taken. Others hold what is not needed: fingers and irises among them.
var taken = []lds.File{lds.COM, lds.SOD, lds.Group(1), lds.Group(2), lds.Group(11), lds.Group(12), lds.Group(14), lds.Group(15)}

// Open finds out which file of a chip each of them is, and refuses what is no whole read: EF.SOD, DG1 and DG2 are needed, every file once,
// none that is not taken and none that cannot be read. What the data is worth is not judged. Problems: those of the catalogue for chips
// that have no severity, request.too_large.
func Open(files [][]byte) ([]idv.ChipFile, error) {
	total := 0
	for _, raw := range files {
		total += len(raw)
	}
	if len(files) > idv.MostChipFiles || total > idv.MostChipBytes {
		return nil, problem.New(problem.RequestTooLarge).At("file")
	}
	byName := emrtd.Files{}
	for _, raw := range files {
		name, err := byName.Add(raw)
		if err != nil {
			return nil, asProblem(err)
		}
		if !slices.Contains(taken, name) {
			return nil, asProblem(refusal.New(lds.WrongFile, "%s is not taken", name))
		}
	}
	for _, why := range emrtd.Verify(byName, new(trust.Store), emrtd.Options{}).Refusals {
		if k, ok := problem.Lookup(string(why.Code)); !ok || k.Severity == problem.None {
			return nil, asProblem(why)
		}
	}
	var out []idv.ChipFile
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, idv.ChipFile{Name: string(name), Bytes: byName[name]})
	}
	return out, nil
}

// asProblem returns the row of the catalogue for a refusal.
func asProblem(err error) error {
	why := refusal.Of(err)
	if why == nil {
		return err
	}
	p, ok := problem.OfRefusal(string(why.Code), "file")
	if !ok {
		return err
	}
	return p
}

// verify verifies a read for the moment at which it arrived.
func verify(read idv.ChipRead, store *trust.Store) (*emrtd.Report, error) {
	files := emrtd.Files{}
	for _, f := range read.Files {
		if _, err := files.Add(f.Bytes); err != nil {
			return nil, err
		}
	}
	o := emrtd.Options{Now: read.ReceivedAt}
	if a := read.Agreement; a != nil {
		o.Agreement = &emrtd.Agreement{Protocol: a.Protocol, KeyID: a.KeyID, Secret: a.Secret, Answer: a.Answer}
	}
	if len(read.Challenge) > 0 {
		o.Active = &emrtd.Answer{Challenge: read.Challenge, Signature: read.Response}
	}
	return emrtd.Verify(files, store, o), nil
}

// Describe says what a report found, as the checks and the people who review need it.
func Describe(read idv.ChipRead, r *emrtd.Report) idv.Chip {
	_, hasKey := r.Groups[lds.Group(15)]
	out := idv.Chip{
		Authentic: r.Authentic, NotACopy: r.Copy == emrtd.CopyExcluded, CopyProof: copyProof(r), Relayed: read.Relayed,
		Asked: len(read.Challenge) > 0 || read.Agreement != nil, HasKey: hasKey || read.Agreement != nil,
		Revocation: revocation(r), Refusals: Reasons(r.Refusals), Notes: Reasons(r.Notes), Zone: []string{}, Groups: []idv.ChipGroup{},
		Digest: r.Digest, SignedAt: r.SignedAt, Path: []idv.ChipIssuer{}, Missing: r.Trust.Missing, CheckedAt: read.ReceivedAt,
	}
	if r.Zone != nil {
		out.Zone = r.Zone.Lines
	}
	for n := 1; n <= 16; n++ {
		if state, ok := r.Groups[lds.Group(n)]; ok {
			out.Groups = append(out.Groups, idv.ChipGroup{Name: string(lds.Group(n)), State: string(state)})
		}
	}
	if len(r.Portraits) > 0 {
		out.Portrait = string(r.Portraits[0].Format)
	}
	if r.Signer == nil {
		return out
	}
	out.Signature, out.Path = r.Algorithm.String(), Issuers([]*pki.Certificate{r.Signer})
	if chain := r.Trust.Chain; chain != nil {
		out.Path = Issuers(chain.Path)
		out.Anchor = &idv.ChipAnchor{Country: chain.Anchor.Scope, Source: chain.Anchor.Source, AcceptedAt: chain.Anchor.AcceptedAt}
	}
	return out
}

// copyProof is what excludes a copy.
func copyProof(r *emrtd.Report) idv.ChipProof {
	switch {
	case r.Copy != emrtd.CopyExcluded:
		return ""
	case r.ByAnswer:
		return idv.ProofAnswer
	default:
		return idv.ProofAgreement
	}
}

// revocation is what is known of the signer's revocation; a refusal says that it was revoked.
func revocation(r *emrtd.Report) idv.ChipRevocation {
	revoked := func(x *refusal.Refusal) bool { return x.Code == trust.Revoked }
	switch {
	case slices.ContainsFunc(r.Refusals, revoked):
		return idv.RevocationRevoked
	case r.Revocation == trust.Good:
		return idv.RevocationGood
	}
	return idv.RevocationNotChecked
}

// Reasons returns refusals as they are kept.
func Reasons(all []*refusal.Refusal) []idv.ChipReason {
	out := []idv.ChipReason{}
	for _, r := range all {
		out = append(out, idv.ChipReason{Code: string(r.Code), Says: r.Says})
	}
	return out
}

// Issuers returns the certificates of a path as they are kept.
func Issuers(path []*pki.Certificate) []idv.ChipIssuer {
	var out []idv.ChipIssuer
	for _, c := range path {
		i := idv.ChipIssuer{
			Subject: c.Subject.String(), Issuer: c.Issuer.String(), SHA256: idv.Digest(c.Fingerprint()),
			NotBefore: c.NotBefore, NotAfter: c.NotAfter, DER: c.Raw,
		}
		if c.Key != nil {
			i.Key = c.Key.String()
		}
		out = append(out, i)
	}
	return out
}
