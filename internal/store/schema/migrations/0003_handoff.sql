-- Hand-offs of a session from one browser to another. Links and tokens are hashes.

CREATE TABLE handoffs (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	link_hash TEXT NOT NULL UNIQUE,
	from_hash TEXT NOT NULL,
	to_hash TEXT NOT NULL,
	made_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL,
	opened_at {{ts}},
	ended_at {{ts}}
);

CREATE INDEX handoffs_by_session ON handoffs (session_id, seq);

CREATE INDEX handoffs_by_from ON handoffs (from_hash);

CREATE INDEX handoffs_by_to ON handoffs (to_hash);
