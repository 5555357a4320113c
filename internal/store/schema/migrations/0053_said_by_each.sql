-- What each reviewer said of a hit, and of two sessions that have something in common: who, when, what, why, and the note. The columns beside
-- it hold the last decision alone. Sealed as the notes are, and deleted with the row.
ALTER TABLE screening_hits ADD COLUMN said {{blob}};

ALTER TABLE seen_decisions ADD COLUMN said {{blob}};

-- Decisions are read by their sessions alone.
DROP INDEX seen_decisions_by_mode;
