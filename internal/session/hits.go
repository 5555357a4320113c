package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// HitState is how far a hit has come.
type HitState string

// The states.
const (
	HitOpen      HitState = "open"
	HitUnsure    HitState = "unsure"         // somebody looked, and wants a second look
	HitNotPerson HitState = "not_the_person" // until the entry's name, birth or number changes, or the decision runs out
	HitAwaits    HitState = "awaits_second"  // one reviewer says that it is the person; another has to say so, too
	HitIsPerson  HitState = "is_the_person"
)

// HitStates returns every state.
func HitStates() []HitState {
	return []HitState{HitOpen, HitUnsure, HitAwaits, HitNotPerson, HitIsPerson}
}

// Undecided reports whether somebody still has to look.
func (s HitState) Undecided() bool { return s == HitOpen || s == HitUnsure || s == HitAwaits }

// HitCause is what made a hit be found.
type HitCause string

// The causes.
const (
	BySubmission HitCause = "submitted"    // the session's own checks
	ByList       HitCause = "list_changed" // a newer version of a list
	ByRun        HitCause = "rescreened"   // the weekly run, or that over everybody
)

// Hit is an entry of a list that may be the person of a session.
type Hit struct {
	ID        idv.HitID
	Session   idv.SessionID
	Mode      idv.Mode
	State     HitState
	Cause     HitCause
	Found     idv.ScreeningHit  // personal
	Was       *idv.ScreeningHit // of a hit that came back: the entry as it was when it was decided
	OpenedAt  time.Time
	DecidedBy string
	DecidedAt time.Time
	Reason    string
	Note      string    // personal
	Until     time.Time // the decision runs out; zero for never
	SecondBy  string
	SecondAt  time.Time
	Said      []Opinion // by each reviewer, oldest first
	Version   int64
}

// Holds reports whether a decision that a hit is not the person still holds for what was found now.
func (h Hit) Holds(found idv.ScreeningHit, now time.Time) bool {
	return h.State == HitNotPerson && h.Found.Content == found.Content && (h.Until.IsZero() || now.Before(h.Until))
}

// Same reports whether a hit is about the entry that was found, also after its list merged it into another.
func (h Hit) Same(found idv.ScreeningHit) bool {
	return h.Found.List == found.List && (h.Found.Entry == found.Entry || slices.Contains(found.FormerIDs, h.Found.Entry))
}

// HitFilter narrows a list of hits. Zero fields match all.
type HitFilter struct {
	Mode   idv.Mode
	States []HitState
	Topic  idv.ScreeningTopic
	After  idv.HitID // the last one of the page before
	Limit  int
}

// HitReader reads hits. Of an erased session there are none.
type HitReader interface {
	// Hits lists those of a session, oldest first.
	Hits(ctx context.Context, id idv.SessionID) ([]Hit, error)
	Hit(ctx context.Context, id idv.HitID) (Hit, error)
	// HitsOf lists hits of all sessions, oldest first.
	HitsOf(ctx context.Context, f HitFilter) ([]Hit, error)
	// CountHits counts those of a mode by state.
	CountHits(ctx context.Context, mode idv.Mode) (map[HitState]int, error)
}

// HitWriter writes hits and who is screened again. The caller holds the lock of the session.
type HitWriter interface {
	AddHit(ctx context.Context, h Hit) error
	// SaveHit writes a hit that was read with h.Version; one that has changed since is screening.conflict.
	SaveHit(ctx context.Context, h Hit) error
	// PutSubject writes who is screened again as the lists change.
	PutSubject(ctx context.Context, s Subject) error
}

// Subject is a person who is screened again as the lists change, once their session was approved.
type Subject struct {
	Session    idv.SessionID
	Mode       idv.Mode
	Person     []byte // JSON of a screening.Person; personal
	Settings   idv.ScreeningSettings
	Since      time.Time
	ScreenedAt time.Time
	EndedAt    time.Time
	EndedBy    string
}

// Events of screening.
const (
	EventHitOpened  EventType = "screening.hit_opened"
	EventHitDecided EventType = "screening.hit_decided"
)

// OpenHits opens a hit for each entry that was found, unless there is one that somebody still has to decide, or a decision about it
// holds. A decision ends where the entry's names, births or numbers changed since, or its time is over. It returns how many were
// opened.
func (l *Lifecycle) OpenHits(ctx context.Context, tx Tx, rec Record, found []idv.ScreeningHit, cause HitCause) (int, error) {
	if len(found) == 0 {
		return 0, nil
	}
	have, err := tx.Hits(ctx, rec.ID)
	if err != nil {
		return 0, err
	}
	opened := 0
	for _, f := range found {
		i := slices.IndexFunc(have, func(h Hit) bool { return h.Same(f) })
		if i >= 0 && (have[i].State == HitIsPerson || have[i].Holds(f, l.Now())) {
			continue
		}
		h, fresh, err := l.hit(rec, f, cause, have, i)
		if err != nil {
			return opened, err
		}
		if i >= 0 {
			err = tx.SaveHit(ctx, h)
			h.Version++
			have[i] = h
		} else {
			err = tx.AddHit(ctx, h)
			have = append(have, h)
		}
		if err != nil {
			return opened, err
		}
		if !fresh {
			continue
		}
		opened++
		if err := l.announceHit(ctx, tx, h, EventHitOpened, map[string]any{"trigger": string(cause), "band": string(f.Band)}); err != nil {
			return opened, err
		}
	}
	return opened, nil
}

// hit is the row of an entry that was found; fresh if somebody has to look anew.
func (l *Lifecycle) hit(rec Record, f idv.ScreeningHit, cause HitCause, have []Hit, i int) (h Hit, fresh bool, err error) {
	if i < 0 {
		h = Hit{Session: rec.ID, Mode: rec.Mode, State: HitOpen, Cause: cause, Found: f, OpenedAt: l.Now()}
		h.ID, err = idv.NewID[idv.HitID](l.Now(), l.random)
		return h, true, err
	}
	h = have[i]
	if fresh = h.State == HitNotPerson; fresh {
		was := h.Found
		h.Was, h.State, h.Cause, h.OpenedAt = &was, HitOpen, cause, l.Now()
	}
	h.Found = f
	return h, fresh, nil
}

// announceHit puts what happened to a hit on record, and tells webhooks.
func (l *Lifecycle) announceHit(ctx context.Context, tx Tx, h Hit, typ EventType, payload map[string]any) error {
	payload["hit"], payload["topic"] = string(h.ID), string(h.Found.Topic)
	if err := tx.Audit(ctx, audit.Record{Action: string(typ), Session: h.Session, Subject: string(h.ID), After: h}); err != nil {
		return err
	}
	return l.Notify(ctx, tx, h.Session, typ, payload)
}

// DecideHit writes a decision about a hit.
func (l *Lifecycle) DecideHit(ctx context.Context, tx Tx, h Hit) error {
	if err := tx.SaveHit(ctx, h); err != nil {
		return err
	}
	return l.announceHit(ctx, tx, h, EventHitDecided, map[string]any{"decision": string(h.State)})
}

// CheckHits returns why a session cannot be approved for what screening found: a hit that nobody decided, or two reviewers who say
// that the person is on a sanctions list. Problems: screening.hits_open, screening.person_listed.
func CheckHits(ctx context.Context, r HitReader, id idv.SessionID) error {
	hits, err := r.Hits(ctx, id)
	if err != nil {
		return err
	}
	for _, h := range hits {
		if h.State == HitIsPerson && h.Found.Topic == idv.TopicSanctions {
			return problem.New(problem.ScreeningPersonListed)
		}
	}
	if slices.ContainsFunc(hits, func(h Hit) bool { return h.State.Undecided() }) {
		return problem.New(problem.ScreeningHitsOpen)
	}
	return nil
}

// AlarmsOf returns the hits of a report that refer under the settings of a workflow.
func AlarmsOf(r idv.Report, set idv.ScreeningSettings) []idv.ScreeningHit {
	var out []idv.ScreeningHit
	for _, c := range r.Checks {
		if c.Finding == nil || c.Finding.Screening == nil {
			continue
		}
		for _, h := range c.Finding.Screening.Hits {
			if set.Alarms(h.Band) {
				out = append(out, h)
			}
		}
	}
	return out
}
