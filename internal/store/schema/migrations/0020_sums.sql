-- Sums of a day's sessions, forgotten by the database itself whenever a session of that day changes in what they are made of;
-- and how many calls each caller was granted, for nodes that share a limit.

CREATE TABLE figure_days (
	mode TEXT NOT NULL,
	day TEXT NOT NULL,
	token TEXT NOT NULL,
	format INTEGER NOT NULL,
	sums {{blob}},
	PRIMARY KEY (mode, day)
);

{{forget_functions}}

CREATE TRIGGER figures_made AFTER INSERT ON sessions FOR EACH ROW {{forget_day}};

CREATE TRIGGER figures_changed AFTER UPDATE ON sessions FOR EACH ROW
	WHEN ((OLD.workflow_version_id, OLD.country, OLD.document_kind, OLD.device, OLD.face_model, OLD.state, OLD.outcome, OLD.automatic, OLD.due_step, OLD.waited_s, OLD.opened_at, OLD.submitted_at)
	IS DISTINCT FROM (NEW.workflow_version_id, NEW.country, NEW.document_kind, NEW.device, NEW.face_model, NEW.state, NEW.outcome, NEW.automatic, NEW.due_step, NEW.waited_s, NEW.opened_at, NEW.submitted_at))
	{{forget_day}};

CREATE TRIGGER figures_reason_added AFTER INSERT ON session_reasons FOR EACH ROW {{forget_reason_added}};

CREATE TRIGGER figures_reason_removed AFTER DELETE ON session_reasons FOR EACH ROW {{forget_reason_removed}};

CREATE {{unlogged}}TABLE call_grants (
	caller TEXT NOT NULL,
	span BIGINT NOT NULL,
	granted BIGINT NOT NULL,
	last_grant BIGINT NOT NULL,
	expires_at {{ts}} NOT NULL,
	PRIMARY KEY (caller, span)
);

CREATE INDEX call_grants_by_expiry ON call_grants (expires_at);
