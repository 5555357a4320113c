-- Mails that wait or were sent, codes that continue a session in another browser, links that reset a password, and what members were
-- told of by mail. What a mail says is sealed, and removed once it was sent or given up. Codes and links are digests.

CREATE TABLE mails (
	id TEXT NOT NULL PRIMARY KEY,
	kind TEXT NOT NULL,
	session_id TEXT NOT NULL,
	subject TEXT NOT NULL,
	content {{blob}},
	state TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	fault TEXT NOT NULL,
	next_at {{ts}},
	busy_until {{ts}},
	created_at {{ts}} NOT NULL,
	ended_at {{ts}}
);

CREATE INDEX mails_by_session ON mails (session_id, created_at);

CREATE INDEX mails_due ON mails (state, next_at);

CREATE TABLE resume_codes (
	session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
	digest TEXT NOT NULL,
	tries INTEGER NOT NULL,
	made INTEGER NOT NULL,
	first_made_at {{ts}} NOT NULL,
	made_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE TABLE password_resets (
	hash TEXT NOT NULL PRIMARY KEY,
	user_id TEXT NOT NULL,
	created_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE TABLE notices (
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	noted_at {{ts}} NOT NULL,
	PRIMARY KEY (kind, subject)
);
