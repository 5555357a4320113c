package erasing

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/session"
)

// Fate says what erasing does with one place where something of a session is kept. The table of fates is what erasing runs,
// what docs/reference/erasing.md is written from, and what a test compares with every column of the schema.
type Fate struct {
	Table    string            // of the database; empty for what is not kept in a table
	Place    string            // where it is, in words, if it is not in a table
	Holds    string            // what is there
	All      string            // what happens when everything is erased
	Pictures string            // what happens when only the pictures are; empty for nothing
	Ground   string            // why what stays stays, or why removing is enough
	Keeps    []string          // columns that stay as they are when everything is erased
	Sets     map[string]string // columns that lose their value when everything is erased, and the SQL that is there afterwards
	of       string            // condition that finds the session's rows, where they have no session_id
	all      strike
	pictures strike
}

// strike is how a fate is carried out.
type strike int

// The strikes.
const (
	leave  strike = iota // nothing, or more than one statement: see the code of Strike
	remove               // the session's rows are deleted
	reduce               // the columns of Sets lose their value
	faces                // the rows about the session's face are deleted
)

// ofEither finds the rows of a session that are about two.
const ofEither = "? IN (session_id, other_id)"

// Words of the table.
const (
	gone  = "deleted"
	stays = "stays"
)

// Fates is what erasing does, place by place.
func Fates() []Fate {
	return slices.Concat(evidenceTables(), recordTables(), seenTables(), processTables(), places())
}

// evidenceTables are the fates of sessions and of what was sent and found.
func evidenceTables() []Fate {
	return []Fate{
		{Table: "keysets", Holds: "the two keysets of the session: pictures and templates; facts", All: "destroyed: the wrapped key is overwritten and gone",
			Pictures: "the one for pictures is destroyed", Ground: "destroying a key erases whatever was sealed with it, wherever a copy of it lies; that and " +
				"when it was destroyed stays",
			Keeps: []string{"owner", "purpose", "master", "created_at", "destroyed_at"}, Sets: map[string]string{"wrapped": "NULL"}},
		{Table: "sessions", Holds: "the session: reference, metadata, claimed facts and return address (sealed), state, outcome, times, and for statistics " +
			"the sort of device, the issuing state, the model and where captures came from",
			All:    "reduced: no sealed facts, no link, no token, no language",
			Ground: "that a session took place, how it ended and when is the record of a decision; nothing that is left says of whom",
			Keeps: []string{"id", "mode", "workflow_version_id", "state", "outcome", "problem_code", "problem_step", "document_kind", "chosen_country", "consented",
				"face_declined", "liveness",
				"redo", "attempts", "link_used", "created_at", "link_expires_at", "expires_at", "opened_at", "submitted_at", "decided_at", "created_by", "reopened_at",
				"persona", "persona_acts",
				"pictures_erased_at", "erased_at", "held_at", "touched_at", "sweeps", "version", "workflow_id", "country",
				"device", "face_model", "automatic", "due_step", "waited_s", "capture_source",
				"follows", "followed_by", "spent", "wallet"},
			Sets: map[string]string{"personal": "NULL", "link_hash": "'erased ' || id", "token_hash": "NULL", "locale": "''"}, of: "id = ?", all: reduce},
		{Table: "session_reasons", Holds: "codes of the reasons of the newest decision", All: stays,
			Ground: "codes of the catalogue, of which the statistics are made",
			Keeps:  []string{"session_id", "code"}},
		{Table: "blind_indexes", Holds: "keyed digests by which a reference, a pair of the metadata, a name or a number is found", All: gone, all: remove,
			Ground: "their key is the deployment's and is not destroyed, so the rows are"},
		{Table: "attempts", Holds: "tries at steps, with the SHA-256 of what was sent", All: gone, all: remove, Pictures: "the digests are removed", pictures: reduce,
			Sets: map[string]string{"sha256": "''"}, Ground: "the digest of a picture confirms the picture to whoever has it"},
		{Table: "captures", Holds: "the pictures, chip files and wallet answers that were sent: when, for which step, and their SHA-256", All: gone, all: remove,
			Pictures: "the digests and stated media types are removed",
			pictures: reduce, Sets: map[string]string{"sha256": "''", "media_type": "''"},
			Ground: "the digest of a picture confirms the picture to whoever has it; what a browser states is not needed any more"},
		{Table: "artifacts", Holds: "what was found in pictures: templates, crops, tracks, rows of zones (sealed)", All: gone, all: remove,
			Pictures: "templates and what goes with them, and digests of inputs, are removed", Ground: "sealed with the session's keys, and removed besides"},
		{Table: "claims", Holds: "facts and where they were read (sealed)", All: gone, all: remove, Ground: "sealed with the session's keys, and removed besides"},
		{Table: "checks", Holds: "checks and what they found (sealed)", All: gone, all: remove, Ground: "scores and reasons of the decision stay in policy_facts"},
		{Table: "reports", Holds: "reports (sealed) and their SHA-256", All: gone, all: remove,
			Ground: "the digest of a report confirms its facts to whoever guesses them all"},
	}
}

// recordTables are the fates of what was decided and recorded.
func recordTables() []Fate {
	return []Fate{
		{Table: "decisions", Holds: "outcome, reasons, assurance level, who decided, when; a note (sealed); the digest of the report",
			All: "reduced: no note, no digest of the report", all: reduce,
			Sets:   map[string]string{"note": "NULL", "report_digest": "''"},
			Keeps:  []string{"seq", "id", "session_id", "outcome", "reasons", "rule", "decided_by", "report_id", "decided_at", "assurance"},
			Ground: "that a decision was taken, by whom and for which reasons has to be shown for as long as the audit log is kept"},
		{Table: "cases", Holds: "that a person had to decide, who did, for which reasons, when; the digest of the report",
			All: "reduced: no digest of the report", all: reduce,
			Sets: map[string]string{"report_digest": "''"}, Keeps: []string{"id", "session_id", "mode", "workflow_version_id", "state", "reasons", "assignee",
				"claimed_until",
				"approved_by", "opened_at", "due_at", "closed_at", "version"}, Ground: "as with decisions"},
		{Table: "reviews", Holds: "what each person said about a case: decision and reasons; a note, and a fact that was corrected (sealed); the digest of the " +
			"report",
			All: "reduced: no note, no corrected fact, no digest of the report", all: reduce,
			Sets: map[string]string{"note": "NULL", "correction": "NULL", "report_digest": "''"},
			Keeps: []string{
				"seq", "id", "case_id", "session_id", "user_id", "kind", "reasons", "step", "created_at",
			},
			Ground: "as with decisions"},
		{Table: "quality_reviews", Holds: "that an approval was drawn for a second look, who took it and what they found; a note (sealed)",
			All: "reduced: no note", all: reduce, Sets: map[string]string{"note": "NULL"},
			Keeps: []string{
				"session_id", "mode", "workflow_version_id", "decision_id", "decided_by", "drawn_at", "reviewed_by", "verdict", "reasons", "reviewed_at",
			},
			Ground: "as with decisions"},
		{Table: "policy_facts", Holds: "for each decision: age band, issuing state, kind of document, what each check answered, reasons, scores, tries, " +
			"workflow version, and where it asks country and kind of the network", All: stays,
			Ground: "what statistics and the simulation of new rules need. Nothing in it identifies; through the decision it belongs to a session id, whose " +
				"person nothing here tells any more",
			Keeps: []string{"decision_id", "mode", "workflow_version_id", "outcome", "age_band", "country", "document_kind", "reasons", "scores", "decided_at",
				"evidence"}},
		{Table: "consents", Holds: "that consent was given or declined, when, to what and to which text, in which language; the shortened address",
			All: "reduced: no address", all: reduce,
			Sets: map[string]string{"address": "''"}, Keeps: []string{"id", "session_id", "given", "about", "text_version", "locale", "created_at"},
			Ground: "whoever processes has to show that consent was given (GDPR Art. 7 (1))"},
		{Table: "events", Holds: "what happened when: ids, codes, outcomes", All: stays,
			Ground: "holds nothing personal; it is what the timeline of an erased session shows",
			Keeps:  []string{"seq", "id", "session_id", "type", "actor", "payload", "created_at", "mode", "position"}},
		{Table: "audit_entries", Holds: "who did what when, from which shortened address; keyed digests of before and after", All: stays,
			Ground: "the log is proof only while nothing can be taken out of it unseen. Its digests are keyed by the session's facts key: with it they lose all " +
				"meaning. By time an entry goes after seven years (or what the deployment settled); its hash stays, so that the rest can still be proven, and the " +
				"log says which went",
			Keeps: []string{"id", "position", "created_at", "actor", "actor_id", "address", "action", "session_id", "subject", "before_digest", "after_digest"}},
	}
}

// seenTables are the fates of who else the person may be, and of what sessions have in common.
func seenTables() []Fate {
	return []Fate{
		{Table: "screening_hits", Holds: "which entries of watchlists may be the person, what of them agrees and what was decided (sealed, but for the " +
			"entry's id)", All: gone, all: remove,
			Ground: "that a person was taken for somebody who is listed is personal in itself; that there was a hit, and how it was decided, stays in the " +
				"reasons of the decision and the audit log"},
		{Table: "screening_subjects", Holds: "who is screened again as watchlists change: names, birth, numbers (sealed)", All: gone, all: remove,
			Ground: "sealed with the session's key, and removed besides: nobody is screened who was erased"},
		{Table: "seen_marks", Holds: "keyed digests by which a session is found again: document, person, reference, e-mail address; for a day, its " +
			"network. Of the network from which it was opened, in clear: country, number of the system, whether it is a data centre's or anonymous",
			All: gone, all: remove, Ground: "their key is the deployment's and is not destroyed, so the rows are. Those of networks go after a day in any case, " +
				"with the key of the day"},
		{Table: "seen_links", Holds: "which other sessions have something in common with this one, and what", All: gone, all: remove,
			of: ofEither, Ground: "of the other session's report it stays that it was compared with one that is erased since"},
		{Table: "seen_decisions", Holds: "what reviewers said of this session and another one that has something in common with it: whether they are of " +
			"one person, who said so and why; a note (sealed under the keys of both)", All: gone, all: remove, of: ofEither,
			Ground: "that two sessions were taken for one person is personal in itself; that it was decided, and by whom, stays in the audit log"},
		{Table: "gallery_entries", Holds: "the face of an applicant who agreed to be compared with others, turned and sealed under the key of the gallery " +
			"and the session's key of pictures", All: gone, all: remove, Pictures: gone, pictures: remove,
			Ground: "the session's key is destroyed, and the row removed besides. The receipt is finished only after the server has overwritten the face in " +
				"its memory; further servers do so within half a minute"},
		{Table: "block_entries", Holds: "entries of the block list that were made from the session: kind, reason code, who added, confirmed and removed " +
			"them, and until when they hold; of an address its range, of a face its gallery", All: "about its face: deleted; others reduced: no session",
			all: reduce, of: "from_session = ?", Pictures: "those about its face are deleted", pictures: faces,
			Sets: map[string]string{"from_session": "''"},
			Keeps: []string{"seq", "id", "mode", "kind", "declines", "reason", "hint", "valid_until", "added_by", "added_at", "confirmed_by", "confirmed_at",
				"removed_by", "removed_at"},
			Ground: "an entry about a face is compared by what the gallery keeps of it, and goes with that. Any other has an end of its own, and what it is " +
				"about is kept as a keyed digest that goes with it. Nothing that is left says from whose session it " +
				"was made; a person who has to be forgotten altogether takes removing the entry, too"},
	}
}

// processTables are the fates of what is needed while something is under way.
func processTables() []Fate {
	return []Fate{
		{Table: "challenges", Holds: "liveness challenges and their times", All: gone, all: remove, Ground: "only their answers needed them"},
		{Table: "chip_challenges", Holds: "challenges to chips and their times", All: gone, all: remove, Ground: "only their answers needed them"},
		{Table: "chip_relays", Holds: "while an app is connected: which file of the chip is read, and how far", All: gone, all: remove,
			Ground: "only a page that shows it needs it"},
		{Table: "wallet_requests", Holds: "requests to wallets, with the keys of their answers, and answers that wait for their browser (sealed); hashes of " +
			"their secrets, their times, and the code of what went wrong", All: gone, all: remove, Pictures: "the sealed part is removed", pictures: reduce,
			Sets: map[string]string{"sealed": "NULL"}, Ground: "only their answers needed them"},
		{Table: "handoffs", Holds: "that the session went from one browser to another; hashes of links and tokens", All: gone, all: remove,
			Ground: "only an applicant under way needs them"},
		{Table: "tabs", Holds: "which tabs had the session and since when; hashes of their tokens, and of the keys of their browsers", All: gone, all: remove,
			Ground: "as with hand-offs"},
		{Table: "resume_codes", Holds: "that a code was mailed to continue in another browser: its keyed digest, tries and times", All: gone, all: remove,
			Ground: "only an applicant under way needs it"},
		{Table: "mails", Holds: "mails to the applicant: kind, times, what became of them; until then the address and what it says (sealed)", All: gone,
			all: remove, Ground: "sealed with the session's keys, and removed besides"},
		{Table: "upload_parts", Holds: "the parts: their lengths and the names of their blobs", All: gone, all: remove, Pictures: gone, pictures: remove,
			Ground: "only an applicant under way needs them; what they hold is deleted within an hour in any case"},
		{Table: "uploads", Holds: "that something is being sent in parts, and how much of it is there", All: gone, all: remove, Pictures: gone, pictures: remove,
			Ground: "as with their parts"},
		{Table: "frame_marks", Holds: "keyed marks by which a recording is found again", All: gone, all: remove, Pictures: gone, pictures: remove,
			Ground: "their key is the deployment's and is not destroyed, so the rows are"},
		{Table: "idempotency_keys", Holds: "answers of calls made with an Idempotency-Key (sealed with the caller's own credential, for 24 hours)", All: gone,
			all:    remove,
			Ground: "an answer may repeat what was claimed"},
		{Table: "webhook_deliveries", Holds: "which event was or will be sent where; until it was, which trace caused it", All: "reduced: no trace", all: reduce,
			of: "trace_parent IS NOT NULL AND session_id = ?", Sets: map[string]string{"trace_parent": "NULL"},
			Keeps:  []string{"id", "endpoint_id", "event_id", "event_type", "session_id", "state", "attempt", "next_at", "created_at", "ended_at"},
			Ground: "session.erased itself has to be delivered, with the trace of the erasing until then; what is sent holds nothing personal"},
		{Table: "webhook_tries", Holds: "when a delivery was tried; the beginning of the receiver's answer (sealed)", All: "reduced: no answer", all: reduce,
			of: "delivery_id IN (SELECT id FROM webhook_deliveries WHERE session_id = ?)", Sets: map[string]string{"excerpt": "NULL"},
			Keeps:  []string{"seq", "delivery_id", "tried_at", "status", "took_ns", "fault"},
			Ground: "a receiver may have answered with anything; the rest goes with the delivery log"},
		{Table: "erasures", Holds: "statement of this erasing", All: stays, Ground: "the receipt; while it is under way also short pieces of the wrapped " +
			"keys, to look for them in the database's files",
			Keeps: []string{"session_id", "scope", "statement", "erased_at", "finished_at", "traces"}},
		{Table: "legal_holds", Holds: "holds that were set and lifted; their reason (sealed)", All: "reduced: no reason", all: reduce,
			Sets:  map[string]string{"reason": "NULL"},
			Keeps: []string{"seq", "session_id", "set_by", "set_at", "lifted_by", "lifted_at"}, Ground: "who kept data from being erased, and when"},
		{Table: "river_job", Holds: "jobs of the session: ids, and errors if there were any", All: "deleted, all but the one that finishes the erasing",
			Ground: "they would find nothing"},
	}
}

// places are the fates of what lies elsewhere.
func places() []Fate {
	return []Fate{
		{Place: "blobs, on the file system or in S3", Holds: "pictures, runs of frames, files of chips, answers of wallets, parts of them and crops (sealed)",
			All: gone, Pictures: gone,
			Ground: "the key is destroyed first: a blob that a crash or a versioned bucket leaves behind cannot be opened by anybody"},
		{Place: "the files of SQLite", Holds: "freed pages and the write-ahead log",
			All: "freed content is overwritten (secure_delete), the log is written back and cut to nothing, the files are searched for pieces of the destroyed " +
				"keys, and rewritten (VACUUM) if any is found",
			Pictures: "the same", Ground: "the receipt is finished only after that. What a file system or an SSD keeps of overwritten blocks is beyond a " +
				"program's reach; it is sealed, and its keys are wrapped by the master key"},
		{Place: "the files of PostgreSQL", Holds: "dead rows, write-ahead log, replicas", All: "the tables are vacuumed, so that dead rows give up their space",
			Pictures: "the same", Ground: "PostgreSQL overwrites that space when it needs it, and keeps its log until it is recycled or archived: until then a " +
				"wrapped key may lie there. Without the master key it opens nothing. There is no rotation of the master key: whoever must exclude even that gives " +
				"the log and its archive an end, and rewrites the tables (VACUUM FULL) on a disk that is encrypted or discarded"},
		{Place: "logs, /metrics, spool and runtime directory", Holds: "ids, codes and times; the runtime directory holds the ML library alone. Uploads are " +
			"read in memory and never spooled", All: stays, Ground: "nothing personal gets there"},
		{Place: "backups made by bonafide backup", Holds: "what was there when they were made: data in one archive, the keysets of sessions in another, both " +
			"encrypted to the operator", All: "the archives stay; a restore with keysets of after the erasing erases again: the keys are not there, rows are " +
			"reduced, blobs are not written",
			Pictures: "the same", Ground: "data without its keyset is erased. Archives of keysets are deleted within the time that erasing may take (30 days or " +
				"less); only the newest is ever needed. What the session's keys do not cover (digests, shortened addresses) lies in the archive of data until that " +
				"is deleted. " +
				"What was deleted because an applicant took back the consent to biometrics (pictures, crops and templates of a face) has no key of its own to " +
				"destroy: a restore of an older archive brings it back, counts the unfinished sessions in which there is one and says what to do"},
		{Place: "other copies of database and blobs", Holds: "what was there when they were made", All: stays,
			Ground: "out of this program's reach: give them an end"},
		{Place: "systems of others", Holds: "what was fetched through the API, exported or seen", All: stays,
			Ground: "the event session.erased tells them to do the same"},
	}
}

// apart are the tables that hold nothing of applicants, and what they hold.
var apart = map[string]string{
	"workflows": "workflows", "workflow_versions": "their versions", "version_marks": "who changed them when",
	"logos": "logos that workflow versions name: the operator's, nothing of an applicant", "audit_hashes": "hashes of the log",
	"audit_checkpoints": "signed sizes and roots of the log",
	"watchlists":        "watchlists: where they come from and on which terms", "watchlist_versions": "their versions",
	"block_digests":    "keyed digests of what is on the block list, which go with their entry",
	"watchlist_chunks": "what publishers list; who was searched for is not in it", "screening_runs": "how many people a run screened",
	"trust_updates": "certificates of states and issuers, lists of them, and which members accepted them",
	"health":        "what was last found out about the storage", "locks": "locks", "api_keys": "API keys, hashed", "users": "members",
	"invitations": "invitations that are open", "console_sessions": "who is signed in",
	"ceremonies": "challenges to members' browsers that wait for an answer (sealed)", "setup_tokens": "the setup token, hashed",
	"settings": "settings", "saved_views": "views of the list that members saved: names and filters, never what identifies an applicant",
	"case_assignment": "whether cases are given to reviewers without their asking", "absences": "which members are away",
	"webhook_endpoints": "endpoints (sealed)", "schema_versions": "the schema's version",
	"gallery_removals": "numbers of faces that were removed from galleries, and when; for a day",
	"figure_days": "sums of each day: how many sessions are alike in what their rows keep for statistics. They name no session and hold nothing that the " +
		"reduced rows do not, and are counted from them again whenever they are removed",
	"password_resets":  "links to reset a member's password, hashed; for an hour",
	"notices":          "which cases, endpoints and backups members were told of by mail: ids; for half a year",
	"sign_in_attempts": "wrong passwords and codes at the console, by keyed digests of members' addresses and networks; for 90 days",
	"call_grants":      "how many calls each caller was granted lately, by a keyed digest of who calls; for minutes",
	"request_log":      "calls by API key: route pattern, status, code and time; no body, no id of a session; for 30 days",
}

// Untouched lists the tables that erasing has nothing to do with.
func Untouched() map[string]string { return apart }

// Removes is how a fate is carried out for a scope.
// Removes reports whether erasing a whole session removes the rows.
func (f Fate) Removes() bool { return f.all == remove }

// covers returns what an erasing of that scope does with the rows.
func (f Fate) covers(scope session.Scope) strike {
	if scope == session.ScopePictures {
		return f.pictures
	}
	return f.all
}
