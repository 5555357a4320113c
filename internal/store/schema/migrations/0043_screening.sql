-- Screening: hits of sessions and what was decided about them, people who are screened again as lists change, and runs over them.
-- Whom a hit is about, and what of it agrees, is sealed under the session's key of facts. Erasing deletes hits and subjects.

CREATE TABLE screening_hits (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	mode TEXT NOT NULL,
	list TEXT NOT NULL,
	entry TEXT NOT NULL,
	topic TEXT NOT NULL,
	band TEXT NOT NULL,
	state TEXT NOT NULL,
	caused_by TEXT NOT NULL,
	found {{blob}} NOT NULL,
	was {{blob}},
	opened_at {{ts}} NOT NULL,
	decided_by TEXT NOT NULL,
	decided_at {{ts}},
	reason TEXT NOT NULL,
	note {{blob}},
	valid_until {{ts}},
	second_by TEXT NOT NULL,
	second_at {{ts}},
	version BIGINT NOT NULL
);

CREATE UNIQUE INDEX screening_hits_once ON screening_hits (session_id, list, entry);

CREATE INDEX screening_hits_by_state ON screening_hits (mode, state, seq);

CREATE TABLE screening_subjects (
	session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
	mode TEXT NOT NULL,
	person {{blob}} NOT NULL,
	settings TEXT NOT NULL,
	since {{ts}} NOT NULL,
	screened_at {{ts}} NOT NULL,
	ended_at {{ts}},
	ended_by TEXT NOT NULL
);

CREATE TABLE screening_runs (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	list TEXT NOT NULL,
	version_id TEXT NOT NULL,
	before_id TEXT NOT NULL,
	state TEXT NOT NULL,
	cursor_at TEXT NOT NULL,
	people BIGINT NOT NULL,
	done BIGINT NOT NULL,
	hits BIGINT NOT NULL,
	failed BIGINT NOT NULL,
	started_by TEXT NOT NULL,
	started_at {{ts}} NOT NULL,
	ended_at {{ts}}
);

INSERT INTO locks (name, taken) VALUES ('screening_runs', 0);
