-- Faces of applicants who agreed that theirs is compared with those of others. A code is sealed under the key of its gallery and, around
-- that, the session's key of pictures. Erasing deletes it; which number is gone is noted for a day, so that every server overwrites
-- what it has of it in memory.

CREATE TABLE gallery_entries (
	seq {{serial}},
	gallery TEXT NOT NULL,
	session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id),
	model TEXT NOT NULL,
	code TEXT NOT NULL,
	kept_until {{ts}} NOT NULL,
	created_at {{ts}} NOT NULL
);

CREATE INDEX gallery_entries_by_gallery ON gallery_entries (gallery, seq);

CREATE INDEX gallery_entries_by_end ON gallery_entries (kept_until);

CREATE TABLE gallery_removals (
	seq {{serial}},
	gallery TEXT NOT NULL,
	entry BIGINT NOT NULL,
	removed_at {{ts}} NOT NULL
);

INSERT INTO locks (name, taken) VALUES ('gallery', 0);
