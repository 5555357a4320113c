package credential

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// walletView is what verification of one credential found.
type walletView struct {
	Format     string                `json:"format"`
	Type       string                `json:"type"`
	Authentic  bool                  `json:"authentic"`
	Bound      bool                  `json:"bound"`
	ByCode     bool                  `json:"by_code"` // the device authenticated by a code, which proves nothing to others
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
	OfDevice   any                   `json:"of_device"` // what the device says itself
}

// answerView is what verification of an answer found; of one credential by itself under no identifier.
type answerView struct {
	Satisfied   bool                  `json:"satisfied"`
	Refusals    []*refusal.Refusal    `json:"refusals"`
	WalletError string                `json:"wallet_error"`
	Transcript  string                `json:"transcript"` // hexadecimal, for those who look for why a device's signature differs
	Credentials map[string]walletView `json:"credentials"`

	ofRequest bool
}

func viewSDJWT(r *sdjwt.Report) walletView {
	v := walletView{
		Format: "dc+sd-jwt", Type: r.Type, Authentic: r.Authentic, Bound: r.Bound, Status: r.Revoked, Reference: r.Reference, Revocation: r.Revocation,
		Refusals: append([]*refusal.Refusal{}, r.Refusals...), Notes: append([]*refusal.Refusal{}, r.Notes...), Issuer: r.Issuer,
		Signature: r.Algorithm, Digest: r.Digest, IssuedAt: stated(r.IssuedAt), ValidFrom: stated(r.NotBefore), ValidUntil: stated(r.Expires),
		Presented: stated(r.Presented), Disclosed: r.Disclosed,
	}
	if r.Claims != nil {
		v.Claims = r.Claims
	}
	if r.Signer != nil {
		signer := viewExplanation(r.Signer, r.Trust)
		signer.Revocation = r.Revocation
		v.Signer = &signer
	}
	return v
}

func viewMDoc(r *mdoc.Report) walletView {
	v := walletView{
		Format: "mso_mdoc", Type: r.Type, Authentic: r.Authentic, Bound: r.Bound, ByCode: r.ByMac, Status: r.Revoked, Reference: r.Reference,
		Revocation: r.Revocation, Refusals: append([]*refusal.Refusal{}, r.Refusals...), Notes: append([]*refusal.Refusal{}, r.Notes...),
		Digest: r.Digest, IssuedAt: stated(r.Signed), ValidFrom: stated(r.ValidFrom), ValidUntil: stated(r.ValidUntil), Disclosed: r.Disclosed,
	}
	if r.Algorithm != 0 {
		v.Signature = "COSE " + strconv.FormatInt(r.Algorithm, 10)
	}
	if r.Claims != nil {
		v.Claims, v.OfDevice = asJSON(r.Claims), asJSON(r.OfDevice)
	}
	if r.Signer != nil {
		signer := viewExplanation(r.Signer, r.Trust)
		signer.Revocation = r.Revocation
		v.Signer = &signer
	}
	return v
}

// asJSON returns values of CBOR as JSON can hold them: keys as text, bytes in base64, numbers that JSON has not as text.
func asJSON(v any) any {
	switch x := v.(type) {
	case mdoc.Elements:
		out := map[string]any{}
		for space, all := range x {
			out[space] = asJSON(all)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, inner := range x {
			out[k] = asJSON(inner)
		}
		return out
	case map[any]any:
		out := map[string]any{}
		for k, inner := range x {
			out[fmt.Sprint(k)] = asJSON(inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = asJSON(x[i])
		}
		return out
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprint(x)
		}
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

func (v answerView) answer() Answer {
	worst := Yes
	if v.ofRequest && !v.Satisfied {
		worst = No
	}
	for _, one := range v.Credentials {
		worst = worse(worst, one.answer())
	}
	return worst
}

// encode writes the answer, or the one credential, as JSON.
func (v answerView) encode(w io.Writer) error {
	if !v.ofRequest {
		return json.NewEncoder(w).Encode(v.Credentials[""])
	}
	return json.NewEncoder(w).Encode(v)
}

func (v answerView) print(w io.Writer) error {
	if v.ofRequest {
		if err := v.printAnswer(w); err != nil {
			return err
		}
	}
	for _, id := range v.ids() {
		if err := v.Credentials[id].print(w, id); err != nil {
			return err
		}
	}
	return nil
}

func (v answerView) printAnswer(w io.Writer) error {
	var b strings.Builder
	if v.Satisfied {
		fmt.Fprintf(&b, "YES: the answer is what was asked for.\n")
	} else {
		fmt.Fprintf(&b, "NO: the answer is not what was asked for.\n")
	}
	for _, r := range v.Refusals {
		fmt.Fprintf(&b, "  refused: %v\n", r)
	}
	if v.WalletError != "" {
		fmt.Fprintf(&b, "The wallet's error: %q.\n", v.WalletError)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (v walletView) print(w io.Writer, id string) error {
	var b strings.Builder
	if id != "" {
		fmt.Fprintf(&b, "\n%s: ", id)
	}
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
	fmt.Fprintf(&b, "Type %q in %s. Status: %s. Signer's revocation: %s.\n", v.Type, v.Format, v.Status, v.Revocation)
	if v.Signature != "" {
		fmt.Fprintf(&b, "Signed with %s, claims hashed with %s.\n", v.Signature, v.Digest)
	}
	v.printTimes(&b)
	fmt.Fprintf(&b, "Disclosed: %d.\n", len(v.Disclosed))
	for _, path := range v.Disclosed {
		fmt.Fprintf(&b, "  %q\n", path)
	}
	if _, err := io.WriteString(w, b.String()); err != nil || v.Signer == nil {
		return err
	}
	return v.Signer.print(w, false)
}

func (v walletView) printTimes(b *strings.Builder) {
	for _, one := range []struct {
		what string
		at   *time.Time
	}{{"Issued on", v.IssuedAt}, {"Good from", v.ValidFrom}, {"Good until", v.ValidUntil}, {"Presented on", v.Presented}} {
		if one.at != nil {
			fmt.Fprintf(b, "%s %s.\n", one.what, one.at.UTC().Format(time.DateTime))
		}
	}
}
