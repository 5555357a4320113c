-- The lines of a list that could not be read, the first of them, as numbers with spaces between.
ALTER TABLE watchlist_versions ADD COLUMN rejected_rows TEXT NOT NULL DEFAULT '';
