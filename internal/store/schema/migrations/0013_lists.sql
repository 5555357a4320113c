-- Lists: the workflow and the issuing state of a session as columns, indexes that answer every filter without reading whole
-- rows, and the views of the list that members saved.

ALTER TABLE sessions ADD COLUMN workflow_id TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN country TEXT NOT NULL DEFAULT '';

UPDATE sessions SET workflow_id = COALESCE((SELECT v.workflow_id FROM workflow_versions v WHERE v.id = sessions.workflow_version_id), ''),
	country = COALESCE((SELECT f.country FROM decisions d JOIN policy_facts f ON f.decision_id = d.id WHERE d.session_id = sessions.id ORDER BY d.seq DESC LIMIT 1), '');

DROP INDEX sessions_by_mode;

CREATE INDEX sessions_listed ON sessions (mode, id, state, outcome, workflow_id, country, document_kind, created_at);

CREATE INDEX sessions_listed_by_state ON sessions (mode, state, id);

CREATE INDEX sessions_listed_by_country ON sessions (mode, country, id);

DROP INDEX session_reasons_by_code;

CREATE INDEX session_reasons_by_code ON session_reasons (code, session_id);

DROP INDEX blind_indexes_by_digest;

CREATE INDEX blind_indexes_by_digest ON blind_indexes (kind, digest, session_id);

CREATE TABLE saved_views (
	id TEXT NOT NULL PRIMARY KEY,
	user_id TEXT NOT NULL,
	mode TEXT NOT NULL,
	name TEXT NOT NULL,
	filter {{json}} NOT NULL,
	created_at {{ts}} NOT NULL,
	UNIQUE (user_id, mode, name)
);
