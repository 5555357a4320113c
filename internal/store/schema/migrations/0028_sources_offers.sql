-- Where the captures of a session came from that was decided on, for statistics: from files where one of them did, from the camera where
-- all of them did; empty where nobody knows.

ALTER TABLE sessions ADD COLUMN capture_source TEXT NOT NULL DEFAULT '';

DROP INDEX sessions_figures;

CREATE INDEX sessions_figures ON sessions (mode, created_at, workflow_version_id, country, document_kind, device, face_model,
	state, outcome, automatic, due_step, waited_s, opened_at, submitted_at, capture_source);

CREATE TRIGGER figures_source_changed AFTER UPDATE ON sessions FOR EACH ROW
	WHEN (OLD.capture_source IS DISTINCT FROM NEW.capture_source)
	{{forget_day}};

-- Which generation of signals was offered to a workflow, or known to who published it; 0 for one from before there were signals.

ALTER TABLE workflows ADD COLUMN signals_seen INTEGER NOT NULL DEFAULT 0;
