// Package edge keeps what the HTTP edge needs to be the same on all nodes: answers to calls with an idempotency key, and how
// many calls each caller was granted.
package edge
