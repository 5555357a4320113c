-- The assurance level of each decision, what met it and what the next level asks for, as JSON. It is empty for decisions that are
-- older than levels.

ALTER TABLE decisions ADD COLUMN assurance {{json}};
