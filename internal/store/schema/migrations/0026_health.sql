-- What was last found out about the storage, one row for each question: that it can be written to, and whether its pages are whole.

CREATE TABLE health (
	name TEXT PRIMARY KEY,
	at {{ts}} NOT NULL,
	took_ms BIGINT NOT NULL,
	found TEXT NOT NULL
);
