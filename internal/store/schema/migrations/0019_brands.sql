-- Logos that workflow versions name, by the SHA-256 of what is kept: pixels, written anew as PNG.

CREATE TABLE logos (
	digest TEXT NOT NULL PRIMARY KEY,
	png {{blob}} NOT NULL,
	created_at {{ts}} NOT NULL
);
