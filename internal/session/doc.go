// Package session holds the sessions: their records, what the store has to offer, and the Lifecycle, through which every
// change of a session goes. Its Service creates sessions and reads what is on record.
//
// What people and jobs do with a session is in packages of its own, by who does it: applicant, decision, review, retention
// and sandbox. They share nothing but the Lifecycle; package services puts them together.
package session
