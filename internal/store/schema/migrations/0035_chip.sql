-- Challenges to chips (Active Authentication): 8 bytes, each good once and for minutes.

CREATE TABLE chip_challenges (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	challenge {{blob}} NOT NULL,
	issued_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL,
	used_at {{ts}}
);

CREATE INDEX chip_challenges_by_session ON chip_challenges (session_id);
