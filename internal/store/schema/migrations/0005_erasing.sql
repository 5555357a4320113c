-- Erasing: what was erased and when, legal holds, and settings such as how long data is kept.

ALTER TABLE sessions ADD COLUMN pictures_erased_at {{ts}};

ALTER TABLE sessions ADD COLUMN held_at {{ts}};

CREATE INDEX sessions_by_age ON sessions (workflow_version_id, touched_at) WHERE erased_at IS NULL;

CREATE INDEX sessions_with_pictures ON sessions (workflow_version_id, touched_at) WHERE pictures_erased_at IS NULL;

CREATE TABLE erasures (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	scope TEXT NOT NULL,
	statement TEXT NOT NULL,
	traces TEXT NOT NULL,
	erased_at {{ts}} NOT NULL,
	finished_at {{ts}},
	PRIMARY KEY (session_id, scope)
);

CREATE INDEX erasures_unfinished ON erasures (erased_at) WHERE finished_at IS NULL;

CREATE TABLE legal_holds (
	seq {{serial}},
	session_id TEXT NOT NULL REFERENCES sessions (id),
	reason {{blob}},
	set_by TEXT NOT NULL,
	set_at {{ts}} NOT NULL,
	lifted_by TEXT NOT NULL,
	lifted_at {{ts}}
);

CREATE INDEX legal_holds_by_session ON legal_holds (session_id, seq);

CREATE TABLE settings (
	name TEXT NOT NULL PRIMARY KEY,
	value {{json}} NOT NULL,
	changed_at {{ts}} NOT NULL
);

ALTER TABLE idempotency_keys ADD COLUMN session_id TEXT NOT NULL DEFAULT '';

CREATE INDEX idempotency_keys_by_session ON idempotency_keys (session_id) WHERE session_id <> '';
