// Package session holds the use cases of a verification: what integrators, applicants, the console and the
// jobs do with one. It decides order, limits and moves; the engine looks and judges, the store keeps.
//
// Every step is one transaction: the state change, its rows, the audit entry, the outgoing event and the next
// jobs commit together. Pictures are written to the vault before that. State changes happen under the lock of
// the session's row, so that two things at once never both believe to be the last.
package session
