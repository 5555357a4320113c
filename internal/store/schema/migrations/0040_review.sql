-- Review: which cases are given to reviewers without their asking, who is away, and which approvals were drawn for a second
-- look. And the order in which reviews and decisions are counted by time.

CREATE TABLE case_assignment (
	mode TEXT NOT NULL PRIMARY KEY,
	enabled BOOLEAN NOT NULL,
	most BIGINT NOT NULL,
	last_assignee TEXT NOT NULL
);

CREATE TABLE absences (
	user_id TEXT NOT NULL PRIMARY KEY,
	since {{ts}} NOT NULL
);

CREATE TABLE quality_reviews (
	session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
	mode TEXT NOT NULL,
	workflow_version_id TEXT NOT NULL,
	decision_id TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	drawn_at {{ts}} NOT NULL,
	reviewed_by TEXT NOT NULL,
	verdict TEXT NOT NULL,
	reasons {{json}} NOT NULL,
	note {{blob}},
	reviewed_at {{ts}}
);

CREATE INDEX quality_reviews_open ON quality_reviews (mode, drawn_at, session_id) WHERE reviewed_at IS NULL;

CREATE INDEX quality_reviews_done ON quality_reviews (mode, reviewed_at);

CREATE INDEX reviews_by_time ON reviews (created_at);

CREATE INDEX decisions_by_time ON decisions (decided_at);
