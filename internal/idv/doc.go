// Package idv is the vocabulary of identity verification: the words that every other package speaks.
//
// A Session asks one person for Captures, step by step. An Extractor turns a Capture into Artifacts (things
// found in it) and Claims (facts that it states); a Checker answers one question about the session from that
// Evidence with a Finding. All settled Checks and Claims, frozen, are the Report; a policy turns the Report
// into a Decision.
//
// Two distinctions carry the design. An error is not a "no": an error means that a question could not be
// asked, a Finding that fails means that it was asked and the answer is no. And a Check's lifecycle (did it
// run?) is another type than its outcome (what did it find?): an outcome exists only once it has settled.
//
// There is no I/O here, no clock and no SQL.
package idv
