-- Where a picture came from, as the applicant's page says: the camera or a file; empty where it did not say.

ALTER TABLE captures ADD COLUMN source TEXT NOT NULL DEFAULT '';
