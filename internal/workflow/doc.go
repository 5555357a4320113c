// Package workflow is everything that is done with workflows: making them, changing drafts, trying them out on past decisions
// and publishing them.
//
// A workflow is a name and versions. A version is a draft until it is published; then it never changes, and every session keeps
// the version that it began with. Publishing retires the version before. Two people who change one draft never overwrite one
// another: each change names the revision that it was made on.
//
// A draft may be invalid while somebody works on it; Issues says what is wrong and where, and only a valid one is published.
package workflow
