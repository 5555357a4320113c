-- Webhooks: endpoints, deliveries and their tries; the feed of events in the order of commits; who made an API key.

ALTER TABLE events ADD COLUMN mode TEXT NOT NULL DEFAULT '';

ALTER TABLE events ADD COLUMN position BIGINT;

CREATE UNIQUE INDEX events_by_position ON events (position);

CREATE INDEX events_by_mode ON events (mode, position);

CREATE INDEX events_without_position ON events (seq) WHERE position IS NULL;

INSERT INTO locks (name, taken) VALUES ('events', 0);

ALTER TABLE api_keys ADD COLUMN created_by TEXT NOT NULL DEFAULT '';

CREATE TABLE webhook_endpoints (
	id TEXT NOT NULL PRIMARY KEY,
	mode TEXT NOT NULL,
	events {{json}} NOT NULL,
	sealed {{blob}} NOT NULL,
	version BIGINT NOT NULL,
	failing_since {{ts}},
	busy_until {{ts}},
	created_at {{ts}} NOT NULL
);

CREATE INDEX webhook_endpoints_by_mode ON webhook_endpoints (mode, id);

CREATE TABLE webhook_deliveries (
	id TEXT NOT NULL PRIMARY KEY,
	endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
	event_id TEXT NOT NULL,
	event_type TEXT NOT NULL,
	session_id TEXT NOT NULL,
	state TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	next_at {{ts}},
	created_at {{ts}} NOT NULL,
	ended_at {{ts}}
);

CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at) WHERE state = 'due';

CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE webhook_tries (
	seq {{serial}},
	delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
	tried_at {{ts}} NOT NULL,
	status INTEGER NOT NULL,
	took_ns BIGINT NOT NULL,
	fault TEXT NOT NULL,
	excerpt {{blob}}
);

CREATE INDEX webhook_tries_by_delivery ON webhook_tries (delivery_id, seq);
