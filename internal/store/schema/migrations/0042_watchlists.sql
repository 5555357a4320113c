-- Watchlists: lists, their versions, and the entries of each version in packed chunks. What publishers publish; nothing of who was
-- searched for.

CREATE TABLE watchlists (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL,
	topics TEXT NOT NULL,
	licence TEXT NOT NULL,
	source TEXT NOT NULL,
	every_s BIGINT NOT NULL,
	max_age_s BIGINT NOT NULL,
	look_first BOOLEAN NOT NULL,
	disabled BOOLEAN NOT NULL,
	created_by TEXT NOT NULL,
	created_at {{ts}} NOT NULL,
	next_at {{ts}},
	tried_at {{ts}},
	checked_at {{ts}},
	fault TEXT NOT NULL,
	fails INTEGER NOT NULL,
	etag TEXT NOT NULL,
	last_modified TEXT NOT NULL
);

CREATE TABLE watchlist_versions (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	watchlist_id TEXT NOT NULL REFERENCES watchlists (id),
	state TEXT NOT NULL,
	why TEXT NOT NULL,
	format TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	bytes BIGINT NOT NULL,
	published_at {{ts}},
	entities BIGINT NOT NULL,
	persons BIGINT NOT NULL,
	names BIGINT NOT NULL,
	rejected BIGINT NOT NULL,
	added BIGINT NOT NULL,
	changed BIGINT NOT NULL,
	removed BIGINT NOT NULL,
	came_by TEXT NOT NULL,
	added_by TEXT NOT NULL,
	added_at {{ts}} NOT NULL,
	activated_by TEXT NOT NULL,
	activated_at {{ts}},
	beat_at {{ts}} NOT NULL
);

CREATE UNIQUE INDEX watchlist_versions_one_active ON watchlist_versions (watchlist_id) WHERE state = 'active';

CREATE INDEX watchlist_versions_by_list ON watchlist_versions (watchlist_id, seq);

CREATE TABLE watchlist_chunks (
	version_id TEXT NOT NULL,
	place INTEGER NOT NULL,
	packed {{blob}} NOT NULL,
	PRIMARY KEY (version_id, place)
);

INSERT INTO locks (name, taken) VALUES ('watchlists', 0);
