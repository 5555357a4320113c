package credential

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/pdf"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Chip is the command that judges what was read from chips.
type Chip struct {
	Verify chipVerify `cmd:"" help:"Verify the files of a chip: who signed them, up to which anchor, and what could not be checked."`
	Read   chipRead   `cmd:"" help:"Read a chip through a reader, have it prove itself, and verify it."`
	Play   chipPlay   `cmd:"" help:"Play the chip of test mode in a virtual reader, to build an app without a passport."`
}

// chipVerify verifies the files of one chip.
type chipVerify struct {
	Files []string `arg:"" name:"file" help:"EF.COM, EF.SOD and data groups as read, in any order; each is recognised by its content."`
	trustSources
	Zone      []string  `help:"Lines of the zone on the page, to be compared with DG1." sep:"none" placeholder:"LINE"`
	Challenge string    `help:"Challenge of Active Authentication, 8 bytes in hexadecimal." placeholder:"HEX"`
	Response  string    `help:"The chip's answer to it." placeholder:"FILE"`
	Portrait  string    `help:"Write the portrait there, as JPEG, if a trusted state signed it." placeholder:"FILE"`
	Strict    bool      `help:"Refuse weak algorithms (SHA-1, short RSA keys) instead of noting them."`
	At        time.Time `help:"The day that counts as today." format:"2006-01-02" placeholder:"YYYY-MM-DD"`
	JSON      bool      `name:"json" help:"One JSON object."`
}

// chipView is what verification found.
type chipView struct {
	Authentic  bool                          `json:"authentic"`
	Copy       emrtd.Copy                    `json:"copy"`
	Revocation trust.Revocation              `json:"revocation"`
	Refusals   []*refusal.Refusal            `json:"refusals"`
	Notes      []*refusal.Refusal            `json:"notes"`
	Signature  string                        `json:"signature"`
	Digest     string                        `json:"digest"`
	SignedAt   *time.Time                    `json:"signed_at"`
	Groups     map[lds.File]emrtd.GroupState `json:"groups"`
	Signer     *whyView                      `json:"signer"`
	Zone       []string                      `json:"zone"`
	Portraits  []pictureView                 `json:"portraits"`
	Person     *lds.Person                   `json:"person"`
	Issue      *lds.Issue                    `json:"issue"`
}

type pictureView struct {
	Format    lds.PictureFormat `json:"format"`
	Container lds.Container     `json:"container"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Bytes     int               `json:"bytes"`
}

// Run answers 0 if the data is authentic and a copy is excluded, 1 if it is refused, 4 if it is authentic and may be a copy, or if only
// DG1 or DG2 is missing.
func (c *chipVerify) Run(ctx context.Context, out io.Writer) error {
	files := emrtd.Files{}
	for _, name := range c.Files {
		raw, err := readLimited(name)
		if err != nil {
			return err
		}
		if _, err := files.Add(raw); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	store, err := c.store(o.Now)
	if err != nil {
		return err
	}
	report := emrtd.Verify(files, store, o)
	if err := c.savePortrait(ctx, report); err != nil {
		return err
	}
	return answerChip(out, report, c.JSON)
}

// answerChip prints what was found, and answers it.
func answerChip(out io.Writer, report *emrtd.Report, asJSON bool) error {
	view := viewChip(report)
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(view)
	} else {
		err = view.print(out, verdict(report))
	}
	if err != nil {
		return err
	}
	return verdict(report).orNil()
}

func (c *chipVerify) options() (emrtd.Options, error) {
	o := emrtd.Options{Now: today(c.At), Strict: c.Strict}
	if len(c.Zone) > 0 {
		page, err := mrz.Parse(c.Zone)
		if err != nil {
			return o, fmt.Errorf("read the zone: %w", err)
		}
		o.Page = &page
	}
	if (c.Challenge == "") != (c.Response == "") {
		return o, fmt.Errorf("--challenge and --response go together")
	}
	if c.Challenge == "" {
		return o, nil
	}
	challenge, err := hex.DecodeString(c.Challenge)
	if err != nil {
		return o, fmt.Errorf("read the challenge: %w", err)
	}
	response, err := readLimited(c.Response)
	o.Active = &emrtd.Answer{Challenge: challenge, Signature: response}
	return o, err
}

// savePortrait writes the first portrait of authentic data where that was asked for.
func (c *chipVerify) savePortrait(ctx context.Context, r *emrtd.Report) error {
	if c.Portrait == "" || !r.Authentic {
		return nil
	}
	p := r.Portraits[0]
	raw := p.Bytes
	if p.Format == lds.JPEG2000 {
		var err error
		if raw, err = pdf.New(pdf.Options{}).JPEG2000(ctx, raw, p.Width, p.Height); err != nil {
			return fmt.Errorf("decode the portrait: %w", err)
		}
	}
	return os.WriteFile(c.Portrait, raw, 0o600)
}

func verdict(r *emrtd.Report) Answer {
	missing := func(x *refusal.Refusal) bool { return x.Code == emrtd.GroupMissing }
	switch {
	case r.Authentic && r.Copy == emrtd.CopyExcluded:
		return Yes
	case r.Authentic || !slices.ContainsFunc(r.Refusals, func(x *refusal.Refusal) bool { return !missing(x) }):
		return Undecided
	}
	return No
}

func viewChip(r *emrtd.Report) chipView {
	v := chipView{
		Authentic: r.Authentic, Copy: r.Copy, Revocation: r.Revocation, Digest: r.Digest, Groups: r.Groups, Person: r.Person, Issue: r.Issue,
		Refusals: append([]*refusal.Refusal{}, r.Refusals...), Notes: append([]*refusal.Refusal{}, r.Notes...),
		Zone: []string{}, Portraits: []pictureView{},
	}
	if r.Signer != nil {
		signer := viewExplanation(r.Signer, r.Trust)
		signer.Revocation = r.Revocation
		v.Signer, v.Signature = &signer, r.Algorithm.String()
	}
	if !r.SignedAt.IsZero() {
		v.SignedAt = &r.SignedAt
	}
	if r.Zone != nil {
		v.Zone = r.Zone.Lines
	}
	for _, p := range r.Portraits {
		v.Portraits = append(v.Portraits, pictureView{p.Format, p.Container, p.Width, p.Height, len(p.Bytes)})
	}
	return v
}

func (v chipView) print(w io.Writer, answer Answer) error {
	var b strings.Builder
	switch {
	case v.Authentic:
		fmt.Fprintf(&b, "YES: a trusted state signed the data.\n")
	case answer == Undecided:
		fmt.Fprintf(&b, "UNDECIDED: a trusted state signed what was read, and too little was read.\n")
	default:
		fmt.Fprintf(&b, "NO: the data is not proved.\n")
	}
	for _, r := range v.Refusals {
		fmt.Fprintf(&b, "  refused: %v\n", r)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(&b, "  note: %v\n", n)
	}
	fmt.Fprintf(&b, "Copy: %s. Revocation: %s.\n", v.Copy, v.Revocation)
	if v.Signer != nil {
		signed := "an unknown day"
		if v.SignedAt != nil {
			signed = v.SignedAt.Format(time.DateOnly)
		}
		fmt.Fprintf(&b, "Signed on %s with %s, data groups hashed with %s.\n", signed, v.Signature, v.Digest)
	}
	for _, group := range slices.Sorted(maps.Keys(v.Groups)) {
		fmt.Fprintf(&b, "  %s %s\n", group, v.Groups[group])
	}
	for _, p := range v.Portraits {
		fmt.Fprintf(&b, "Portrait: %s in %s, %d x %d, %d bytes\n", p.Format, p.Container, p.Width, p.Height, p.Bytes)
	}
	if _, err := io.WriteString(w, b.String()); err != nil || v.Signer == nil {
		return err
	}
	return v.Signer.print(w, false)
}
