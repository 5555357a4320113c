package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// LinkState is how far reviewers have come with two sessions that have something in common.
type LinkState string

// The states.
const (
	LinkOpen    LinkState = "open"          // nobody decided, or what was decided was undone or is older than what is seen now
	LinkUnsure  LinkState = "unsure"        // somebody looked, and wants a second look
	LinkAwaits  LinkState = "awaits_second" // one reviewer says that it is the same person; another has to say so, too
	LinkNotSame LinkState = "not_the_same"  // holds for the signs that the reviewer saw
	LinkSame    LinkState = "same_person"
)

// LinkStates returns every state.
func LinkStates() []LinkState {
	return []LinkState{LinkOpen, LinkUnsure, LinkAwaits, LinkNotSame, LinkSame}
}

// Pair are two sessions, in the order of their ids: what is decided about them is the same from both ends.
type Pair struct{ First, Second idv.SessionID }

// PairOf returns two sessions as a Pair.
func PairOf(a, b idv.SessionID) Pair { return Pair{First: min(a, b), Second: max(a, b)} }

// Other returns the one of the two that is not id.
func (p Pair) Other(id idv.SessionID) idv.SessionID {
	if p.First == id {
		return p.Second
	}
	return p.First
}

// LinkDecision is what reviewers said of two sessions that have something in common. The zero value with its Pair is that of two about
// which nobody said anything.
type LinkDecision struct {
	Pair
	Mode      idv.Mode
	State     LinkState
	Signs     []idv.SeenSign // that the reviewer saw
	DecidedBy string
	DecidedAt time.Time
	Reason    string
	Note      string // personal; read with one decision alone
	SecondBy  string
	SecondAt  time.Time
	Said      []Opinion // by each reviewer, oldest first; read with one decision alone
	Version   int64     // 0 where nobody said anything
}

// Cleared returns the signs of which a reviewer said that they are not of the same person.
func (d LinkDecision) Cleared() []idv.SeenSign {
	if d.State != LinkNotSame {
		return nil
	}
	return d.Signs
}

// Now returns how far a decision has come with what is seen now: that two are not the same person does not hold for a sign that the
// reviewer did not see.
func (d LinkDecision) Now(signs []idv.SeenSign) LinkState {
	unseen := func(s idv.SeenSign) bool { return !slices.Contains(d.Signs, s) }
	if d.State == "" || d.State == LinkNotSame && slices.ContainsFunc(signs, unseen) {
		return LinkOpen
	}
	return d.State
}

// LinkReader reads what was decided about sessions that have something in common. Of a pair with an erased session there is nothing.
type LinkReader interface {
	// LinkDecision reads what was decided about two sessions; the zero value with its pair where nobody said anything.
	LinkDecision(ctx context.Context, p Pair) (LinkDecision, error)
	// LinkDecisions lists those about one session, without their notes, by the other session.
	LinkDecisions(ctx context.Context, id idv.SessionID) ([]LinkDecision, error)
	// LinkDecisionsAbout lists those about given pairs, without their notes.
	LinkDecisionsAbout(ctx context.Context, pairs []Pair) ([]LinkDecision, error)
}

// LinkWriter writes what was decided. The caller holds the locks of both sessions.
type LinkWriter interface {
	// SaveLinkDecision writes a decision that was read with d.Version; one that has changed since is duplicate.conflict.
	SaveLinkDecision(ctx context.Context, d LinkDecision) error
}

// Events of sessions that have something in common.
const (
	EventDuplicateFound   EventType = "duplicate.found"
	EventDuplicateDecided EventType = "duplicate.decided"
)

// DecideLink writes a decision, and puts it on the record of both sessions. What stays after an erasing, the audit log and the events, does
// not name the other session: nobody who was erased may be found through somebody who was not.
func (l *Lifecycle) DecideLink(ctx context.Context, tx Tx, d LinkDecision) error {
	if err := tx.SaveLinkDecision(ctx, d); err != nil {
		return err
	}
	for _, id := range []idv.SessionID{d.First, d.Second} {
		if err := tx.Audit(ctx, audit.Record{Action: string(EventDuplicateDecided), Session: id, After: d}); err != nil {
			return err
		}
		payload := map[string]any{"decision": string(d.State), "signs": d.Signs}
		if err := l.Notify(ctx, tx, id, EventDuplicateDecided, payload); err != nil {
			return err
		}
	}
	return nil
}

// AnnounceLinks tells once of the signs for which a person has to look at one session. before are the links that there were, from either
// end.
func (l *Lifecycle) AnnounceLinks(ctx context.Context, tx Tx, id idv.SessionID, before []Link, others []idv.SeenOther) error {
	before = slices.DeleteFunc(slices.Clone(before), func(k Link) bool { return !k.Other.Refers })
	var fresh []idv.SeenSign
	for _, o := range others {
		if !o.Refers {
			continue
		}
		known := SignsBetween(before, PairOf(id, o.Session))
		fresh = append(fresh, slices.DeleteFunc(o.Signs(), func(s idv.SeenSign) bool { return slices.Contains(known, s) })...)
	}
	if len(fresh) == 0 {
		return nil
	}
	return l.Notify(ctx, tx, id, EventDuplicateFound, map[string]any{"signs": inOrder(fresh)})
}

// inOrder returns signs, each once, in the order of idv.SeenSigns.
func inOrder(found []idv.SeenSign) []idv.SeenSign {
	return slices.DeleteFunc(idv.SeenSigns(), func(s idv.SeenSign) bool { return !slices.Contains(found, s) })
}

// SignsBetween returns the signs of all links between two sessions, from either end, in the order of idv.SeenSigns.
func SignsBetween(links []Link, p Pair) []idv.SeenSign {
	var found []idv.SeenSign
	for _, k := range links {
		if PairOf(k.Session, k.Other.Session) == p {
			found = append(found, k.Other.Signs()...)
		}
	}
	return inOrder(found)
}
