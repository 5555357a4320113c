package credential

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// trustSources are the files that say whom a command trusts.
type trustSources struct {
	List     []string `help:"Master lists whose roots are trusted." placeholder:"FILE"`
	Anchor   []string `help:"Certificates to which the signers of master lists must lead. Get them by another way than the lists." placeholder:"FILE"`
	CSCA     []string `name:"csca" help:"Certificates of country signing authorities that are trusted, or links between them." placeholder:"FILE"`
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
	File string `arg:"" help:"A certificate, an EF.SOD, or a master list: its signer is explained." placeholder:"FILE"`
	trustSources
	At   time.Time `help:"The day that counts as today." format:"2006-01-02" placeholder:"YYYY-MM-DD"`
	JSON bool      `name:"json" help:"One JSON object."`
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
	Scope  string    `json:"scope"`
	Source string    `json:"source"`
	Date   time.Time `json:"date"`
}

type attemptView struct {
	anchorView
	Refusal *refusal.Refusal `json:"refusal"`
}

func viewAnchor(a trust.Anchor) anchorView {
	return anchorView{certificateView: viewCertificate(a.Certificate), Scope: a.Scope, Source: a.Source, Date: a.Date}
}

// Run answers 0 if the certificate is trusted and 1 if it is not.
func (c *trustWhy) Run(out io.Writer) error {
	subject, err := signerIn(c.File)
	if err != nil {
		return err
	}
	now := today(c.At)
	store, err := c.store(now)
	if err != nil {
		return err
	}
	view := explain(store, subject, now)
	if err := view.print(out, c.JSON); err != nil {
		return err
	}
	if !view.Trusted {
		return No
	}
	return nil
}

func explain(store *trust.Store, subject *pki.Certificate, now time.Time) whyView {
	x := store.Explain(subject, trust.CSCA, subject.Subject.Country)
	view := viewExplanation(subject, x)
	if x.Chain == nil {
		return view
	}
	var err error
	if view.Revocation, err = store.Revocation(x.Chain, now); err != nil {
		view.Trusted, view.Refusal = false, refusal.Of(err)
	}
	return view
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
		fmt.Fprintf(&b, "tried %s (key %s, %s): %v\n", t.Subject, t.SubjectKeyID, t.Source, t.Refusal)
	}
	if v.Missing != "" {
		fmt.Fprintf(&b, "Missing: the certificate of %s. A master list that has it, or the state itself, can provide it.\n", v.Missing)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// signerIn returns the certificate that a file is, or that signed it.
func signerIn(file string) (*pki.Certificate, error) {
	raw, err := readTrust(file)
	if err != nil {
		return nil, err
	}
	if c, err := pki.ParseCertificate(raw); err == nil {
		return c, nil
	}
	if e, err := tlv.Parse(raw); err == nil && e.Tag == 0x77 { // EF.SOD
		raw = e.Content
	}
	signed, err := cms.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	signatures, err := signed.Verify()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return signatures[0].Signer, nil
}
