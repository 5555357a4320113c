package session

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Sort is an order of the list of sessions. Sessions that are alike in it are in the order of their creation, in the same direction.
type Sort string

// The orders. In those by decision, sessions without one come last.
const (
	Newest       Sort = "-created_at" // also where none is said
	Oldest       Sort = "created_at"
	ByState      Sort = "state" // by the code of the state
	ByStateBack  Sort = "-state"
	FirstDecided Sort = "decided_at"
	LastDecided  Sort = "-decided_at"
)

// Sorts returns every order.
func Sorts() []Sort { return []Sort{Newest, Oldest, ByState, ByStateBack, FirstDecided, LastDecided} }

// Back reports whether the order goes down.
func (s Sort) Back() bool { return s == "" || strings.HasPrefix(string(s), "-") }

// Key is what the order goes by: created_at, state or decided_at.
func (s Sort) Key() Sort {
	if s == "" {
		return Oldest
	}
	return Sort(strings.TrimPrefix(string(s), "-"))
}

// Cursor is a place in an order: that of one session as it was when its page was read. What happens to it meanwhile moves nothing.
type Cursor struct {
	ID      idv.SessionID
	State   idv.SessionState // of orders by state
	Decided time.Time        // of orders by decision; zero for a session without one
}

// CursorOf returns the place of a session as a text.
func (s Sort) CursorOf(x idv.Session) string {
	switch s.Key() {
	case ByState:
		return string(x.State) + "," + string(x.ID)
	case FirstDecided:
		if x.DecidedAt.IsZero() {
			return "," + string(x.ID)
		}
		return x.DecidedAt.UTC().Format(time.RFC3339Nano) + "," + string(x.ID)
	default:
		return string(x.ID)
	}
}

// Parse reads what CursorOf wrote for the same key.
func (s Sort) Parse(cursor string) (Cursor, bool) {
	if s.Key() == Oldest {
		id, ok := idv.ParseID[idv.SessionID](cursor)
		return Cursor{ID: id}, ok
	}
	value, rest, _ := strings.Cut(cursor, ",")
	id, ok := idv.ParseID[idv.SessionID](rest)
	if !ok {
		return Cursor{}, false
	}
	if s.Key() == ByState {
		return Cursor{ID: id, State: idv.SessionState(value)}, slices.Contains(idv.SessionStates(), idv.SessionState(value))
	}
	if value == "" {
		return Cursor{ID: id}, true
	}
	at, err := time.Parse(time.RFC3339Nano, value)
	return Cursor{ID: id, Decided: at}, err == nil && !at.IsZero()
}

// CaseSort is an order of the review queue. Cases that are alike in it are in the order of their targets, in the same direction.
type CaseSort string

// The orders. By the first reason, and by who has the case: what nobody has before what somebody has, that of each together.
const (
	MostUrgent     CaseSort = "due_at" // also where none is said
	LeastUrgent    CaseSort = "-due_at"
	ByReason       CaseSort = "reason"
	ByReasonBack   CaseSort = "-reason"
	ByAssignee     CaseSort = "assignee"
	ByAssigneeBack CaseSort = "-assignee"
)

// Back reports whether the order goes down.
func (s CaseSort) Back() bool { return strings.HasPrefix(string(s), "-") }

// Key is what the order goes by: due_at, reason or assignee.
func (s CaseSort) Key() CaseSort {
	if s == "" {
		return MostUrgent
	}
	return CaseSort(strings.TrimPrefix(string(s), "-"))
}

// CaseCursor is a place in an order: that of one case as it was when its page was read.
type CaseCursor struct {
	ID    idv.CaseID
	Value string    // the reason or the assignee; empty in orders by target
	Due   time.Time // the target
}

// ValueOf returns by what a case is ordered before its target.
func (s CaseSort) ValueOf(c idv.Case) string {
	switch {
	case s.Key() == ByReason && len(c.Reasons) > 0:
		return c.Reasons[0]
	case s.Key() == ByAssignee:
		return string(c.Assignee)
	default:
		return ""
	}
}

// CursorOf returns the place of a case as a text.
func (s CaseSort) CursorOf(c idv.Case) string {
	return s.ValueOf(c) + "," + c.DueAt.UTC().Format(time.RFC3339Nano) + "," + string(c.ID)
}

// Parse reads what CursorOf wrote for the same key.
func (s CaseSort) Parse(cursor string) (CaseCursor, bool) {
	parts := strings.Split(cursor, ",")
	if len(parts) != 3 || len(parts[0]) > maxSortValue || (s.Key() == MostUrgent && parts[0] != "") {
		return CaseCursor{}, false
	}
	due, err := time.Parse(time.RFC3339Nano, parts[1])
	id, ok := idv.ParseID[idv.CaseID](parts[2])
	return CaseCursor{ID: id, Value: parts[0], Due: due}, ok && err == nil && plainValue(parts[0])
}

// maxSortValue is the length of the longest code or id by which cases are ordered.
const maxSortValue = 64

// plainValue reports whether a text has nothing but what codes and ids are made of.
func plainValue(v string) bool {
	return strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789._") == ""
}
