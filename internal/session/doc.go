// Package session holds the sessions: their records, what the store has to offer, and the Lifecycle, through which every
// change of a session goes. Its Service creates sessions and reads what is on record.
//
// Every step is one transaction: the state change, its rows, the audit entry, the outgoing event and the next jobs commit
// together, under the lock of the session's row, so that two things at once never both believe to be the last. Pictures are
// written to the vault before that.
//
// What people and jobs do with a session is in packages of its own, by who acts: applicant, decision, review, retention and
// sandbox. They share nothing but the Lifecycle; package services puts them together.
package session
