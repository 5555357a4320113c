package credential

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Wallet is the command that judges what wallets sent.
type Wallet struct {
	Verify walletVerify `cmd:"" help:"Verify a credential: who signed it, up to which anchor, what was disclosed, and whether its holder presented it."`
}

// walletVerify verifies one credential.
type walletVerify struct {
	File     string    `arg:"" help:"A credential in SD-JWT, as text." placeholder:"FILE"`
	Anchor   []string  `help:"Certificates of authorities that you trust for the types asked for." placeholder:"FILE"`
	Type     []string  `help:"Types that were asked for (vct)." sep:"none" placeholder:"TEXT" required:""`
	Nonce    string    `help:"Nonce of the request. With it, the holder has to have presented the credential." placeholder:"TEXT"`
	Audience string    `help:"Whom it was presented to: the full client_id, or origin: and the origin." placeholder:"TEXT"`
	Status   string    `help:"Status list of the issuer (JWT or CWT)." placeholder:"FILE"`
	At       time.Time `help:"The moment that counts as now." format:"2006-01-02T15:04:05Z07:00" placeholder:"2026-01-31T12:00:00Z"`
	JSON     bool      `name:"json" help:"One JSON object. It holds the claims; the text only names them."`
}

// walletView is what verification of one credential found.
type walletView struct {
	Format     string                `json:"format"`
	Type       string                `json:"type"`
	Authentic  bool                  `json:"authentic"`
	Bound      bool                  `json:"bound"`
	Status     statuslist.State      `json:"status"`
	Reference  *statuslist.Reference `json:"reference"`
	Revocation trust.Revocation      `json:"revocation"`
	Refusals   []*refusal.Refusal    `json:"refusals"`
	Notes      []*refusal.Refusal    `json:"notes"`
	Issuer     string                `json:"issuer"`
	Signature  string                `json:"signature"`
	Digest     string                `json:"digest"`
	IssuedAt   *time.Time            `json:"issued_at"`
	ValidFrom  *time.Time            `json:"valid_from"`
	ValidUntil *time.Time            `json:"valid_until"`
	Presented  *time.Time            `json:"presented_at"`
	Signer     *whyView              `json:"signer"`
	Disclosed  []string              `json:"disclosed"`
	Claims     any                   `json:"claims"`
}

// Run answers 0 if the credential is authentic, its holder presented it and its status is good or never stated, 1 if it is refused, 4
// if something of that was not checked.
func (c *walletVerify) Run(out io.Writer) error {
	raw, err := readLimited(c.File, maxTrustFile)
	if err != nil {
		return err
	}
	now := today(c.At)
	store, err := c.store(now)
	if err != nil {
		return err
	}
	o := sdjwt.Options{Now: now, Types: c.Type}
	if (c.Nonce == "") != (c.Audience == "") {
		return errors.New("--nonce and --audience go together")
	}
	if c.Nonce != "" {
		o.Binding = &sdjwt.Binding{Nonce: c.Nonce, Audience: c.Audience}
	}
	if o.Status, err = readStatus(c.Status); err != nil {
		return err
	}
	view := viewSDJWT(sdjwt.Verify(strings.TrimSpace(string(raw)), store, o))
	if c.JSON {
		err = json.NewEncoder(out).Encode(view)
	} else {
		err = view.print(out)
	}
	if err != nil {
		return err
	}
	return view.answer().orNil()
}

// store returns what the command trusts: each anchor for each type that was asked for.
func (c *walletVerify) store(now time.Time) (*trust.Store, error) {
	s := &trust.Store{}
	certificates, err := readCertificates(c.Anchor)
	if err != nil {
		return nil, err
	}
	for i, cert := range certificates {
		for _, scope := range c.Type {
			a := trust.Anchor{
				Certificate: cert, Purpose: trust.Issuer, Scope: scope, Source: c.Anchor[i], Date: cert.NotBefore,
				AcceptedBy: "command line", AcceptedAt: now,
			}
			if err := s.Accept(a); err != nil {
				return nil, fmt.Errorf("trust %s: %w", c.Anchor[i], err)
			}
		}
	}
	return s, nil
}

func readStatus(file string) (*statuslist.List, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // no list was given
	}
	raw, err := readLimited(file, maxTrustFile)
	if err != nil {
		return nil, err
	}
	l, err := statuslist.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return l, nil
}

func viewSDJWT(r *sdjwt.Report) walletView {
	v := walletView{
		Format: "dc+sd-jwt", Type: r.Type, Authentic: r.Authentic, Bound: r.Bound, Status: r.Revoked, Reference: r.Reference, Revocation: r.Revocation,
		Refusals: append([]*refusal.Refusal{}, r.Refusals...), Notes: append([]*refusal.Refusal{}, r.Notes...), Issuer: r.Issuer,
		Signature: r.Algorithm, Digest: r.Digest, IssuedAt: stated(r.IssuedAt), ValidFrom: stated(r.NotBefore), ValidUntil: stated(r.Expires),
		Presented: stated(r.Presented), Disclosed: r.Disclosed, Claims: r.Claims,
	}
	if r.Signer != nil {
		signer := viewExplanation(r.Signer, r.Trust)
		signer.Revocation = r.Revocation
		v.Signer = &signer
	}
	return v
}

// stated returns a time, nil where none is stated.
func stated(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (v walletView) answer() Answer {
	switch {
	case len(v.Refusals) > 0:
		return No
	case v.Bound && (v.Status == statuslist.Valid || v.Status == statuslist.NotStated):
		return Yes
	}
	return Undecided
}

func (v walletView) print(w io.Writer) error {
	var b strings.Builder
	switch v.answer() {
	case Yes:
		fmt.Fprintf(&b, "YES: a trusted issuer signed the credential, and its holder presented it.\n")
	case Undecided:
		fmt.Fprintf(&b, "UNDECIDED: a trusted issuer signed the credential, and something was not checked.\n")
	default:
		fmt.Fprintf(&b, "NO: the credential is not proved.\n")
	}
	for _, r := range v.Refusals {
		fmt.Fprintf(&b, "  refused: %v\n", r)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(&b, "  note: %v\n", n)
	}
	fmt.Fprintf(&b, "Type %q. Status: %s. Signer's revocation: %s.\n", v.Type, v.Status, v.Revocation)
	if v.Signature != "" {
		fmt.Fprintf(&b, "Signed with %s, claims hashed with %s.\n", v.Signature, v.Digest)
	}
	for what, at := range v.times() {
		if at != nil {
			fmt.Fprintf(&b, "%s %s.\n", what, at.UTC().Format(time.DateTime))
		}
	}
	fmt.Fprintf(&b, "Disclosed one by one: %d.\n", len(v.Disclosed))
	for _, path := range v.Disclosed {
		fmt.Fprintf(&b, "  %q\n", path)
	}
	if _, err := io.WriteString(w, b.String()); err != nil || v.Signer == nil {
		return err
	}
	return v.Signer.print(w, false)
}

// times returns the dates of the credential with what they are, in their order.
func (v walletView) times() func(func(string, *time.Time) bool) {
	return func(yield func(string, *time.Time) bool) {
		_ = yield("Issued on", v.IssuedAt) && yield("Good from", v.ValidFrom) && yield("Good until", v.ValidUntil) && yield("Presented on", v.Presented)
	}
}
