-- Cases: the sessions that a person decides, who has each, and what was said about them. Sessions that wait for a person
-- already get a case, under an id made from their own.

ALTER TABLE sessions ADD COLUMN created_by TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN reopened_at {{ts}};

CREATE TABLE cases (
	id TEXT NOT NULL PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	mode TEXT NOT NULL,
	workflow_version_id TEXT NOT NULL,
	state TEXT NOT NULL,
	reasons {{json}} NOT NULL,
	report_digest TEXT NOT NULL,
	assignee TEXT NOT NULL,
	claimed_until {{ts}},
	approved_by TEXT NOT NULL,
	opened_at {{ts}} NOT NULL,
	due_at {{ts}} NOT NULL,
	closed_at {{ts}},
	version BIGINT NOT NULL
);

CREATE UNIQUE INDEX cases_one_at_a_time ON cases (session_id) WHERE closed_at IS NULL;

CREATE INDEX cases_by_session ON cases (session_id, id);

CREATE INDEX cases_queue ON cases (mode, due_at, id) WHERE closed_at IS NULL;

CREATE INDEX cases_of_somebody ON cases (assignee, mode, due_at, id) WHERE closed_at IS NULL;

CREATE TABLE reviews (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	case_id TEXT NOT NULL REFERENCES cases (id),
	session_id TEXT NOT NULL REFERENCES sessions (id),
	user_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	reasons {{json}} NOT NULL,
	step TEXT NOT NULL,
	note {{blob}},
	report_digest TEXT NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE INDEX reviews_by_session ON reviews (session_id, seq);

INSERT INTO cases (id, session_id, mode, workflow_version_id, state, reasons, report_digest, assignee, approved_by, opened_at, due_at, version)
SELECT 'cas_' || SUBSTR(s.id, 5), s.id, s.mode, s.workflow_version_id, 'open', '[]',
	COALESCE((SELECT r.digest FROM reports r WHERE r.session_id = s.id ORDER BY r.seq DESC LIMIT 1), ''), '', '', s.touched_at, s.touched_at, 0
FROM sessions s WHERE s.state = 'in_review';
