-- The block list: keyed digests of documents, people, contacts and address ranges that somebody put on it, why and until when. What an
-- entry is about is not kept in the clear. Entries outlive the session that they were made from, and go when their time is over.

CREATE TABLE block_entries (
	seq {{serial}},
	id TEXT NOT NULL UNIQUE,
	mode TEXT NOT NULL,
	kind TEXT NOT NULL,
	declines BOOLEAN NOT NULL,
	reason TEXT NOT NULL,
	hint TEXT NOT NULL,
	from_session TEXT NOT NULL,
	valid_until {{ts}} NOT NULL,
	added_by TEXT NOT NULL,
	added_at {{ts}} NOT NULL,
	confirmed_by TEXT NOT NULL,
	confirmed_at {{ts}},
	removed_by TEXT NOT NULL,
	removed_at {{ts}}
);

CREATE INDEX block_entries_by_mode ON block_entries (mode, seq);

CREATE TABLE block_digests (
	entry_id TEXT NOT NULL REFERENCES block_entries (id),
	kind TEXT NOT NULL,
	digest TEXT NOT NULL,
	PRIMARY KEY (entry_id, digest)
);

CREATE INDEX block_digests_by_digest ON block_digests (kind, digest);

INSERT INTO locks (name, taken) VALUES ('block_list', 0);
