package wallet

import (
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// ErrNotProved is the error of an answer that was found valid and is not by what the finding rests on.
var ErrNotProved = errors.New("the wallet's answer does not prove what was found")

// Prove judges an answer again, for the moment at which it arrived and with the anchors of that day, and returns sentences that say what
// is proved. Status lists are not part of a finding: what was known of them is repeated, not proved.
func Prove(answer idv.WalletAnswer, found idv.Wallet) ([]string, error) {
	if !found.Valid {
		return []string{"The wallet's answer was not found valid. It is as it was presented."}, nil
	}
	store, err := trustOf(found)
	if err != nil {
		return nil, err
	}
	request, err := openid4vp.ParseRequest(answer.Request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotProved, err)
	}
	report, err := judge(answer, request, store)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotProved, err)
	}
	again := Describe(answer, request, report)
	switch {
	case !again.Valid:
		return nil, fmt.Errorf("%w: %s", ErrNotProved, again.Refusals[0].Says)
	case again.Transcript != found.Transcript || again.Verifier != found.Verifier || !again.CheckedAt.Equal(found.CheckedAt):
		return nil, fmt.Errorf("%w: it answers another request", ErrNotProved)
	case found.HolderBound && !again.HolderBound || len(again.Credentials) != len(found.Credentials):
		return nil, fmt.Errorf("%w: its holder did not present it", ErrNotProved)
	}
	var out []string
	for i, c := range again.Credentials {
		was := found.Credentials[i]
		if c.Type != was.Type || len(was.Path) == 0 || c.Path[len(c.Path)-1].SHA256 != was.Path[len(was.Path)-1].SHA256 {
			return nil, fmt.Errorf("%w: it leads to another anchor", ErrNotProved)
		}
		anchor := c.Path[len(c.Path)-1]
		out = append(out, fmt.Sprintf("The credential %s is signed by %s, which leads to %s (SHA-256 %s): proved again for %s.",
			c.Type, c.Path[0].Subject, anchor.Subject, anchor.SHA256, found.CheckedAt.UTC().Format(time.DateOnly)))
	}
	out = append(out, "Its holder's key signed the answer for the request in the file.",
		fmt.Sprintf("Revocation on that day: %s, by the status list of that day; it is not in the file.", found.Revocation))
	return out, nil
}

// trustOf trusts the anchors that a finding names, each for the type of its credential, and nobody else. Whether they deserved trust is
// for the reader.
func trustOf(found idv.Wallet) (*trust.Store, error) {
	store := new(trust.Store)
	for _, c := range found.Credentials {
		if len(c.Path) < 2 {
			return nil, fmt.Errorf("%w: it names no anchor", ErrNotProved)
		}
		anchor, err := pki.ParseCertificate(c.Path[len(c.Path)-1].DER)
		if err != nil {
			return nil, fmt.Errorf("%w: a certificate cannot be read", ErrNotProved)
		}
		purpose := trust.Issuer
		if c.Format == string(openid4vp.MDoc) {
			purpose = trust.IACA
		}
		if err := store.Accept(trust.Anchor{Certificate: anchor, Purpose: purpose, Scope: c.Type}); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotProved, err)
		}
		for _, between := range c.Path[1 : len(c.Path)-1] {
			link, err := pki.ParseCertificate(between.DER)
			if err != nil {
				return nil, fmt.Errorf("%w: a certificate cannot be read", ErrNotProved)
			}
			store.Link(link)
		}
	}
	return store, nil
}
