package idv

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// Identifiers are typed: a prefix, an underscore and 26 base-32 characters that sort by time.
type (
	// SessionID names a session.
	SessionID string
	// CaptureID names a capture.
	CaptureID string
	// ArtifactID names an artifact.
	ArtifactID string
	// CheckID names a check.
	CheckID string
	// ReportID names a report.
	ReportID string
	// DecisionID names a decision.
	DecisionID string
	// CaseID names a case.
	CaseID string
	// ReviewID names a review of a case.
	ReviewID string
	// ConsentID names a consent.
	ConsentID string
	// WorkflowID names a workflow.
	WorkflowID string
	// WorkflowVersionID names a version of a workflow.
	WorkflowVersionID string
	// KeyID names an API key.
	KeyID string
	// EventID names an event.
	EventID string
	// UserID names a member of the deployment.
	UserID string
	// AuditID names an audit entry.
	AuditID string
	// ChallengeID names a liveness challenge.
	ChallengeID string
	// InvitationID names an invitation into the team.
	InvitationID string
	// EndpointID names a webhook endpoint.
	EndpointID string
	// DeliveryID names a delivery of an event to a webhook endpoint.
	DeliveryID string
	// HandoffID names a hand-off from one browser to another.
	HandoffID string
	// PasskeyID names a member's passkey.
	PasskeyID string
	// ViewID names a saved view of a list.
	ViewID string
	// UploadID names an upload in parts.
	UploadID string
	// WalletRequestID names a request to a wallet.
	WalletRequestID string
	// TrustUpdateID names an update of the trusted certificates.
	TrustUpdateID string
	// WatchlistID names a watchlist.
	WatchlistID string
	// WatchlistVersionID names a version of a watchlist.
	WatchlistVersionID string
	// HitID names a hit: an entry of a watchlist that may be the person of a session.
	HitID string
	// ScreeningRunID names a run that screens many people again.
	ScreeningRunID string
	// MailID names a mail.
	MailID string
	// BlockEntryID names an entry of the block list.
	BlockEntryID string
)

// anyID is the set of typed identifiers.
type anyID interface {
	SessionID | CaptureID | ArtifactID | CheckID | ReportID | DecisionID | CaseID | ReviewID | ConsentID |
		WorkflowID | WorkflowVersionID | KeyID | EventID | UserID | AuditID | ChallengeID | InvitationID |
		EndpointID | DeliveryID | HandoffID | PasskeyID | ViewID | UploadID | WalletRequestID | TrustUpdateID | MailID |
		WatchlistID | WatchlistVersionID | HitID | ScreeningRunID | BlockEntryID
}

// prefixes gives each type of identifier its prefix.
var prefixes = map[reflect.Type]string{
	reflect.TypeFor[SessionID]():          "ses",
	reflect.TypeFor[CaptureID]():          "cap",
	reflect.TypeFor[ArtifactID]():         "art",
	reflect.TypeFor[CheckID]():            "chk",
	reflect.TypeFor[ReportID]():           "rep",
	reflect.TypeFor[DecisionID]():         "dec",
	reflect.TypeFor[CaseID]():             "cas",
	reflect.TypeFor[ReviewID]():           "rev",
	reflect.TypeFor[ConsentID]():          "con",
	reflect.TypeFor[WorkflowID]():         "wfl",
	reflect.TypeFor[WorkflowVersionID]():  "wfv",
	reflect.TypeFor[KeyID]():              "key",
	reflect.TypeFor[EventID]():            "evt",
	reflect.TypeFor[UserID]():             "usr",
	reflect.TypeFor[ChallengeID]():        "chl",
	reflect.TypeFor[WalletRequestID]():    "wrq",
	reflect.TypeFor[InvitationID]():       "inv",
	reflect.TypeFor[EndpointID]():         "whk",
	reflect.TypeFor[DeliveryID]():         "dlv",
	reflect.TypeFor[HandoffID]():          "hof",
	reflect.TypeFor[PasskeyID]():          "pky",
	reflect.TypeFor[ViewID]():             "viw",
	reflect.TypeFor[UploadID]():           "upl",
	reflect.TypeFor[AuditID]():            "aud",
	reflect.TypeFor[TrustUpdateID]():      "tru",
	reflect.TypeFor[WatchlistID]():        "wls",
	reflect.TypeFor[WatchlistVersionID](): "wlv",
	reflect.TypeFor[HitID]():              "hit",
	reflect.TypeFor[ScreeningRunID]():     "srn",
	reflect.TypeFor[MailID]():             "mai",
	reflect.TypeFor[BlockEntryID]():       "blk",
}

func prefixOf[T anyID]() string { return prefixes[reflect.TypeFor[T]()] }

// crockford leaves out I, L, O and U, and sorts as its values do.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID makes an identifier of time t (millisecond precision) and 80 random bits read from r.
func NewID[T anyID](t time.Time, r io.Reader) (T, error) {
	var raw [16]byte
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(max(t.UnixMilli(), 0)))
	copy(raw[:6], ms[2:])
	if _, err := io.ReadFull(r, raw[6:]); err != nil {
		return "", fmt.Errorf("draw an identifier: %w", err)
	}
	return T(prefixOf[T]() + "_" + crockford.EncodeToString(raw[:])), nil
}

// FirstID is the least identifier of time t (millisecond precision): what was made at t or later does not sort before it.
func FirstID[T anyID](t time.Time) T {
	id, _ := NewID[T](t, zeros{}) // which never fails to read
	return id
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// ParseID checks the form of an identifier. It says nothing about existence.
func ParseID[T anyID](s string) (T, bool) {
	body, ok := strings.CutPrefix(s, prefixOf[T]()+"_")
	if !ok || len(body) != 26 {
		return "", false
	}
	if _, err := crockford.DecodeString(body); err != nil {
		return "", false
	}
	return T(s), true
}

// Digest is a SHA-256 in lower-case hexadecimal (64 characters).
type Digest string
