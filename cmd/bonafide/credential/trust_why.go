package credential

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/why"
)

// trustSources are the files that say whom a command trusts.
type trustSources struct {
	List     []string `help:"Master lists whose roots are trusted." placeholder:"FILE"`
	Anchor   []string `help:"Certificates to which the signers of master lists must lead. Get them by another way than the lists." placeholder:"FILE"`
	CSCA     []string `name:"csca" help:"Trusted country signing certificates, or link certificates between them." placeholder:"FILE"`
	CRL      []string `name:"crl" help:"Revocation lists of country signing authorities." placeholder:"FILE"`
	Distrust []string `help:"SHA-256 of certificates that are not trusted, whatever the lists say." placeholder:"HEX"`
}

// store reads the files. A file that is refused is an error: nothing is verified with half of the trust that was asked for.
func (t trustSources) store(now time.Time) (*trust.Store, error) {
	s := &trust.Store{}
	for _, fingerprint := range t.Distrust {
		s.Distrust(fingerprint)
	}
	anchors, err := readCertificates(t.Anchor)
	if err != nil {
		return nil, err
	}
	for _, file := range t.List {
		list, err := readList(file, anchors)
		if err != nil {
			return nil, err
		}
		s.AcceptList(list, file, "command line", now)
	}
	roots, err := readCertificates(t.CSCA)
	if err != nil {
		return nil, err
	}
	for i, c := range roots {
		if !c.SelfIssued() {
			s.Link(c)
			continue
		}
		a := trust.Anchor{
			Certificate: c, Purpose: trust.CSCA, Scope: c.Subject.Country, Source: t.CSCA[i], Date: c.NotBefore,
			AcceptedBy: "command line", AcceptedAt: now,
		}
		if err := s.Accept(a); err != nil && refusal.Of(err).Code != trust.Distrusted {
			return nil, fmt.Errorf("trust %s: %w", t.CSCA[i], err)
		}
	}
	return s, t.revocations(s, now)
}

func (t trustSources) revocations(s *trust.Store, now time.Time) error {
	for _, file := range t.CRL {
		raw, err := readTrust(file)
		if err != nil {
			return err
		}
		list, err := pki.ParseRevocationList(raw)
		if err == nil {
			err = s.AcceptCRL(list, now)
		}
		if err != nil {
			return fmt.Errorf("trust %s: %w", file, err)
		}
	}
	return nil
}

// trustWhy explains one certificate.
type trustWhy struct {
	File string `arg:"" help:"A certificate or a chain, an EF.SOD, a master list, a credential of a wallet: its signer is explained." placeholder:"FILE"`
	trustSources
	IACA    []string  `name:"iaca" help:"Authority of mobile documents, for one docType." sep:"none" placeholder:"DOCTYPE=FILE"`
	Issuer  []string  `help:"Issuer of SD-JWT credentials, for one vct." sep:"none" placeholder:"VCT=FILE"`
	Doctype string    `help:"docType that a certificate is asked about." placeholder:"TEXT" xor:"scope"`
	VCT     string    `name:"vct" help:"vct that a certificate is asked about." placeholder:"TEXT" xor:"scope"`
	At      time.Time `help:"The day that counts as today." format:"2006-01-02" placeholder:"YYYY-MM-DD"`
	JSON    bool      `name:"json" help:"One JSON object."`
}

// question is what is asked about a file.
func (c *trustWhy) question(raw []byte, now time.Time) why.Question {
	q := why.Question{File: raw, Now: now}
	switch {
	case c.Doctype != "":
		q.Purpose, q.Scope = trust.IACA, c.Doctype
	case c.VCT != "":
		q.Purpose, q.Scope = trust.Issuer, c.VCT
	}
	return q
}

// wallets adds the anchors of wallets.
func (c *trustWhy) wallets(s *trust.Store, now time.Time) error {
	for purpose, all := range map[trust.Purpose][]string{trust.IACA: c.IACA, trust.Issuer: c.Issuer} {
		for _, text := range all {
			i := strings.LastIndex(text, "=")
			if i < 1 {
				return fmt.Errorf("trust %s: say what it is trusted for, as TYPE=FILE", text)
			}
			found, err := readCertificates([]string{text[i+1:]})
			if err != nil {
				return err
			}
			a := trust.Anchor{
				Certificate: found[0], Purpose: purpose, Scope: text[:i], Source: text[i+1:], Date: found[0].NotBefore, AcceptedBy: "command line", AcceptedAt: now,
			}
			if err := s.Accept(a); err != nil {
				return fmt.Errorf("trust %s: %w", text, err)
			}
		}
	}
	return nil
}

// answered is what the question of a file was answered.
type answered struct {
	whyView
	Kind     why.Kind           `json:"kind"`
	Purpose  trust.Purpose      `json:"purpose"`
	Scope    string             `json:"scope"`
	Refusals []*refusal.Refusal `json:"refusals"`
}

func viewAnswer(a why.Answer) answered {
	v := answered{Kind: a.Kind, Purpose: a.Purpose, Scope: a.Scope, Refusals: append([]*refusal.Refusal{}, a.Refusals...)}
	if a.Signer != nil {
		v.whyView = viewExplanation(a.Signer, a.Trust)
	}
	v.Trusted, v.Revocation = a.Trusted(), a.Revocation
	if v.Refusal == nil && len(a.Refusals) > 0 {
		v.Refusal = a.Refusals[0]
	}
	return v
}

// print writes what the file is, all that was refused, and how its signer is connected.
func (v answered) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "A file of kind %s, asked about as %s %q.\n", v.Kind, v.Purpose, v.Scope)
	for _, r := range v.Refusals {
		if v.Refusal == nil || r.Code != v.Refusal.Code || r.Says != v.Refusal.Says {
			fmt.Fprintf(&b, "refused: %v\n", r)
		}
	}
	if v.Certificate.Fingerprint == "" {
		fmt.Fprintf(&b, "NO: %v.\n", v.Refusal)
	}
	if _, err := io.WriteString(w, b.String()); err != nil || v.Certificate.Fingerprint == "" {
		return err
	}
	return v.whyView.print(w, false)
}

// whyView says why a certificate is trusted or not.
type whyView struct {
	Certificate certificateView   `json:"certificate"`
	Trusted     bool              `json:"trusted"`
	Refusal     *refusal.Refusal  `json:"refusal"`
	Revocation  trust.Revocation  `json:"revocation"`
	Chain       []certificateView `json:"chain"`
	Anchor      *anchorView       `json:"anchor"`
	Tried       []attemptView     `json:"tried"`
	Missing     string            `json:"missing"`
}

type anchorView struct {
	certificateView
	Purpose trust.Purpose `json:"purpose"`
	Scope   string        `json:"scope"`
	Source  string        `json:"source"`
	Date    time.Time     `json:"date"`
}

type attemptView struct {
	anchorView
	Refusal *refusal.Refusal `json:"refusal"`
}

func viewAnchor(a trust.Anchor) anchorView {
	return anchorView{certificateView: viewCertificate(a.Certificate), Purpose: a.Purpose, Scope: a.Scope, Source: a.Source, Date: a.Date}
}

// Run answers 0 if the certificate is trusted and 1 if it is not.
func (c *trustWhy) Run(out io.Writer) error {
	raw, err := readLimited(c.File)
	if err != nil {
		return err
	}
	now := today(c.At)
	store, err := c.store(now)
	if err != nil {
		return err
	}
	if err := c.wallets(store, now); err != nil {
		return err
	}
	a, err := why.Ask(c.question(raw, now), store)
	if err != nil {
		return fmt.Errorf("read %s: %w", c.File, err)
	}
	view := viewAnswer(a)
	if err := view.print(out, c.JSON); err != nil {
		return err
	}
	if !view.Trusted {
		return No
	}
	return nil
}

func viewExplanation(subject *pki.Certificate, x trust.Explanation) whyView {
	view := whyView{
		Certificate: viewCertificate(subject), Trusted: x.Chain != nil, Refusal: x.Refusal, Missing: x.Missing,
		Revocation: trust.NotChecked, Chain: []certificateView{}, Tried: []attemptView{},
	}
	for _, t := range x.Tried {
		view.Tried = append(view.Tried, attemptView{viewAnchor(t.Anchor), t.Refusal})
	}
	if x.Chain == nil {
		return view
	}
	for _, c := range x.Chain.Path {
		view.Chain = append(view.Chain, viewCertificate(c))
	}
	anchor := viewAnchor(x.Chain.Anchor)
	view.Anchor = &anchor
	return view
}

func (v whyView) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nissued by %s\nvalid %s to %s, key %s\n", v.Certificate.Subject, v.Certificate.Issuer,
		v.Certificate.NotBefore.Format(time.DateOnly), v.Certificate.NotAfter.Format(time.DateOnly), v.Certificate.Key)
	if v.Trusted {
		fmt.Fprintf(&b, "YES: it is trusted. Revocation: %s.\n", v.Revocation)
	} else {
		fmt.Fprintf(&b, "NO: %v.\n", v.Refusal)
	}
	for i, c := range v.Chain {
		fmt.Fprintf(&b, "%s%s (%s)\n", strings.Repeat("  ", i+1), c.Subject, c.Fingerprint[:16])
	}
	if v.Anchor != nil {
		fmt.Fprintf(&b, "Anchor for %s from %s of %s\n", v.Anchor.Scope, v.Anchor.Source, v.Anchor.Date.Format(time.DateOnly))
	}
	for _, t := range v.Tried {
		fmt.Fprintf(&b, "tried %s for %s %q (key %s, %s): %v\n", t.Subject, t.Purpose, t.Scope, t.SubjectKeyID, t.Source, t.Refusal)
	}
	if v.Missing != "" {
		fmt.Fprintf(&b, "Missing: the certificate of %s. Its state or issuer, or for a chip a master list, can provide it.\n", v.Missing)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
