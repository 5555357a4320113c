package sessiontest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// tables are everything that is kept, each in the order of writing.
type tables struct {
	sessions       map[idv.SessionID]session.Record
	workflows      []idv.WorkflowVersion
	attempts       []session.Attempt
	consents       []session.ConsentRow
	events         []session.Event
	challenges     []session.ChallengeRow
	chipChallenges []session.ChipChallengeRow
	chipRelays     []session.RelayRow
	walletRequests []session.WalletRequestRow
	handoffs       []session.HandoffRow
	tabs           []session.TabRow
	codes          []session.CodeRow
	mails          []mailRow
	uploads        []session.UploadRow
	parts          []session.UploadPart
	views          []session.SavedView
	captures       []session.CaptureRow
	artifacts      []idv.Artifact
	claims         []claimRow
	checks         []idv.Check
	reports        []idv.Report
	decisions      []idv.Decision
	facts          []session.Facts
	frames         []frameRow
	index          []indexRow
	cases          []idv.Case
	reviews        []idv.Review
	hits           []session.Hit
	subjects       []session.Subject
	marks          []markRow
	faces          []faceRow
	links          []session.Link
	linkDecisions  []session.LinkDecision
	blocks         []blockRow
	networks       []netip.Prefix
	holds          []session.Hold
	erasures       []session.Erasure
	audited        []Audited
	hashes         []tlog.Hash // of the audit log, by their index
	checkpoint     audit.Checkpoint
	jobs           []Job
	jobSeq         int
	retention      idv.RetentionSetting
	runs           session.RetentionRuns
	assignment     map[idv.Mode]session.Assignment
	away           map[idv.UserID]time.Time
	quality        map[idv.SessionID]idv.QualityReview
	declining      []session.OfferedReason
}

// markRow makes a session be found again by a normal form.
type markRow struct {
	session idv.SessionID
	mode    idv.Mode
	mark    idv.SeenMark
	at      time.Time
}

// blockRow is an entry of the block list, with what it is about.
type blockRow struct {
	entry session.BlockEntry
	forms []string
}

// mailRow is a mail with when it was written.
type mailRow struct {
	mail mail.Mail
	at   time.Time
}

// claimRow is a claim with its session.
type claimRow struct {
	session idv.SessionID
	claim   idv.Claim
}

// frameRow keeps the digests by which a recording is found again.
type frameRow struct {
	session idv.SessionID
	capture idv.CaptureID
	digests [][]byte
}

// indexRow makes a session be found by a value.
type indexRow struct {
	session     idv.SessionID
	kind, value string
}

// Audited is an entry of the audit log with the values whose digests a SQL store keeps.
type Audited struct {
	audit.Entry
	Before, After any
}

// Job is a job that was enqueued.
type Job struct {
	Seq  int
	Args job.Args
	Done bool
}

func newTables() *tables {
	return &tables{
		sessions: map[idv.SessionID]session.Record{}, assignment: map[idv.Mode]session.Assignment{}, away: map[idv.UserID]time.Time{},
		quality: map[idv.SessionID]idv.QualityReview{},
	}
}

// clone copies the tables. Rows are values that nobody changes in place.
func (t *tables) clone() *tables {
	c := *t
	c.sessions = maps.Clone(t.sessions)
	c.workflows, c.attempts, c.consents = slices.Clone(t.workflows), slices.Clone(t.attempts), slices.Clone(t.consents)
	c.chipChallenges, c.walletRequests = slices.Clone(t.chipChallenges), slices.Clone(t.walletRequests)
	c.events, c.challenges, c.handoffs = slices.Clone(t.events), slices.Clone(t.challenges), slices.Clone(t.handoffs)
	c.uploads, c.parts, c.views = slices.Clone(t.uploads), slices.Clone(t.parts), slices.Clone(t.views)
	c.captures, c.artifacts, c.claims = slices.Clone(t.captures), slices.Clone(t.artifacts), slices.Clone(t.claims)
	c.checks, c.reports, c.decisions = slices.Clone(t.checks), slices.Clone(t.reports), slices.Clone(t.decisions)
	c.facts, c.frames, c.index = slices.Clone(t.facts), slices.Clone(t.frames), slices.Clone(t.index)
	c.hits, c.subjects = slices.Clone(t.hits), slices.Clone(t.subjects)
	c.faces = slices.Clone(t.faces)
	c.linkDecisions = slices.Clone(t.linkDecisions)
	c.marks, c.links, c.blocks, c.networks = slices.Clone(t.marks), slices.Clone(t.links), slices.Clone(t.blocks), slices.Clone(t.networks)
	c.cases, c.reviews, c.holds = slices.Clone(t.cases), slices.Clone(t.reviews), slices.Clone(t.holds)
	c.assignment, c.away, c.quality = maps.Clone(t.assignment), maps.Clone(t.away), maps.Clone(t.quality)
	c.tabs, c.codes, c.mails = slices.Clone(t.tabs), slices.Clone(t.codes), slices.Clone(t.mails)
	c.erasures, c.audited, c.jobs = slices.Clone(t.erasures), slices.Clone(t.audited), slices.Clone(t.jobs)
	return &c
}

// view is the tables as a reader sees them.
type view struct{ at func() *tables }

// record reads a session. What it returns shares nothing with the tables.
func (t *tables) record(id idv.SessionID) (session.Record, error) {
	r, ok := t.sessions[id]
	if !ok {
		return session.Record{}, problem.New(problem.NotFound)
	}
	return copyRecord(r), nil
}

// records lists the sessions that keep accepts, by id.
func (t *tables) records(keep func(session.Record) bool) []session.Record {
	out := []session.Record{}
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		if r := t.sessions[id]; keep(r) {
			out = append(out, copyRecord(r))
		}
	}
	return out
}

// open returns the problem of reading or writing what a key of a session seals: session.erased once the key is destroyed.
func (t *tables) open(id idv.SessionID, scope session.Scope) error {
	r, ok := t.sessions[id]
	if !ok {
		return fmt.Errorf("session %s is missing", id)
	}
	return r.CheckNotErased(scope)
}

func copyRecord(r session.Record) session.Record {
	r.Metadata, r.Claimed = maps.Clone(r.Metadata), maps.Clone(r.Claimed)
	r.Attempts, r.Redo = maps.Clone(r.Attempts), slices.Clone(r.Redo)
	if r.Attempts == nil {
		r.Attempts = map[idv.Step]int{}
	}
	if r.Redo == nil {
		r.Redo = []idv.Step{}
	}
	if p := r.LastProblem; p != nil {
		kept := *p
		r.LastProblem = &kept
	}
	return r
}

// throughJSON returns v as a column of JSON gives it back.
func throughJSON[T any](v T) (T, error) {
	var out T
	raw, err := json.Marshal(v)
	if err != nil {
		return out, fmt.Errorf("encode %T: %w", v, err)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, fmt.Errorf("decode %T: %w", v, err)
	}
	return out, nil
}

// where lists the rows that keep accepts; never nil.
func where[T any](rows []T, keep func(T) bool) []T {
	out := []T{}
	for _, r := range rows {
		if keep(r) {
			out = append(out, r)
		}
	}
	return out
}

// one returns the only row that keep accepts. Problems: not_found.
func one[T any](rows []T, keep func(T) bool) (T, error) {
	if i := slices.IndexFunc(rows, keep); i >= 0 {
		return rows[i], nil
	}
	var none T
	return none, problem.New(problem.NotFound)
}

// without lists the rows that gone does not accept, and counts the others.
func without[T any](rows []T, gone func(T) bool) ([]T, int) {
	kept := where(rows, func(r T) bool { return !gone(r) })
	return kept, len(rows) - len(kept)
}

// update changes the rows that match accepts, and counts them.
func update[T any](rows []T, match func(T) bool, change func(*T)) int {
	n := 0
	for i := range rows {
		if match(rows[i]) {
			change(&rows[i])
			n++
		}
	}
	return n
}

// sortedBy sorts rows by a key, those with an equal key in the order of writing.
func sortedBy[T any, K cmp.Ordered](rows []T, key func(T) K) []T {
	slices.SortStableFunc(rows, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
	return rows
}

// upTo cuts rows to a limit.
func upTo[T any](rows []T, limit int) []T { return rows[:min(len(rows), limit)] }
