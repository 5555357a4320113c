package session

import (
	"strings"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Conflict returns session.conflict with the state that the session is in.
func Conflict(rec Record) error {
	return problem.New(problem.SessionConflict).In(string(rec.State)).Saying("The session is %s.", strings.ReplaceAll(string(rec.State), "_", " "))
}
