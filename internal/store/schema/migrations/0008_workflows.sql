-- Workflows that people change: who did what to a version and when (in a table of its own, because the binary before this one
-- reads every column of versions); one draft and one published version of each; what the policy decided on, kept without
-- anything that identifies, so that a decision can be made again.

CREATE TABLE version_marks (
	version_id TEXT NOT NULL PRIMARY KEY REFERENCES workflow_versions (id) ON DELETE CASCADE,
	revision BIGINT NOT NULL,
	created_by TEXT NOT NULL,
	changed_at {{ts}} NOT NULL,
	changed_by TEXT NOT NULL,
	published_at {{ts}},
	published_by TEXT NOT NULL,
	retired_at {{ts}},
	retired_by TEXT NOT NULL
);

INSERT INTO version_marks (version_id, revision, created_by, changed_at, changed_by, published_at, published_by, retired_by)
SELECT v.id, 0, '', v.created_at, '', v.created_at, '', '' FROM workflow_versions v;

CREATE UNIQUE INDEX workflow_versions_one_draft ON workflow_versions (workflow_id) WHERE state = 'draft';

CREATE UNIQUE INDEX workflow_versions_one_published ON workflow_versions (workflow_id) WHERE state = 'published';

ALTER TABLE policy_facts ADD COLUMN evidence {{json}};

CREATE INDEX policy_facts_by_time ON policy_facts (mode, decided_at, decision_id);

CREATE INDEX policy_facts_by_workflow ON policy_facts (workflow_version_id, decided_at);

CREATE INDEX sessions_by_workflow ON sessions (workflow_version_id, id);

INSERT INTO locks (name, taken) VALUES ('workflows', 0);
