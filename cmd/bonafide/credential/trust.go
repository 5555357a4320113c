package credential

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Trust is the command that looks into files of trust, without a deployment.
type Trust struct {
	List trustList `cmd:"" help:"What is in master lists and certificates: countries, roots, links, what expires, and whether the signer is verified."`
	Diff trustDiff `cmd:"" help:"What a newer master list adds, removes and changes, by country."`
	Why  trustWhy  `cmd:"" help:"Why a certificate, or the signer of an EF.SOD, a list or a wallet's credential, is trusted or not."`
}

// trustList shows what files hold.
type trustList struct {
	Files  []string  `arg:"" name:"file" help:"Master lists (.ml) or certificates (DER, PEM)."`
	Anchor []string  `help:"Certificates to which the signers of lists must lead. Get them by another way than the lists." placeholder:"FILE"`
	At     time.Time `help:"The day that counts as today." format:"2006-01-02" placeholder:"YYYY-MM-DD"`
	JSON   bool      `name:"json" help:"One JSON object a file, one a line."`
}

// listView is what is in one file.
type listView struct {
	File         string           `json:"file"`
	Verified     bool             `json:"verified"`
	Refusal      *refusal.Refusal `json:"refusal"`
	Signer       *certificateView `json:"signer"`
	SignedAt     *time.Time       `json:"signed_at"`
	Certificates int              `json:"certificates"`
	Unreadable   int              `json:"unreadable"`
	Countries    []trust.Coverage `json:"countries"`
}

// certificateView is a certificate for people and programs.
type certificateView struct {
	Subject        string    `json:"subject"`
	Issuer         string    `json:"issuer"`
	Serial         string    `json:"serial"`
	NotBefore      time.Time `json:"not_before"`
	NotAfter       time.Time `json:"not_after"`
	Key            string    `json:"key"`
	Weak           []string  `json:"weak"` // what in its signature is less than today's standards ask for
	SubjectKeyID   string    `json:"subject_key_id"`
	AuthorityKeyID string    `json:"authority_key_id"`
	Fingerprint    string    `json:"sha256"`
}

func viewCertificate(c *pki.Certificate) certificateView {
	v := certificateView{
		Subject: c.Subject.String(), Issuer: c.Issuer.String(), Serial: c.Serial.Text(16), NotBefore: c.NotBefore, NotAfter: c.NotAfter,
		Weak: []string{}, SubjectKeyID: fmt.Sprintf("%x", c.SubjectKeyID), AuthorityKeyID: fmt.Sprintf("%x", c.AuthorityKeyID), Fingerprint: c.Fingerprint(),
	}
	if c.Key == nil {
		return v
	}
	v.Key = c.Key.String()
	if alg, err := c.Algorithm(); err == nil {
		v.Weak = append(v.Weak, pki.Weaknesses(alg, c.Key)...)
	}
	return v
}

// Run answers 0 if every list is verified, 1 if one is refused, 4 if one cannot be verified for want of an anchor.
func (c *trustList) Run(out io.Writer) error {
	anchors, err := readCertificates(c.Anchor)
	if err != nil {
		return err
	}
	worst := Yes
	for _, file := range c.Files {
		view, err := listFile(file, anchors, today(c.At))
		if err != nil {
			return err
		}
		worst = worse(worst, view.answer(anchors))
		if err := view.print(out, c.JSON); err != nil {
			return err
		}
	}
	return worst.orNil()
}

func today(at time.Time) time.Time {
	if at.IsZero() {
		return time.Now()
	}
	return at
}

func (v listView) answer(anchors []*pki.Certificate) Answer {
	switch {
	case v.Verified:
		return Yes
	case v.Refusal != nil && len(anchors) > 0:
		return No
	}
	return Undecided
}

func listFile(file string, anchors []*pki.Certificate, now time.Time) (listView, error) {
	view := listView{File: file, Countries: []trust.Coverage{}}
	raw, err := readTrust(file)
	if err != nil {
		return view, err
	}
	if c, err := pki.ParseCertificate(raw); err == nil {
		view.Certificates, view.Countries = 1, trust.Cover([]*pki.Certificate{c}, now)
		return view, nil
	}
	list, err := trust.ParseMasterList(raw)
	if err != nil {
		return view, fmt.Errorf("read %s: %w", file, err)
	}
	view.Certificates, view.Unreadable, view.Countries = len(list.Certificates), len(list.Unreadable), trust.Cover(list.Certificates, now)
	verified, err := list.Verify(anchors)
	if err != nil {
		view.Refusal = refusal.Of(err)
		return view, nil
	}
	signer := viewCertificate(verified.Path[0])
	view.Verified, view.Signer, view.SignedAt = true, &signer, &verified.Time
	return view, nil
}

func (v listView) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "%s: %d certificates of %d countries, %d cannot be read\n", v.File, v.Certificates, len(v.Countries), v.Unreadable)
	switch {
	case v.Verified:
		_, _ = fmt.Fprintf(t, "Signed by %s on %s: verified.\n", v.Signer.Subject, v.SignedAt.Format(time.DateTime))
	case v.Refusal != nil:
		_, _ = fmt.Fprintf(t, "Not verified: %v.\n", v.Refusal)
	}
	_, _ = fmt.Fprintln(t, "country\troots\tlinks\texpired\twithin 90 days\tlast expiry")
	for _, c := range v.Countries {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\n", c.Country, c.Roots, c.Links, c.Expired, c.Soon, c.Last.Format(time.DateOnly))
	}
	return t.Flush()
}

// maxTrustFile is the largest file that is read, in bytes. The largest published list has under a million.
const maxTrustFile = tlv.MaxSize

// readTrust reads a file in DER or PEM.
func readTrust(file string) ([]byte, error) {
	raw, err := readLimited(file)
	if err != nil {
		return nil, err
	}
	if block, _ := pem.Decode(raw); block != nil {
		return block.Bytes, nil
	}
	return raw, nil
}

// readLimited reads a file of at most maxTrustFile bytes.
func readLimited(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxTrustFile+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxTrustFile {
		return nil, refusal.New(tlv.TooLarge, "%s has more than %d bytes", file, maxTrustFile)
	}
	return raw, nil
}

func readCertificates(files []string) ([]*pki.Certificate, error) {
	var out []*pki.Certificate
	for _, file := range files {
		raw, err := readTrust(file)
		if err != nil {
			return nil, err
		}
		c, err := pki.ParseCertificate(raw)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		out = append(out, c)
	}
	return out, nil
}
