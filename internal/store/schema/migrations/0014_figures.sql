-- Figures: what statistics keep of a session, and an index that they are counted from.

ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN face_model TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN automatic BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE sessions ADD COLUMN due_step TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN waited_s BIGINT;

UPDATE sessions SET
	automatic = decided_at IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.session_id = sessions.id AND d.decided_by <> 'policy'),
	due_step = CASE WHEN opened_at IS NULL OR submitted_at IS NOT NULL THEN ''
		WHEN NOT consented THEN 'consent' WHEN document_kind = '' THEN 'choose' ELSE 'document_front' END,
	waited_s = CASE WHEN decided_at IS NULL OR submitted_at IS NULL THEN NULL ELSE {{waited}} END;

CREATE INDEX sessions_figures ON sessions (mode, created_at, workflow_version_id, country, document_kind, device, face_model,
	state, outcome, automatic, due_step, waited_s, opened_at, submitted_at);
