// Package problem is the catalogue of everything that can go wrong and be acted on: one row (Kind) each,
// and the typed error that carries a row to whoever can act.
//
// A row says what happened (code, title), how grave it is (severity), who can act on it (reader) and what
// they should do (remedy), plus a word for the reviewer. The HTTP answer (RFC 9457), the OpenAPI enum, the
// docs page, the applicant's texts and the tests are all made from the rows; nothing else lists codes.
//
// Reasons, which say why a check failed, are rows of the same kind. A bug or an outage is not in the
// catalogue: it becomes Internal at the edge, is logged once and never sent.
package problem

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Severity says what a reason means for the verdict. The first severity that applies decides,
// in the order of policy.Decide.
type Severity string

// The severities. None is the severity of problems that are not reasons (a malformed request).
const (
	None  Severity = ""
	Retry Severity = "retry" // a better picture can fix it
	Final Severity = "final" // a fact about the document or person
	Fraud Severity = "fraud" // a sign of deceit; never explained to the applicant
	// Suspect is the severity of a sign that also appears on genuine documents or people, more often than once in 200 or at a rate
	// nobody has measured. A person looks at it. It is never called deceit and never explained to the applicant.
	Suspect Severity = "suspect"
	Refer   Severity = "refer" // a person has to look
	// Question is a guess about a document that its applicant can settle. No check fails for it.
	Question Severity = "question"
)

// Explained reports whether an applicant may see a problem of this severity: not one that says what gave a forgery away.
func (s Severity) Explained() bool { return s != Fraud && s != Suspect }

// Reader is who can act on a problem.
type Reader string

// The readers.
const (
	Applicant  Reader = "applicant"
	Operator   Reader = "operator"
	Integrator Reader = "integrator"
)

// Kind is one row of the catalogue.
type Kind struct {
	Code     string   // family.name, stable for ever
	Status   int      // HTTP status when it is the answer to a request
	Severity Severity // what it means for a verdict, None if it is never a reason
	Reader   Reader   // who can act
	Title    string   // what happened, in the reader's words
	Remedy   string   // what to do about it
	Reviewer string   // what a reviewer needs to know; empty if reviewers never see it
}

// Error is a problem that somebody can act on. Field and Detail never carry personal data.
type Error struct {
	Kind   Kind
	Field  string // the input that is wrong, as a JSON pointer or step name; may be empty
	Detail string // one more sentence for the reader; may be empty
	State  string // the present state of what refused; may be empty
}

// New returns an error of the given kind.
func New(k Kind) *Error { return &Error{Kind: k} }

// At names the input that is wrong.
func (e *Error) At(field string) *Error { c := *e; c.Field = field; return &c }

// Saying adds a sentence for the reader. It must hold no personal data.
func (e *Error) Saying(format string, args ...any) *Error {
	c := *e
	c.Detail = fmt.Sprintf(format, args...)
	return &c
}

// In names the present state of what refused.
func (e *Error) In(state string) *Error { c := *e; c.State = state; return &c }

// Error implements error.
func (e *Error) Error() string {
	parts := []string{e.Kind.Code}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	return strings.Join(parts, ": ")
}

// Is makes errors.Is(err, problem.New(k)) true for any error of kind k.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind.Code == e.Kind.Code
}

// As returns the catalogue problem in err's chain.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Has reports whether err's chain holds a problem of kind k.
func Has(err error, k Kind) bool {
	e, ok := As(err)
	return ok && e.Kind.Code == k.Code
}

var catalogue []Kind

// register adds a row. Codes are unique; a second row with the same code is a programming error.
func register(k Kind) Kind {
	if _, dup := Lookup(k.Code); dup {
		panic("problem: declared twice: " + k.Code)
	}
	catalogue = append(catalogue, k)
	return k
}

// Lookup finds a row by its code.
func Lookup(code string) (Kind, bool) {
	for _, k := range catalogue {
		if k.Code == code {
			return k, true
		}
	}
	return Kind{}, false
}

// IsQuestion reports whether a code is that of a question to the applicant.
func IsQuestion(code string) bool {
	k, ok := Lookup(code)
	return ok && k.Severity == Question
}

// All returns every row, sorted by code.
func All() []Kind {
	out := slices.Clone(catalogue)
	slices.SortFunc(out, func(a, b Kind) int { return strings.Compare(a.Code, b.Code) })
	return out
}
