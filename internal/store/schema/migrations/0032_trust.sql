-- Whom the deployment trusts for signed evidence: certificates, master lists, revocation lists, and what was removed. Nothing personal.

CREATE TABLE trust_updates (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	mode TEXT NOT NULL,
	kind TEXT NOT NULL,
	state TEXT NOT NULL,
	purpose TEXT NOT NULL,
	scope TEXT NOT NULL,
	slot TEXT NOT NULL,
	subject TEXT NOT NULL,
	source TEXT NOT NULL,
	digest TEXT NOT NULL,
	count INTEGER NOT NULL,
	dated_at {{ts}},
	replaces TEXT NOT NULL,
	proposed_by TEXT NOT NULL,
	proposed_at {{ts}} NOT NULL,
	settled_by TEXT NOT NULL,
	settled_at {{ts}},
	undo_by TEXT NOT NULL,
	undo_at {{ts}},
	undone_by TEXT NOT NULL,
	undone_at {{ts}},
	raw {{blob}} NOT NULL
);

CREATE UNIQUE INDEX trust_updates_one_in_force ON trust_updates (mode, slot) WHERE state = 'in_force';

CREATE INDEX trust_updates_by_state ON trust_updates (mode, state);

INSERT INTO locks (name, taken) VALUES ('trust', 0);
