-- Requests to wallets: each is answered once. The sealed part holds the request with the key of its answer, which is destroyed when the
-- request ends, and an answer that waits for the browser that asked. What a wallet presented counts for is kept with the session.

CREATE TABLE wallet_requests (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	handle_hash TEXT NOT NULL UNIQUE,
	channel TEXT NOT NULL,
	state TEXT NOT NULL,
	problem TEXT NOT NULL,
	code_hash TEXT NOT NULL,
	sealed {{blob}},
	made_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL,
	ended_at {{ts}}
);

CREATE INDEX wallet_requests_by_session ON wallet_requests (session_id);

ALTER TABLE sessions ADD COLUMN wallet TEXT NOT NULL DEFAULT '';
