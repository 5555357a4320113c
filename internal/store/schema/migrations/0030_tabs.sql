-- Which tabs have or had a session, and the key by which a browser continues it in another tab. Tokens and keys are hashes.

CREATE TABLE tabs (
	seq {{serial}},
	session_id TEXT NOT NULL REFERENCES sessions (id),
	token_hash TEXT NOT NULL UNIQUE,
	key_hash TEXT NOT NULL,
	opened_how TEXT NOT NULL,
	opened_at {{ts}} NOT NULL
);

CREATE INDEX tabs_by_session ON tabs (session_id, opened_at);

CREATE INDEX tabs_by_key ON tabs (key_hash);
