-- What sessions are found again by: keyed digests of document, person, reference, contact and network, and which sessions have
-- something in common. Digests of networks are under a key of the day, and go after a day. Erasing deletes a session's rows.

CREATE TABLE seen_marks (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	kind TEXT NOT NULL,
	digest TEXT NOT NULL,
	mode TEXT NOT NULL,
	created_at {{ts}} NOT NULL,
	PRIMARY KEY (session_id, kind, digest)
);

CREATE INDEX seen_marks_by_digest ON seen_marks (kind, digest, created_at);

CREATE TABLE seen_links (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	other_id TEXT NOT NULL REFERENCES sessions (id),
	mode TEXT NOT NULL,
	same TEXT NOT NULL,
	face TEXT NOT NULL,
	facts TEXT NOT NULL,
	refers BOOLEAN NOT NULL,
	found_at {{ts}} NOT NULL,
	PRIMARY KEY (session_id, other_id)
);

CREATE INDEX seen_links_by_mode ON seen_links (mode, found_at);

CREATE INDEX seen_links_by_other ON seen_links (other_id);

CREATE INDEX captures_by_sha256 ON captures (sha256);
