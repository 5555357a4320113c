-- The door: challenges that wait for a browser's answer, and members whom an identity provider vouches for.

CREATE TABLE ceremonies (
	hash TEXT NOT NULL PRIMARY KEY,
	asked {{blob}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE INDEX ceremonies_expire ON ceremonies (expires_at);

ALTER TABLE users ADD COLUMN subject_digest TEXT;

CREATE UNIQUE INDEX users_by_subject ON users (subject_digest);
