// Package workflow manages workflows: it creates them, edits drafts, simulates them on past decisions and publishes them.
//
// A workflow is a name and versions. A version is a draft until it is published; then it never changes, and every session keeps
// the version that it began with. Publishing a version retires the previous one. Each edit of a draft names the revision that it
// is based on, so that two people never overwrite each other's changes.
//
// A draft may be invalid while it is edited. Issues returns what is wrong with it, and only a valid draft can be published.
package workflow
