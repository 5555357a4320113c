-- A session that began with another document after one was declined: which it follows, which follows it, and what the first one used
-- up of the limits that count on.

ALTER TABLE sessions ADD COLUMN follows TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN followed_by TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN spent {{json}} NOT NULL DEFAULT '{}';
