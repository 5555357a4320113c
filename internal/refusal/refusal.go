// Package refusal holds the error by which a decoder or verifier of signed evidence says no. Each cause has a code of its own, which
// programs branch on and which never changes; the sentence beside it is for people and holds nothing personal.
package refusal

import (
	"errors"
	"fmt"
)

// Code names one cause, as "package.cause": "sod.digest_mismatch".
type Code string

// Refusal is a cause with what was seen.
type Refusal struct {
	Code Code   `json:"code"`
	Says string `json:"says"`
}

// Error implements error.
func (r *Refusal) Error() string { return r.Says + " (" + string(r.Code) + ")" }

// New returns a refusal whose sentence is formatted as by fmt.Sprintf.
func New(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Says: fmt.Sprintf(format, args...)}
}

// Of returns the first refusal in err's chain, nil if there is none.
func Of(err error) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	return nil
}
