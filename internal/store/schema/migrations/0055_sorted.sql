-- Lists in other orders: sessions by state and by decision, the review queue by reason and by who has a case. As before, the indexes of
-- sessions answer every filter of the list.

DROP INDEX sessions_listed_by_state;

CREATE INDEX sessions_listed_by_state ON sessions (mode, state, id, outcome, workflow_id, country, document_kind, created_at);

CREATE INDEX sessions_listed_by_decision ON sessions (mode, decided_at, id, state, outcome, workflow_id, country, document_kind, created_at);

CREATE INDEX cases_by_reason ON cases (mode, COALESCE(reasons ->> 0, ''), due_at, id) WHERE closed_at IS NULL;

CREATE INDEX cases_by_assignee ON cases (mode, assignee, due_at, id) WHERE closed_at IS NULL;
