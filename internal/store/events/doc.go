// Package events keeps the events of sessions: their rows, the feed that integrators read, and those who wait for news of a
// session in this process and, on PostgreSQL, on other nodes.
package events
