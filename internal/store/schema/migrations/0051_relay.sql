-- How far the relay of a chip is, for the servers that do not have it. A row is there while an app is connected; one that a server left
-- behind when it died counts for nothing after its time.

CREATE TABLE chip_relays (
	session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
	relay TEXT NOT NULL,
	state TEXT NOT NULL,
	file TEXT NOT NULL,
	bytes_read BIGINT NOT NULL,
	bytes_of BIGINT NOT NULL,
	until {{ts}} NOT NULL
);
