package chip

import (
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// ErrNotProved is the error of a chip that was found authentic, or no copy, and is not by what the finding rests on.
var ErrNotProved = errors.New("the chip does not prove what was found")

// Prove verifies a chip again, for the moment of the finding and with the anchor and the links of that day, and returns sentences that say
// what is proved. Revocation lists are not part of a finding: what was known of them is repeated, not proved.
func Prove(read idv.ChipRead, found idv.Chip) ([]string, error) {
	if !found.Authentic {
		return []string{"The chip was not found authentic. Its files are as they were sent."}, nil
	}
	store, err := trustOf(found)
	if err != nil {
		return nil, err
	}
	report, err := verify(read, store)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotProved, err)
	}
	again := Describe(read, report)
	switch {
	case !again.Authentic:
		return nil, fmt.Errorf("%w: %s", ErrNotProved, again.Refusals[0].Says)
	case found.NotACopy && !again.NotACopy:
		return nil, fmt.Errorf("%w: a copy is not excluded", ErrNotProved)
	case len(again.Path) == 0 || again.Path[len(again.Path)-1].SHA256 != found.Path[len(found.Path)-1].SHA256:
		return nil, fmt.Errorf("%w: it leads to another anchor", ErrNotProved)
	}
	anchor := again.Path[len(again.Path)-1]
	out := []string{fmt.Sprintf("The chip's data is signed by %s, which leads to %s (SHA-256 %s): proved again for %s.",
		again.Path[0].Subject, anchor.Subject, anchor.SHA256, found.CheckedAt.UTC().Format(time.DateOnly))}
	switch {
	case found.NotACopy && again.CopyProof == idv.ProofAnswer:
		out = append(out, "The chip signed the challenge in the file with a key that the state signed: it was no copy.")
	case found.NotACopy:
		out = append(out, "The chip agreed on a key with the server by a key that the state signed, and the record in the file agrees: it was no copy. "+
			"That the server led that conversation, and did not make it up, is the server's word.")
	default:
		out = append(out, "A copy of the chip is not excluded.")
	}
	known := fmt.Sprintf("Revocation of the signer on that day: %s, by the lists that the deployment had; they are not in the file.", found.Revocation)
	return append(out, known), nil
}

// trustOf trusts the anchor that a finding names, and nobody else. Whether that anchor deserved trust is for the reader.
func trustOf(found idv.Chip) (*trust.Store, error) {
	store := new(trust.Store)
	if len(found.Path) < 2 {
		return nil, fmt.Errorf("%w: it names no anchor", ErrNotProved)
	}
	for i, issuer := range found.Path[1:] {
		c, err := pki.ParseCertificate(issuer.DER)
		if err != nil {
			return nil, fmt.Errorf("%w: a certificate cannot be read", ErrNotProved)
		}
		if i < len(found.Path)-2 {
			store.Link(c)
			continue
		}
		if err := store.Accept(trust.Anchor{Certificate: c, Purpose: trust.CSCA, Scope: c.Subject.Country}); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotProved, err)
		}
	}
	return store, nil
}
