// Package credential holds the commands that judge signed evidence and the trust behind it, from files and without a deployment.
package credential

import "fmt"

// Answer is what a command found, as its exit code. It is an error so that a command can return it; it has nothing more to say.
type Answer int

// The answers.
const (
	Yes       Answer = 0
	No        Answer = 1
	Undecided Answer = 4
)

// Error implements error.
func (a Answer) Error() string { return fmt.Sprintf("exit %d", int(a)) }

// orNil returns the answer as a command does.
func (a Answer) orNil() error {
	if a == Yes {
		return nil
	}
	return a
}

// worse returns the worse of two answers: a refusal, then what could not be decided.
func worse(a, b Answer) Answer {
	if a == No || b == No {
		return No
	}
	return max(a, b)
}
