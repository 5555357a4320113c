-- What applicants say: which country issued their document, and that they decline biometrics where a workflow leads on without
-- them; and what each answer to the consent page was about.

ALTER TABLE sessions ADD COLUMN chosen_country TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN face_declined BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE consents ADD COLUMN about TEXT NOT NULL DEFAULT '';
