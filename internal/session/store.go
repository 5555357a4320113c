package session

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/policy"
)

// Record is a session as it is stored, with what must not leave the server.
type Record struct {
	idv.Session
	LinkHash  string // hex SHA-256 of the link's secret
	LinkUsed  bool   // the link was opened; a new link starts unused
	TokenHash string // hex SHA-256 of the applicant's token, empty before opening
	Sweeps    int    // how often the sweeper found the session stuck since its last move
	TouchedAt time.Time
	Figures
}

// CaptureRow is a capture as it is kept.
type CaptureRow struct {
	idv.Capture
	Blob       string // name in the vault
	Superseded bool   // a retake replaced it
	Extracted  bool   // its artifacts are settled
	Checked    bool   // of a document: what its reading says was taken into account before the next step
}

// Attempt is a try at a step: accepted (a capture exists) or refused with a problem.
type Attempt struct {
	Session idv.SessionID
	ID      string // chosen by the client
	Step    idv.Step
	SHA256  idv.Digest
	Problem string // code, empty when accepted
	Counts  bool   // against the step's limit; every attempt counts against the session's
	At      time.Time
}

// ConsentRow is a consent as it is kept.
type ConsentRow struct {
	ID      idv.ConsentID
	Session idv.SessionID
	Consent
	At time.Time
}

// Facts is the row that outlives the personal data, for simulation and analytics. Nothing in it identifies.
type Facts struct {
	Session  idv.SessionID
	Decision idv.DecisionID
	Mode     idv.Mode
	Workflow idv.WorkflowVersionID
	Outcome  idv.DecisionOutcome
	AgeBand  string // "18-24", …; empty if unknown
	Country  string // issuer
	Kind     idv.DocumentKind
	Reasons  []string
	Scores   map[idv.CheckKind]float64
	At       time.Time
	Evidence *policy.Facts // what the policy decided on; nil for a person's decision
}

// Store keeps sessions. Its methods return problem not_found where nothing is there.
type Store interface {
	Reader
	// Together reads outside of a transaction, too, but opens each keyset once. It is for what belongs together, for one
	// goroutine and not for long.
	Together() Reader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
	Cleaner
	AuditTrimmer
	// AuditProofs proves every entry of a session under one checkpoint, by position.
	AuditProofs(ctx context.Context, id idv.SessionID) ([]audit.Proof, error)
	// Watch wakes on any event of the session until stop is called. Wakes may be spurious or merged.
	Watch(id idv.SessionID) (wake <-chan struct{}, stop func())
}

// Tx is a running transaction.
type Tx interface {
	Reader
	Writer
	EvidenceWriter
	CaseWriter
	AssignmentWriter
	QualityWriter
	HitWriter
	SeenWriter
	LinkWriter
	GalleryWriter
	Eraser
	HoldWriter
	RetentionWriter
	job.Enqueuer
	audit.Recorder
	MailWriter
}

// MailWriter writes mails to applicants.
type MailWriter interface {
	mail.Writer
	// CountMails counts those that were written for a session, not before since.
	CountMails(ctx context.Context, id idv.SessionID, since time.Time) (int, error)
}

// Reader reads sessions and what belongs to them.
type Reader interface {
	RecordReader
	EvidenceReader
	CaseReader
	AssignmentReader
	QualityReader
	HitReader
	SeenReader
	LinkReader
	BlockReader
	FaceReader
	ErasureReader
	HoldReader
	RetentionStore
}

// RecordReader reads sessions and workflows.
type RecordReader interface {
	Session(ctx context.Context, id idv.SessionID) (Record, error)
	SessionByLink(ctx context.Context, hash string) (Record, error)
	SessionByToken(ctx context.Context, hash string) (Record, error)
	Sessions(ctx context.Context, f Filter) ([]Record, error)
	// CountSessions counts what a filter leaves, whatever its page.
	CountSessions(ctx context.Context, f Filter) (int, error)
	// Facets reads what the sessions of a mode can be filtered by.
	Facets(ctx context.Context, mode idv.Mode) (Facets, error)
	// Alike finds the sessions of a session's mode that have its document number or a form of its person's name, newest first, at
	// most limit. It compares keyed digests: no session is opened for it, and an erased one is not found.
	Alike(ctx context.Context, id idv.SessionID, limit int) ([]Alike, error)
	// Reasons reads the codes of the reasons of the newest decisions of several sessions, by the alphabet.
	Reasons(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID][]string, error)
	ViewReader
	// Overdue lists sessions whose link or own time ran out before now, oldest first, at most limit.
	Overdue(ctx context.Context, now time.Time, limit int) ([]idv.SessionID, error)
	// Pending reports whether a job of the session is waiting, running or due for another try.
	Pending(ctx context.Context, id idv.SessionID) (bool, error)
	// Stale lists processing sessions untouched since before, oldest first, at most limit.
	Stale(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error)
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	// Workflows lists the newest published version of each workflow of a mode, by name.
	Workflows(ctx context.Context, mode idv.Mode) ([]idv.WorkflowVersion, error)
	// WorkflowNamed answers the newest published version of that name.
	WorkflowNamed(ctx context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error)
	Attempt(ctx context.Context, id idv.SessionID, attempt string) (Attempt, error)
	// Consents lists a session's answers to the consent page, oldest first.
	Consents(ctx context.Context, id idv.SessionID) ([]ConsentRow, error)
	CountAttempts(ctx context.Context, id idv.SessionID) (int, error)
	// Events lists a session's events after the one with that id, oldest first.
	Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]Event, error)
	CountStates(ctx context.Context, mode idv.Mode) (map[idv.SessionState]int, error)
	ChallengeReader
	HandoffReader
	TabReader
	UploadReader
	WalletReader
}

// HandoffReader reads hand-offs.
type HandoffReader interface {
	HandoffByLink(ctx context.Context, hash string) (HandoffRow, error)
	// HandoffsByToken lists those that a browser made or opened, by the hash of its token, in the order of making.
	HandoffsByToken(ctx context.Context, hash string) ([]HandoffRow, error)
	// Handoffs lists those of a session, in the order of making.
	Handoffs(ctx context.Context, id idv.SessionID) ([]HandoffRow, error)
}

// TabReader reads which tabs have or had a session.
type TabReader interface {
	TabByToken(ctx context.Context, hash string) (TabRow, error)
	// ResumeCode returns the newest code that was mailed for a session.
	ResumeCode(ctx context.Context, id idv.SessionID) (CodeRow, error)
	// TabByKey returns the newest tab of the browser with that key.
	TabByKey(ctx context.Context, hash string) (TabRow, error)
	// CountTabs counts the tabs of a session that were opened that way, not before since.
	CountTabs(ctx context.Context, id idv.SessionID, how Opening, since time.Time) (int, error)
}

// ChallengeReader reads challenges of liveness and to chips.
type ChallengeReader interface {
	Challenge(ctx context.Context, id idv.ChallengeID) (ChallengeRow, error)
	// Challenges lists those of a session, in the order of issue.
	Challenges(ctx context.Context, id idv.SessionID) ([]ChallengeRow, error)
	ChipChallenge(ctx context.Context, id idv.ChallengeID) (ChipChallengeRow, error)
	// CountChipChallenges counts those that a session was given.
	CountChipChallenges(ctx context.Context, id idv.SessionID) (int, error)
	// Relay returns how far the relay of a session is; not_found where no server has one.
	Relay(ctx context.Context, id idv.SessionID) (RelayRow, error)
	// Sign answers a keyed digest of b, under the deployment's key and for one use only.
	Sign(ctx context.Context, use string, b []byte) (string, error)
}

// EvidenceReader reads what was found. Lists are in the order of making.
type EvidenceReader interface {
	Captures(ctx context.Context, id idv.SessionID) ([]CaptureRow, error)
	Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error)
	Claims(ctx context.Context, id idv.SessionID) ([]idv.Claim, error)
	Checks(ctx context.Context, id idv.SessionID) ([]idv.Check, error)
	Reports(ctx context.Context, id idv.SessionID) ([]idv.Report, error)
	Decisions(ctx context.Context, id idv.SessionID) ([]idv.Decision, error)
}

// Writer writes sessions.
type Writer interface {
	ViewWriter
	// Lock reads a session and keeps everybody else from locking it until the transaction ends.
	Lock(ctx context.Context, id idv.SessionID) (Record, error)
	AddSession(ctx context.Context, r Record) error
	// SaveSession writes a session that was read with r.Version; a record that has changed since is session.conflict.
	SaveSession(ctx context.Context, r Record) error
	// IndexStated makes a session be found by its reference and metadata as they are now, and by no earlier ones.
	IndexStated(ctx context.Context, r Record) error
	AddAttempt(ctx context.Context, a Attempt) error
	AddConsent(ctx context.Context, c ConsentRow) error
	AddChallenge(ctx context.Context, c ChallengeRow) error
	// CloseChallenges marks a session's open challenges as used.
	CloseChallenges(ctx context.Context, id idv.SessionID, at time.Time) error
	AddChipChallenge(ctx context.Context, c ChipChallengeRow) error
	// CloseChipChallenges marks a session's open challenges to a chip as used.
	CloseChipChallenges(ctx context.Context, id idv.SessionID, at time.Time) error
	AddHandoff(ctx context.Context, h HandoffRow) error
	// SaveHandoff writes which tabs are at its two ends, and when it was opened and ended.
	SaveHandoff(ctx context.Context, h HandoffRow) error
	AddTab(ctx context.Context, t TabRow) error
	SaveResumeCode(ctx context.Context, c CodeRow) error
	AddEvent(ctx context.Context, e Event) error
	UploadWriter
	WalletWriter
	RelayWriter
}

// RelayWriter writes how far relays are. What a relay writes after another of its session opened is left out.
type RelayWriter interface {
	// OpenRelay writes that a relay has begun, in the place of any before it.
	OpenRelay(ctx context.Context, r RelayRow) error
	SaveRelay(ctx context.Context, r RelayRow) error
	CloseRelay(ctx context.Context, id idv.SessionID, relay string) error
}

// EvidenceWriter writes what was found.
type EvidenceWriter interface {
	AddCapture(ctx context.Context, c CaptureRow) error
	// SupersedeCaptures marks the captures of a step as replaced.
	SupersedeCaptures(ctx context.Context, id idv.SessionID, step idv.Step) error
	// SetChecked notes that the reading of a capture was taken into account.
	SetChecked(ctx context.Context, id idv.CaptureID) error
	// StrikeFace removes what a session has of its applicant's face: captures and what was found in them, templates, also of the
	// document's portrait, the picture that was cut out of it, and the checks of the face. It names the blobs that no row names any more.
	StrikeFace(ctx context.Context, id idv.SessionID) ([]string, error)
	// AddExtraction writes what was found in a capture; false means that this was done before.
	AddExtraction(ctx context.Context, c CaptureRow, x idv.Extraction) (bool, error)
	// EarlierFrames finds the captures sent before whose frames may be near to these, at most EarlierLimit, the likeliest first,
	// and keeps what it takes to find these later. One capture at a time is looked up: of two that are sent at once, the
	// second finds the first.
	EarlierFrames(ctx context.Context, c CaptureRow, digests [][]byte) ([]EarlierFrames, error)
	// AddCheck writes a check; false means that it was asked about the same evidence before.
	AddCheck(ctx context.Context, c idv.Check) (bool, error)
	SupersedeCheck(ctx context.Context, id idv.CheckID) error
	AddReport(ctx context.Context, r idv.Report) error
	AddDecision(ctx context.Context, d idv.Decision) error
	AddFacts(ctx context.Context, f Facts) error
}

// IsTemplate reports whether artifacts of kind k are face templates or their like, whose data nobody is shown.
func IsTemplate(k idv.ArtifactKind) bool {
	return k == idv.ArtifactPortraitTemplate || k == idv.ArtifactSelfieTemplate || k == idv.ArtifactFrameDigests
}

// GoesWithPictures reports whether artifacts of kind k are as personal as pictures, and are guarded and erased like them.
func GoesWithPictures(k idv.ArtifactKind) bool { return IsTemplate(k) || k == idv.ArtifactTrack }

// CaptureBlob names the blob of a capture.
func CaptureBlob(s idv.SessionID, c idv.CaptureID) string { return string(s) + "/" + string(c) }

// ArtifactBlob names the blob of an artifact.
func ArtifactBlob(s idv.SessionID, a idv.ArtifactID) string { return string(s) + "/" + string(a) }

// CaseReader reads cases.
type CaseReader interface {
	Case(ctx context.Context, id idv.CaseID) (idv.Case, error)
	// CaseOf answers a session's newest case.
	CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error)
	// Cases lists those that are not closed, the most urgent first.
	Cases(ctx context.Context, f CaseFilter) ([]idv.Case, error)
	CountCases(ctx context.Context, f CaseFilter) (CaseCounts, error)
	// LapsedCases lists those whose claim has run out by now, at most limit.
	LapsedCases(ctx context.Context, now time.Time, limit int) ([]idv.CaseID, error)
	// Reviews lists what was said about a session's cases, oldest first. Of an erased session the notes are gone.
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
	// Records reads several sessions at once; those that are not there are left out.
	Records(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID]Record, error)
	// DeclineReasons reads the reasons that the deployment offers to reviewers; none where it has not chosen any.
	DeclineReasons(ctx context.Context) ([]OfferedReason, error)
}

// CaseWriter writes cases. The caller must hold the lock of the session, so that of two writers the second sees the first.
type CaseWriter interface {
	AddCase(ctx context.Context, c idv.Case) error
	SaveCase(ctx context.Context, c idv.Case) error
	AddReview(ctx context.Context, r idv.Review) error
	SetDeclineReasons(ctx context.Context, offered []OfferedReason) error
}

// Eraser erases within a transaction.
type Eraser interface {
	// Strike destroys the keys of a scope, removes and reduces rows, and notes the time in the session's row.
	Strike(ctx context.Context, id idv.SessionID, scope Scope, at time.Time) (Struck, error)
	AddErasure(ctx context.Context, e Erasure) error
}

// ErasureReader reads erasings and finishes them.
type ErasureReader interface {
	// Erasures lists those of a session, oldest first.
	Erasures(ctx context.Context, id idv.SessionID) ([]Erasure, error)
	// EntryOf finds the newest audit entry of a session with that action and, once it is in the log, its proof.
	EntryOf(ctx context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error)
}

// Cleaner does what no transaction can: blobs, and the files of the database.
type Cleaner interface {
	// Unfinished lists sessions whose erasing began before a time and is not finished, oldest first, at most limit.
	Unfinished(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error)
	// Clean finishes the erasings of sessions: their blobs are deleted, the database's files hold no piece of their keys.
	// It can be repeated, and be interrupted anywhere.
	Clean(ctx context.Context, ids []idv.SessionID) error
	// FaceTraces returns what FinishFaces looks for after the face of a session was dropped. It is asked before, while the session is locked.
	FaceTraces(ctx context.Context, id idv.SessionID) ([]string, error)
	// FinishFaces overwrites in memory the faces that are no longer kept, and clears the database's files of what is left of them. It can be
	// repeated, without the traces, too: those of a call that failed are kept.
	FinishFaces(ctx context.Context, traces []string) error
}

// HoldWriter sets and lifts holds within a transaction. Neither changes when the session's time is over.
type HoldWriter interface {
	SetHold(ctx context.Context, h Hold) error
	LiftHold(ctx context.Context, id idv.SessionID, by string, at time.Time) error
}

// HoldReader reads holds.
type HoldReader interface {
	// Holds lists those of a session, oldest first.
	Holds(ctx context.Context, id idv.SessionID) ([]Hold, error)
	// StandingHolds lists those that are set, by session, newest session first, from before a session on; all from its zero.
	StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]Hold, error)
	// CountHolds counts those that are set.
	CountHolds(ctx context.Context) (int, error)
}

// RetentionStore keeps how long things are kept, and finds what was kept long enough.
type RetentionStore interface {
	// Retention answers the deployment's setting; zero where nothing was set.
	Retention(ctx context.Context) (idv.RetentionSetting, error)
	// DueSessions lists sessions that are due, neither held nor erased yet, oldest first.
	DueSessions(ctx context.Context, d Due) ([]idv.SessionID, error)
	// CountDue counts such sessions, for each of several times.
	CountDue(ctx context.Context, of []idv.WorkflowVersionID, scope Scope, before []time.Time) ([]int, error)
	// CountEntries counts entries of the audit log that were made before each of several times and belong to no held session.
	CountEntries(ctx context.Context, before []time.Time) ([]int, error)
	// RetentionRuns answers what the job did lately; zero where it never ran.
	RetentionRuns(ctx context.Context) (RetentionRuns, error)
	// WorkflowVersions lists every version of every workflow, also retired ones.
	WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error)
}

// RetentionWriter keeps the setting.
type RetentionWriter interface {
	SetRetention(ctx context.Context, r idv.RetentionSetting) error
	SetRetentionRuns(ctx context.Context, r RetentionRuns) error
}

// AuditTrimmer takes entries out of the audit log. Their hashes stay, so that everything else can still be proven.
type AuditTrimmer interface {
	// TrimAudit removes entries that were made before a time and belong to no held session, and answers how many. It is put on
	// record first; at most once a day.
	TrimAudit(ctx context.Context, before time.Time) (int, error)
}

// Pictures keeps bytes under the session's pictures key (store.Pictures).
type Pictures interface {
	Put(ctx context.Context, s idv.SessionID, name string, b []byte) error
	Get(ctx context.Context, s idv.SessionID, name string) ([]byte, error)
	// Delete removes one; nothing there is no error.
	Delete(ctx context.Context, name string) error
}

// UploadReader reads what is sent in parts.
type UploadReader interface {
	Upload(ctx context.Context, id idv.UploadID) (UploadRow, error)
	// Uploads lists those of a session, in the order of making.
	Uploads(ctx context.Context, id idv.SessionID) ([]UploadRow, error)
	// UploadParts lists the parts of an upload in their order.
	UploadParts(ctx context.Context, id idv.UploadID) ([]UploadPart, error)
	// OverdueUploads lists those whose time ended before now, at most limit.
	OverdueUploads(ctx context.Context, now time.Time, limit int) ([]UploadRow, error)
}

// UploadWriter writes what is sent in parts.
type UploadWriter interface {
	AddUpload(ctx context.Context, u UploadRow) error
	// SaveUpload writes how much is there, and which attempt it answered.
	SaveUpload(ctx context.Context, u UploadRow) error
	AddUploadPart(ctx context.Context, p UploadPart) error
	RemoveUploadParts(ctx context.Context, id idv.UploadID) error
	RemoveUpload(ctx context.Context, id idv.UploadID) error
}

// ViewReader reads saved views.
type ViewReader interface {
	// Views lists those of a member and mode, by name.
	Views(ctx context.Context, owner idv.UserID, mode idv.Mode) ([]SavedView, error)
	View(ctx context.Context, id idv.ViewID) (SavedView, error)
}

// ViewWriter writes saved views.
type ViewWriter interface {
	AddView(ctx context.Context, v SavedView) error
	DeleteView(ctx context.Context, id idv.ViewID) error
}
