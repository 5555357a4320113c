// Package screening holds the commands that look for people on watchlists, from files and without a deployment.
package screening

import "fmt"

// Answer is what a command found, as its exit code. It is an error so that a command can return it; it has nothing more to say.
type Answer int

// The answers, beside 0: nobody was found, the version of a list is in use, two versions say the same.
const (
	Changed   Answer = 1 // two versions of a list differ
	Undecided Answer = 4 // it needs review
)

// Error implements error.
func (a Answer) Error() string { return fmt.Sprintf("exit %d", int(a)) }
