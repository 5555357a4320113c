// Package emrtd verifies what was read from the chip of a travel document (ICAO 9303-11): Passive Authentication proves that a state
// signed the data, Active Authentication and Chip Authentication that the chip is not a copy.
//
// The report keeps four answers apart: whether the data is authentic, whether a copy is excluded, what is known of revocation, and what
// is said about the document. What was not checked is listed and never counts as passed. A transcript of Chip Authentication or of PACE
// that somebody else made proves nothing: whoever chooses the terminal's key can compute it without a chip. Options.Agreement is for a run
// that this program led itself, and never for one that was sent.
package emrtd

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// The refusals and notes of this package.
const (
	SODMissing        refusal.Code = "chip.sod_missing"          // EF.SOD was not read
	GroupMissing      refusal.Code = "chip.group_missing"        // DG1 or DG2 was not read
	DigestMismatch    refusal.Code = "chip.digest_mismatch"      // data group that is not the one that was signed
	GroupNotSigned    refusal.Code = "chip.group_not_signed"     // data group that EF.SOD does not list
	CommonDisagrees   refusal.Code = "chip.com_disagrees"        // EF.COM says something else than EF.SOD
	SeveralSigners    refusal.Code = "chip.several_signers"      // more than one document signer
	SignerUsage       refusal.Code = "chip.signer_usage"         // certificate that may not sign documents
	SignerKind        refusal.Code = "chip.signer_document_type" // signer for other kinds of document
	SignerCountry     refusal.Code = "chip.signer_country"       // signer of another state than the document's
	SignedOutside     refusal.Code = "chip.signed_outside"       // signed outside of the signer's validity or its key's use
	SignedInFuture    refusal.Code = "chip.signed_in_future"     // signed after now
	SignerExpired     refusal.Code = "chip.signer_expired"       // signer out of date, and nothing says when it signed
	WeakAlgorithm     refusal.Code = "chip.weak_algorithm"       // algorithm below today's standards
	ZoneDiffers       refusal.Code = "chip.zone_differs"         // chip and page say different things
	ActiveKeyMissing  refusal.Code = "chip.active_key_missing"   // answer of Active Authentication without a signed key
	ActiveAlgorithm   refusal.Code = "chip.active_algorithm"     // DG14 does not say how an elliptic curve signs
	ActiveSignature   refusal.Code = "chip.active_signature"     // answer that the chip's key did not make
	SigningTimeAbsent refusal.Code = "chip.signing_time_missing" // note: nothing says when it was signed
	SignerOutOfDate   refusal.Code = "chip.signer_out_of_date"   // note: valid when it signed, and no longer
	NotChecked        refusal.Code = "chip.revocation_unchecked" // note: no revocation list of the issuer
	AgreementFailed   refusal.Code = "chip.agreement_failed"     // chip that could not use the signed key of Chip Authentication
	CopyNotExcluded   refusal.Code = "chip.copy_not_excluded"    // note: nothing proves that the chip is the first one
)

// Files are the files of one chip as read.
type Files map[lds.File][]byte

// Add finds out which file raw is and adds it. A file that is there already is refused.
func (f Files) Add(raw []byte) (lds.File, error) {
	name, _, err := lds.Open(raw)
	if err != nil {
		return "", err
	}
	if _, twice := f[name]; twice {
		return "", refusal.New(lds.GroupTwice, "%s was sent twice", name)
	}
	f[name] = raw
	return name, nil
}

// Answer is a chip's answer to a challenge.
type Answer struct {
	Challenge []byte // 8 bytes that the server chose for this session and gave once
	Signature []byte
}

// Options say against what a chip is verified.
type Options struct {
	Now    time.Time
	Strict bool          // weak algorithms refuse instead of being noted
	Page   *mrz.Document // zone on the page; nil where no page was photographed
	Active *Answer       // nil where the chip was not asked
	// Agreement is a run of Chip Authentication that this program led; nil where there was none.
	Agreement *Agreement
}

// Copy says whether the chip may be a copy.
type Copy string

// The answers.
const (
	CopyExcluded Copy = "excluded"     // the chip used a key that the state signed, for a challenge or an agreement of this program's
	MayBeCopy    Copy = "not_excluded" // nothing was proved
)

// GroupState says how a data group compares with EF.SOD.
type GroupState string

// The states.
const (
	Matches   GroupState = "matches"
	Differs   GroupState = "differs"
	NotRead   GroupState = "not_read"
	NotSigned GroupState = "not_signed"
)

// Report is what verification found.
type Report struct {
	Authentic   bool // a trusted state signed DG1, DG2 and all else that was read
	Copy        Copy
	ByAnswer    bool // a copy is excluded by Active Authentication
	ByAgreement bool // a copy is excluded by Chip Authentication
	Revocation  trust.Revocation
	Refusals    []*refusal.Refusal // why it is not authentic
	Notes       []*refusal.Refusal // what was weak or could not be checked

	Signer    *pki.Certificate
	Algorithm pki.Algorithm // of the signature over the data
	Digest    string        // of the data groups
	SignedAt  time.Time     // zero where it is not signed along
	Trust     trust.Explanation
	Groups    map[lds.File]GroupState

	Zone      *mrz.Document
	Portraits []lds.Picture
	Person    *lds.Person
	Issue     *lds.Issue
	Security  *lds.Security
}

func (r *Report) refuse(code refusal.Code, format string, args ...any) {
	r.Refusals = append(r.Refusals, refusal.New(code, format, args...))
}

func (r *Report) note(code refusal.Code, format string, args ...any) {
	r.Notes = append(r.Notes, refusal.New(code, format, args...))
}

// fail adds an error of a decoder or of trust.
func (r *Report) fail(err error) {
	if err == nil {
		return
	}
	if why := refusal.Of(err); why != nil {
		r.Refusals = append(r.Refusals, why)
		return
	}
	r.refuse(lds.Malformed, "a file cannot be read")
}

// Verify runs Passive Authentication and, where the chip answered a challenge, Active Authentication. It goes on after a refusal as
// far as what follows does not depend on it.
func Verify(f Files, store *trust.Store, o Options) *Report {
	r := &Report{Copy: MayBeCopy, Revocation: trust.NotChecked, Groups: map[lds.File]GroupState{}}
	r.read(f)
	object := r.openSecurity(f)
	if object != nil {
		r.compare(f, object)
		r.checkSigner(object, store, o)
	}
	if r.Zone != nil && o.Page != nil && !lds.SameZone(*r.Zone, *o.Page) {
		r.refuse(ZoneDiffers, "the zone in the chip is not that on the page")
	}
	if o.Active != nil {
		r.checkActive(f, *o.Active, o.Strict)
	}
	if o.Agreement != nil {
		r.checkAgreement(*o.Agreement)
	}
	r.Authentic = len(r.Refusals) == 0
	if r.Authentic && (r.ByAnswer || r.ByAgreement) {
		r.Copy = CopyExcluded
	}
	if r.Copy == MayBeCopy {
		r.note(CopyNotExcluded, "a copy is not excluded: %s", r.whyCopy(o))
	}
	return r
}

func (r *Report) whyCopy(o Options) string {
	switch _, signed := r.Groups["DG15"]; {
	case o.Agreement != nil:
		return "Chip Authentication proves nothing here"
	case !signed && r.Security != nil && len(r.Security.ChipKeys) > 0:
		return "the chip has a key of Chip Authentication, which counts only if this server leads the conversation"
	case !signed:
		return "the chip has no key of Active Authentication"
	case o.Active == nil:
		return "the chip has a key of Active Authentication and was not asked to use it"
	}
	return "Active Authentication proves nothing here"
}

// read opens what the files say.
func (r *Report) read(f Files) {
	if f["DG1"] == nil || f["DG2"] == nil {
		r.refuse(GroupMissing, "DG1 and DG2 are both needed")
	}
	var err error
	if raw := f["DG1"]; raw != nil {
		zone, err := lds.ParseZone(raw)
		if r.fail(err); err == nil {
			r.Zone = &zone
		}
	}
	if raw := f["DG2"]; raw != nil {
		r.Portraits, err = lds.ParsePortraits(raw)
		r.fail(err)
	}
	if raw := f["DG11"]; raw != nil {
		r.Person, err = lds.ParsePerson(raw)
		r.fail(err)
	}
	if raw := f["DG12"]; raw != nil {
		r.Issue, err = lds.ParseIssue(raw)
		r.fail(err)
	}
	if raw := f["DG14"]; raw != nil {
		r.Security, err = lds.ParseSecurity(raw)
		r.fail(err)
	}
}

func (r *Report) openSecurity(f Files) *lds.SecurityObject {
	raw := f[lds.SOD]
	if raw == nil {
		r.refuse(SODMissing, "EF.SOD is needed")
		return nil
	}
	object, err := lds.ParseSecurityObject(raw)
	if err != nil {
		r.fail(err)
		return nil
	}
	return object
}
