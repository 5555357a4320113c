-- Sessions, their evidence, the audit log and who may use the API.
-- Personal columns are sealed ({{blob}}); ids and states are plain. TS, JSON and serial types differ per engine.

CREATE TABLE keysets (
	owner TEXT NOT NULL,
	purpose TEXT NOT NULL,
	wrapped {{blob}},
	created_at {{ts}} NOT NULL,
	destroyed_at {{ts}},
	PRIMARY KEY (owner, purpose)
);

CREATE TABLE workflows (
	id TEXT NOT NULL PRIMARY KEY,
	mode TEXT NOT NULL,
	name TEXT NOT NULL,
	created_at {{ts}} NOT NULL,
	UNIQUE (mode, name)
);

CREATE TABLE workflow_versions (
	id TEXT NOT NULL PRIMARY KEY,
	workflow_id TEXT NOT NULL REFERENCES workflows (id),
	number INTEGER NOT NULL,
	state TEXT NOT NULL,
	spec {{json}} NOT NULL,
	created_at {{ts}} NOT NULL,
	UNIQUE (workflow_id, number)
);

CREATE TABLE sessions (
	id TEXT NOT NULL PRIMARY KEY,
	mode TEXT NOT NULL,
	workflow_version_id TEXT NOT NULL REFERENCES workflow_versions (id),
	state TEXT NOT NULL,
	outcome TEXT NOT NULL,
	problem_code TEXT NOT NULL,
	problem_step TEXT NOT NULL,
	document_kind TEXT NOT NULL,
	consented BOOLEAN NOT NULL,
	redo {{json}} NOT NULL,
	attempts {{json}} NOT NULL,
	locale TEXT NOT NULL,
	personal {{blob}},
	link_hash TEXT NOT NULL UNIQUE,
	link_used BOOLEAN NOT NULL,
	token_hash TEXT UNIQUE,
	created_at {{ts}} NOT NULL,
	link_expires_at {{ts}} NOT NULL,
	expires_at {{ts}},
	opened_at {{ts}},
	submitted_at {{ts}},
	decided_at {{ts}},
	erased_at {{ts}},
	touched_at {{ts}} NOT NULL,
	sweeps INTEGER NOT NULL,
	version BIGINT NOT NULL
);

CREATE INDEX sessions_by_mode ON sessions (mode, id);

CREATE INDEX sessions_by_state ON sessions (state, touched_at);

CREATE TABLE session_reasons (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	code TEXT NOT NULL,
	PRIMARY KEY (session_id, code)
);

CREATE INDEX session_reasons_by_code ON session_reasons (code);

CREATE TABLE blind_indexes (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	kind TEXT NOT NULL,
	digest TEXT NOT NULL,
	PRIMARY KEY (session_id, kind, digest)
);

CREATE INDEX blind_indexes_by_digest ON blind_indexes (kind, digest);

CREATE TABLE attempts (
	session_id TEXT NOT NULL REFERENCES sessions (id),
	id TEXT NOT NULL,
	step TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	problem TEXT NOT NULL,
	counts BOOLEAN NOT NULL,
	created_at {{ts}} NOT NULL,
	PRIMARY KEY (session_id, id)
);

CREATE TABLE captures (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	step TEXT NOT NULL,
	side TEXT NOT NULL,
	kind TEXT NOT NULL,
	attempt TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	size BIGINT NOT NULL,
	media_type TEXT NOT NULL,
	blob TEXT NOT NULL,
	superseded BOOLEAN NOT NULL,
	extracted BOOLEAN NOT NULL,
	created_at {{ts}} NOT NULL,
	UNIQUE (session_id, attempt)
);

CREATE TABLE artifacts (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	capture_id TEXT NOT NULL REFERENCES captures (id),
	side TEXT NOT NULL,
	kind TEXT NOT NULL,
	present BOOLEAN NOT NULL,
	absent TEXT NOT NULL,
	producer TEXT NOT NULL,
	version TEXT NOT NULL,
	inputs {{json}} NOT NULL,
	data {{blob}},
	blob TEXT NOT NULL,
	blob_type TEXT NOT NULL,
	UNIQUE (capture_id, kind)
);

CREATE INDEX artifacts_by_session ON artifacts (session_id);

CREATE TABLE claims (
	seq {{serial}},
	session_id TEXT NOT NULL REFERENCES sessions (id),
	capture_id TEXT NOT NULL REFERENCES captures (id),
	name TEXT NOT NULL,
	source TEXT NOT NULL,
	data {{blob}}
);

CREATE INDEX claims_by_session ON claims (session_id);

CREATE TABLE checks (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	kind TEXT NOT NULL,
	required BOOLEAN NOT NULL,
	lifecycle TEXT NOT NULL,
	finding {{blob}},
	broken_by TEXT NOT NULL,
	input_digest TEXT NOT NULL,
	duration_ns BIGINT NOT NULL,
	settled_at {{ts}},
	UNIQUE (session_id, kind, input_digest)
);

CREATE TABLE reports (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	data {{blob}},
	digest TEXT NOT NULL,
	made_at {{ts}} NOT NULL
);

CREATE INDEX reports_by_session ON reports (session_id);

CREATE TABLE decisions (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	outcome TEXT NOT NULL,
	reasons {{json}} NOT NULL,
	rule TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	note {{blob}},
	report_id TEXT NOT NULL,
	report_digest TEXT NOT NULL,
	decided_at {{ts}} NOT NULL
);

CREATE INDEX decisions_by_session ON decisions (session_id);

CREATE TABLE policy_facts (
	decision_id TEXT NOT NULL PRIMARY KEY,
	mode TEXT NOT NULL,
	workflow_version_id TEXT NOT NULL,
	outcome TEXT NOT NULL,
	age_band TEXT NOT NULL,
	country TEXT NOT NULL,
	document_kind TEXT NOT NULL,
	reasons {{json}} NOT NULL,
	scores {{json}} NOT NULL,
	decided_at {{ts}} NOT NULL
);

CREATE TABLE consents (
	id TEXT NOT NULL PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (id),
	given BOOLEAN NOT NULL,
	text_version TEXT NOT NULL,
	locale TEXT NOT NULL,
	address TEXT NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE TABLE events (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL,
	type TEXT NOT NULL,
	actor TEXT NOT NULL,
	payload {{json}} NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE INDEX events_by_session ON events (session_id, seq);

CREATE TABLE audit_entries (
	id TEXT NOT NULL PRIMARY KEY,
	position BIGINT UNIQUE,
	created_at {{ts}} NOT NULL,
	actor TEXT NOT NULL,
	actor_id TEXT NOT NULL,
	address TEXT NOT NULL,
	action TEXT NOT NULL,
	session_id TEXT NOT NULL,
	subject TEXT NOT NULL,
	before_digest TEXT NOT NULL,
	after_digest TEXT NOT NULL
);

CREATE INDEX audit_entries_by_session ON audit_entries (session_id);

CREATE TABLE audit_hashes (
	idx BIGINT NOT NULL PRIMARY KEY,
	hash {{blob}} NOT NULL
);

CREATE TABLE audit_checkpoints (
	size BIGINT NOT NULL PRIMARY KEY,
	root {{blob}} NOT NULL,
	signature {{blob}} NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE TABLE locks (
	name TEXT NOT NULL PRIMARY KEY,
	taken BIGINT NOT NULL
);

INSERT INTO locks (name, taken) VALUES ('audit', 0);

CREATE TABLE api_keys (
	id TEXT NOT NULL PRIMARY KEY,
	name TEXT NOT NULL,
	mode TEXT NOT NULL,
	scopes {{json}} NOT NULL,
	prefix TEXT NOT NULL,
	hash TEXT NOT NULL UNIQUE,
	created_at {{ts}} NOT NULL,
	last_used_at {{ts}},
	expires_at {{ts}},
	revoked_at {{ts}}
);

CREATE TABLE users (
	id TEXT NOT NULL PRIMARY KEY,
	email_digest TEXT NOT NULL UNIQUE,
	personal {{blob}} NOT NULL,
	password_hash TEXT NOT NULL,
	roles {{json}} NOT NULL,
	created_at {{ts}} NOT NULL,
	last_login_at {{ts}},
	disabled_at {{ts}}
);

CREATE TABLE console_sessions (
	token TEXT NOT NULL PRIMARY KEY,
	data {{blob}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

CREATE TABLE idempotency_keys (
	id TEXT NOT NULL PRIMARY KEY,
	request_digest TEXT NOT NULL,
	sealed {{blob}},
	claimed_at {{ts}} NOT NULL,
	expires_at {{ts}} NOT NULL
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

CREATE TABLE setup_tokens (
	name TEXT NOT NULL PRIMARY KEY,
	hash TEXT NOT NULL,
	expires_at {{ts}} NOT NULL
);
