-- A fact of a document as a reviewer corrected it, sealed: its name, what it was, what it is. NULL in reviews of other kinds.

ALTER TABLE reviews ADD COLUMN correction {{blob}};
