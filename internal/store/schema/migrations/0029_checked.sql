-- Whether the applicant heard what the reading of a picture says before the next step. Pictures from before have nothing more to say.

ALTER TABLE captures ADD COLUMN checked BOOLEAN NOT NULL DEFAULT TRUE;
