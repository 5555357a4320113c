package credential

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// trustDiff compares two master lists.
type trustDiff struct {
	Old    string   `arg:"" help:"The list in use." placeholder:"OLD"`
	New    string   `arg:"" help:"The list that is to follow it." placeholder:"NEW"`
	Anchor []string `required:"" help:"Certificates to which the signers of both lists must lead." placeholder:"FILE"`
	JSON   bool     `name:"json" help:"One JSON object."`
}

// diffView is how two lists differ.
type diffView struct {
	Refusal *refusal.Refusal `json:"refusal"`
	Added   int              `json:"added"`
	Removed int              `json:"removed"`
	Changed int              `json:"changed"`
	Changes []changeView     `json:"changes"`
}

type changeView struct {
	Kind    trust.Kind       `json:"kind"`
	Country string           `json:"country"`
	Link    bool             `json:"link"`
	Before  *certificateView `json:"before"`
	After   *certificateView `json:"after"`
}

// Run answers 0 if the new list may follow the old one, 1 if it is refused.
func (c *trustDiff) Run(out io.Writer) error {
	anchors, err := readCertificates(c.Anchor)
	if err != nil {
		return err
	}
	before, after, err := c.lists(anchors)
	view := diffView{Changes: []changeView{}}
	if err == nil {
		err = after.Follows(before)
	}
	if view.Refusal = refusal.Of(err); err != nil && view.Refusal == nil {
		return err
	}
	if before != nil && after != nil {
		view.add(trust.Difference(before.Certificates, after.Certificates))
	}
	if err := view.print(out, c.JSON); err != nil {
		return err
	}
	if view.Refusal != nil {
		return No
	}
	return nil
}

// lists reads both lists. Where one of them was signed under an older or newer key of its state, the keys of that state in the other
// list, once that is verified, count as anchors too.
func (c *trustDiff) lists(anchors []*pki.Certificate) (before, after *trust.VerifiedList, err error) {
	before, err = readList(c.Old, anchors)
	if err == nil {
		after, err = readList(c.New, append(anchors, before.Roots()...))
		return before, after, err
	}
	after, again := readList(c.New, anchors)
	if again != nil {
		return nil, nil, err
	}
	before, err = readList(c.Old, append(anchors, after.Roots()...))
	return before, after, err
}

// readList reads a master list and verifies its signer.
func readList(file string, anchors []*pki.Certificate) (*trust.VerifiedList, error) {
	raw, err := readTrust(file)
	if err != nil {
		return nil, err
	}
	list, err := trust.ParseMasterList(raw)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	verified, err := list.Verify(anchors)
	if err != nil {
		return nil, fmt.Errorf("verify %s: %w", file, err)
	}
	return verified, nil
}

func (v *diffView) add(changes []trust.Change) {
	for _, c := range changes {
		view := changeView{Kind: c.Kind, Country: c.Country, Before: maybeView(c.Before), After: maybeView(c.After)}
		one := c.After
		if one == nil {
			one = c.Before
		}
		view.Link = !one.SelfIssued()
		switch c.Kind {
		case trust.Added:
			v.Added++
		case trust.Removed:
			v.Removed++
		case trust.Changed:
			v.Changed++
		}
		v.Changes = append(v.Changes, view)
	}
}

func maybeView(c *pki.Certificate) *certificateView {
	if c == nil {
		return nil
	}
	v := viewCertificate(c)
	return &v
}

func (v diffView) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if v.Refusal != nil {
		_, _ = fmt.Fprintf(t, "Refused: %v.\n", v.Refusal)
	}
	_, _ = fmt.Fprintf(t, "%d added, %d removed, %d changed\n", v.Added, v.Removed, v.Changed)
	for _, c := range v.Changes {
		one, kind := c.After, "root"
		if one == nil {
			one = c.Before
		}
		if c.Link {
			kind = "link"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s to %s\t%s\n", c.Country, c.Kind, kind, one.Subject,
			one.NotBefore.Format(time.DateOnly), one.NotAfter.Format(time.DateOnly), one.Fingerprint[:16])
	}
	return t.Flush()
}
