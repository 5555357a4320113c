-- Pictures and runs of frames that are sent in parts. What is sent lies in sealed blobs.

CREATE TABLE uploads (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	received BIGINT NOT NULL,
	parts INTEGER NOT NULL,
	attempt TEXT NOT NULL,
	made_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE INDEX uploads_by_session ON uploads (session_id, seq);

CREATE INDEX uploads_by_end ON uploads (expires_at);

CREATE TABLE upload_parts (
	upload_id TEXT NOT NULL REFERENCES uploads (id),
	session_id TEXT NOT NULL REFERENCES sessions (id),
	number INTEGER NOT NULL,
	bytes BIGINT NOT NULL,
	blob TEXT NOT NULL,
	PRIMARY KEY (upload_id, number)
);

CREATE INDEX upload_parts_by_session ON upload_parts (session_id);
