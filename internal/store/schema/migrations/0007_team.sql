-- The team: second factors, since when a member's console sessions count, and invitations that are open.

ALTER TABLE users ADD COLUMN factor {{blob}};

ALTER TABLE users ADD COLUMN sessions_from {{ts}};

CREATE TABLE invitations (
	id TEXT NOT NULL PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,
	personal {{blob}} NOT NULL,
	roles {{json}} NOT NULL,
	invited_by TEXT NOT NULL,
	created_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

INSERT INTO locks (name, taken) VALUES ('team', 0);
