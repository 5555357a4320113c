-- The sandbox: which persona settles a test session, and the log of calls made with API keys.

ALTER TABLE sessions ADD COLUMN persona TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN persona_acts BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE request_log (
	seq {{serial}},
	request_id TEXT NOT NULL,
	mode TEXT NOT NULL,
	key_id TEXT NOT NULL,
	method TEXT NOT NULL,
	route TEXT NOT NULL,
	status BIGINT NOT NULL,
	problem TEXT NOT NULL,
	took_us BIGINT NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE INDEX request_log_by_mode ON request_log (mode, seq);

CREATE INDEX request_log_by_key ON request_log (key_id, seq);

CREATE INDEX request_log_by_time ON request_log (created_at);
