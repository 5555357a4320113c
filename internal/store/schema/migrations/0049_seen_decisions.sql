-- What reviewers said of two sessions that have something in common: whether they are of one person. The session with the smaller id comes
-- first. The note is sealed under the keys of facts of both. Erasing either session deletes the row.

CREATE TABLE seen_decisions (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	other_id TEXT NOT NULL REFERENCES sessions (id),
	mode TEXT NOT NULL,
	state TEXT NOT NULL,
	signs TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	decided_at {{ts}} NOT NULL,
	reason TEXT NOT NULL,
	note {{blob}},
	second_by TEXT NOT NULL,
	second_at {{ts}},
	version BIGINT NOT NULL,
	PRIMARY KEY (session_id, other_id)
);

CREATE INDEX seen_decisions_by_other ON seen_decisions (other_id);

CREATE INDEX seen_decisions_by_mode ON seen_decisions (mode);
