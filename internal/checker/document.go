package checker

import "github.com/bonafide-id/bonafide/internal/idv"

// stepOf returns the step that captures a side.
func stepOf(s idv.Side) idv.Step {
	if s == idv.Back {
		return idv.StepDocumentBack
	}
	return idv.StepDocumentFront
}

// sidePage is the page artifact of one side; page is nil where it is absent.
type sidePage struct {
	artifact idv.Artifact
	page     *idv.Page
}

// pagesOf returns the page artifacts of the evidence, the front first.
func pagesOf(ev idv.Evidence) ([]sidePage, error) {
	var out []sidePage
	for _, side := range []idv.Side{idv.Front, idv.NoSide, idv.Back} {
		a, ok := ev.Artifact(idv.ArtifactPage, side)
		if !ok {
			continue
		}
		s := sidePage{artifact: a}
		if a.Present {
			p, err := idv.ValueOf[idv.Page](a)
			if err != nil {
				return nil, err
			}
			s.page = &p
		}
		out = append(out, s)
	}
	return out, nil
}

// inputsOf returns the digests that a finding about the artifacts rests on.
func inputsOf(as ...idv.Artifact) []idv.Digest {
	var out []idv.Digest
	for _, a := range as {
		out = append(out, a.Inputs...)
	}
	return out
}

// statedBy returns what the document states about a fact: chip and wallet before the machine-readable zone, the barcode and print.
// The integrator's claims do not count.
func statedBy(ev idv.Evidence, name idv.ClaimName) (idv.Claim, bool) {
	for _, source := range idv.ReadingSources() {
		for _, c := range ev.ClaimsOf(name) {
			if c.Source == source && c.Value != "" {
				return c, true
			}
		}
	}
	return idv.Claim{}, false
}
