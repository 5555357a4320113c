package idv

import (
	"slices"
	"time"
)

// CheckKind names the question that a check answers.
type CheckKind string

// The questions.
const (
	CheckDocumentReadable CheckKind = "document.readable"   // is there one page, sharp, lit and uncut?
	CheckDocumentAccepted CheckKind = "document.accepted"   // does the workflow accept this kind and issuer?
	CheckMRZVerified      CheckKind = "document.mrz"        // is the machine-readable zone read beyond doubt?
	CheckDatesPlausible   CheckKind = "document.dates"      // do the dates exist and fit together?
	CheckDocumentExpiry   CheckKind = "document.expiry"     // is it still valid?
	CheckDocumentSpecimen CheckKind = "document.specimen"   // is it a real document?
	CheckDocumentOriginal CheckKind = "document.original"   // is it the document, not a copy of it?
	CheckPortraitOriginal CheckKind = "document.portrait"   // is the portrait its own?
	CheckDocumentEdits    CheckKind = "document.edits"      // was nothing on it changed?
	CheckFactsAgree       CheckKind = "document.facts"      // do its sources agree?
	CheckSidesBelong      CheckKind = "document.sides"      // are front and back of one document?
	CheckClaimsMatch      CheckKind = "person.claims"       // is it the person that the integrator named?
	CheckAgeLimit         CheckKind = "person.age"          // old enough?
	CheckSelfieQuality    CheckKind = "face.selfie"         // is there one face, fit to compare?
	CheckFaceMatch        CheckKind = "face.match"          // is it the person of the portrait?
	CheckPassiveLiveness  CheckKind = "liveness.passive"    // does the selfie look live? A signal: it refers, and never declines
	CheckLiveness         CheckKind = "liveness.challenge"  // did one live head do what the server asked, when it asked?
	CheckHead             CheckKind = "liveness.head"       // did the whole face move as one head? A signal too
	CheckLight            CheckKind = "liveness.light"      // did the face answer the colours that the screen showed? A signal, which takes a challenge with light
	CheckReplay           CheckKind = "liveness.replay"     // were these frames never sent before?
	CheckChipAuthentic    CheckKind = "chip.authentic"      // did a trusted state sign what was read from the chip?
	CheckChipCopy         CheckKind = "chip.copy"           // is the chip the one that the state issued, and no copy?
	CheckChipRevocation   CheckKind = "chip.revocation"     // is the signer known not to be revoked?
	CheckChipZone         CheckKind = "chip.zone"           // does the chip say what the page says?
	CheckWalletValid      CheckKind = "wallet.valid"        // did a trusted issuer sign what the wallet presented, and is it in force?
	CheckWalletHolder     CheckKind = "wallet.holder"       // did the holder's key sign it for this request?
	CheckWalletRevocation CheckKind = "wallet.revocation"   // is the credential known not to be revoked?
	CheckSanctions        CheckKind = "screening.sanctions" // is the person on no sanctions list?
	CheckPEP              CheckKind = "screening.pep"       // is the person not politically exposed, nor close to somebody who is?
	CheckWatch            CheckKind = "screening.watch"     // is the person on no other list: crime, debarment, the operator's own?

	CheckDuplicateDocument CheckKind = "duplicate.document" // did nobody else show this document?
	CheckDuplicatePerson   CheckKind = "duplicate.person"   // was this person not here with another document?
	CheckDuplicatePicture  CheckKind = "duplicate.picture"  // were these pictures in no other session?
	CheckDuplicateFace     CheckKind = "duplicate.face"     // was this face in no other session, as far as applicants agreed to be compared?
	CheckBlockList         CheckKind = "blocklist.entries"  // does nothing of it stand on the block list?
	CheckVelocity          CheckKind = "velocity.counts"    // are there not unusually many sessions like this one?
	CheckNetworkKnown      CheckKind = "network.known"      // was the network looked up from which it was opened?
	CheckNetworkCountry    CheckKind = "network.country"    // is it in the country of the document?
	CheckNetworkKind       CheckKind = "network.kind"       // is it neither a data centre's nor anonymous?
)

// FaceChecks returns the checks about a face that a workflow can require.
func FaceChecks() []CheckKind {
	return append([]CheckKind{CheckSelfieQuality, CheckFaceMatch, CheckLiveness, CheckReplay}, Signals()...)
}

// Signals returns the checks that each look for one sign that nobody was present. They never fail: if a workflow requires one, its
// doubt refers; otherwise the answer is recorded and decides nothing.
func Signals() []CheckKind { return []CheckKind{CheckPassiveLiveness, CheckHead, CheckLight} }

// ChipChecks returns the checks about a chip that a workflow can require.
func ChipChecks() []CheckKind {
	return []CheckKind{CheckChipAuthentic, CheckChipCopy, CheckChipRevocation, CheckChipZone}
}

// AboutChip reports whether the check looks at the chip of a document.
func (k CheckKind) AboutChip() bool { return slices.Contains(ChipChecks(), k) }

// WalletChecks returns the checks about a wallet that a workflow can require.
func WalletChecks() []CheckKind {
	return []CheckKind{CheckWalletValid, CheckWalletHolder, CheckWalletRevocation}
}

// AboutWallet reports whether the check looks at what a wallet presented.
func (k CheckKind) AboutWallet() bool { return slices.Contains(WalletChecks(), k) }

// ScreeningChecks returns the checks that look for the person on watchlists.
func ScreeningChecks() []CheckKind { return []CheckKind{CheckSanctions, CheckPEP, CheckWatch} }

// AboutScreening reports whether the check looks for the person on watchlists. Such a check never fails.
func (k CheckKind) AboutScreening() bool { return slices.Contains(ScreeningChecks(), k) }

// AboutFace reports whether the check is about the applicant's face.
func (k CheckKind) AboutFace() bool { return slices.Contains(FaceChecks(), k) }

// Outcome is the result of a settled check.
type Outcome string

// The outcomes.
const (
	Pass         Outcome = "pass"
	Fail         Outcome = "fail"
	Inconclusive Outcome = "inconclusive"
)

// Lifecycle is the state of a check's execution.
type Lifecycle string

// The lifecycle of a check: pending → running → settled | broken; pending → skipped; any → superseded.
const (
	CheckPending    Lifecycle = "pending"
	CheckRunning    Lifecycle = "running"
	CheckSettled    Lifecycle = "settled"
	CheckBroken     Lifecycle = "broken"     // could not run
	CheckSkipped    Lifecycle = "skipped"    // does not apply to this session
	CheckSuperseded Lifecycle = "superseded" // a retake replaced its input
)

// Reason says why a check did not pass: a row of the problem catalogue, and its subject.
type Reason struct {
	Code      string        `json:"code"`
	Step      Step          `json:"step,omitempty"`      // the step whose retake could help
	Claim     ClaimName     `json:"claim,omitempty"`     // the fact it is about
	Sources   []ClaimSource `json:"sources,omitempty"`   // the sources that disagree
	Confirmed Confirmation  `json:"confirmed,omitempty"` // for a final reason: what confirms the reading that it rests on
}

// Confirmation says what rules out a misreading of a fact.
type Confirmation string

// The confirmations.
const (
	BySignature   Confirmation = "signature"    // of the issuer, over the data of a chip or a credential
	ByCheckDigits Confirmation = "check_digits" // of the machine-readable zone, on which two readers agree
	ByBarcode     Confirmation = "barcode"      // its error correction leaves no doubt
	ByTwoSources  Confirmation = "two_sources"  // another source, or the other side, states the same
	ByNumber      Confirmation = "number"       // a number on the document encodes it, and checks itself or another fact
	ByTwoReaders  Confirmation = "two_readers"  // two independent readers read the same print, field number included, alike
)

// Confirmations returns every confirmation, strongest first.
func Confirmations() []Confirmation {
	return []Confirmation{BySignature, ByCheckDigits, ByBarcode, ByTwoSources, ByNumber, ByTwoReaders}
}

// Declines reports whether a final reason may decline on a reading with this confirmation. Two readers of the same print are not two
// sources: the print may still be damaged, or belong to another field.
func (c Confirmation) Declines() bool { return c != "" && c != ByTwoReaders }

// ErrorRates are the measured error rates at a threshold, each 0 to 1; nil where not measured.
type ErrorRates struct {
	FMR        *float64 `json:"fmr,omitempty"`         // false match rate
	FNMR       *float64 `json:"fnmr,omitempty"`        // false non-match rate
	APCER      *float64 `json:"apcer,omitempty"`       // attack presentations accepted, of the attack that is accepted most often
	APCERUpper *float64 `json:"apcer_upper,omitempty"` // upper end of its 95 % interval
	BPCER      *float64 `json:"bpcer,omitempty"`       // genuine presentations refused
	DataSet    string   `json:"data_set"`
	OnPeople   bool     `json:"on_people"` // measured on real people, not on generated data
	Note       string   `json:"note,omitempty"`
}

// ModelRef names a model that a finding rests on.
type ModelRef struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  Digest `json:"sha256,omitempty"`
}

// Finding is a checker's answer.
type Finding struct {
	Outcome    Outcome            `json:"outcome"`
	Reasons    []Reason           `json:"reasons"`
	Score      *float64           `json:"score,omitempty"`
	Threshold  *float64           `json:"threshold,omitempty"`
	ReferBelow *float64           `json:"refer_below,omitempty"` // upper end of the refer band, if there is one
	Rates      *ErrorRates        `json:"error_rates,omitempty"` // at Threshold
	Measures   map[string]float64 `json:"measures,omitempty"`    // further numbers a reviewer may want, by name
	Models     []ModelRef         `json:"models,omitempty"`
	Inputs     []Digest           `json:"inputs,omitempty"`
	Places     []FindingPlace     `json:"places,omitempty"`    // where the signs it rests on are, for reviewers; empty if that is everywhere
	NotApply   bool               `json:"not_apply,omitempty"` // the question does not arise here: the check is skipped
	Confirmed  []ConfirmedFact    `json:"confirmed,omitempty"` // for document.facts without zone and barcode: the confirmed settling facts
	Portrait   ClaimSource        `json:"portrait,omitempty"`  // of face.match: FromChip or FromWallet if the face was compared with a portrait that was signed
	Screening  *Screening         `json:"screening,omitempty"` // of a screening check: what was searched, and who may be meant
	Seen       *SeenFinding       `json:"seen,omitempty"`      // of a check that looks beyond the session: what was found there
	Note       string             `json:"note,omitempty"`      // one plain sentence, no personal data
}

// FindingPlace is a region of a page, or a frame of a run, that shows what a finding rests on.
type FindingPlace struct {
	Side  Side     `json:"side,omitempty"`  // of the document, for a region of a page
	Box   *Box     `json:"box,omitempty"`   // parts of the upright picture; nil for a frame
	Frame *int     `json:"frame,omitempty"` // index in the run, from 0; nil for a region
	What  string   `json:"what,omitempty"`  // the part of the page (portrait, zone, page or the name of a fact), or what was measured in the frame
	Value *float64 `json:"value,omitempty"` // what was measured there
}

// FrameAt returns a place for a frame of a run. what names the value.
func FrameAt(index int, what string, value float64) FindingPlace {
	return FindingPlace{Frame: &index, What: what, Value: &value}
}

// ConfirmedFact is a fact read from a document, with its confirmation.
type ConfirmedFact struct {
	Claim ClaimName    `json:"claim"`
	By    Confirmation `json:"by"`
}

// Passed returns a finding with outcome pass and no reasons.
func Passed() Finding { return Finding{Outcome: Pass, Reasons: []Reason{}} }

// Failed returns a finding with outcome fail and the given reasons.
func Failed(reasons ...Reason) Finding { return Finding{Outcome: Fail, Reasons: reasons} }

// Undecided returns a finding with outcome inconclusive and the given reasons.
func Undecided(reasons ...Reason) Finding { return Finding{Outcome: Inconclusive, Reasons: reasons} }

// DoesNotApply returns a finding for a question that does not arise; the check is shown as skipped, never as passed.
func DoesNotApply(note string) Finding {
	return Finding{NotApply: true, Reasons: []Reason{}, Note: note}
}

// Check is one question about a session, with its state.
type Check struct {
	ID        CheckID       `json:"id,omitempty"`
	Session   SessionID     `json:"-"`
	Kind      CheckKind     `json:"kind"`
	Required  bool          `json:"required"`
	Lifecycle Lifecycle     `json:"lifecycle"`
	Finding   *Finding      `json:"finding,omitempty"` // exists only when settled
	BrokenBy  string        `json:"broken_by,omitempty"`
	Inputs    Digest        `json:"input_digest,omitempty"` // of the evidence that it is about
	Duration  time.Duration `json:"duration_ns"`
	SettledAt time.Time     `json:"settled_at,omitzero"`
}
