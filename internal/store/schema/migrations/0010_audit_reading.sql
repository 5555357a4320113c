-- Reading the audit log: newest first, by who, what and about what, a page at a time. Ids sort by time.

CREATE INDEX audit_entries_by_actor ON audit_entries (actor, id);

CREATE INDEX audit_entries_by_actor_id ON audit_entries (actor_id, id);

CREATE INDEX audit_entries_by_action ON audit_entries (action, id);

CREATE INDEX audit_entries_by_subject ON audit_entries (subject, id);

CREATE INDEX audit_entries_of_session ON audit_entries (session_id, id);

DROP INDEX audit_entries_by_session;
