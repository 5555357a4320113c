-- Liveness: how a session's applicant shows that they are there, the challenges they were given, and the marks by which
-- frames are found again.

ALTER TABLE sessions ADD COLUMN liveness TEXT NOT NULL DEFAULT '';

CREATE TABLE challenges (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	step TEXT NOT NULL,
	try INTEGER NOT NULL,
	spec {{json}} NOT NULL,
	issued_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL,
	used_at {{ts}}
);

CREATE INDEX challenges_by_session ON challenges (session_id, seq);

CREATE TABLE frame_marks (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	capture_id TEXT NOT NULL,
	mark {{blob}} NOT NULL
);

CREATE INDEX frame_marks_by_mark ON frame_marks (mark);

CREATE INDEX frame_marks_by_session ON frame_marks (session_id);

INSERT INTO locks (name, taken) VALUES ('frames', 0);
