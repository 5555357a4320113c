package backup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// DataTables are the tables of a backup's data, each after those that it refers to.
var DataTables = []string{
	"settings", "users", "invitations", "api_keys", "saved_views", "workflows", "workflow_versions", "version_marks", "logos", "trust_updates",
	"watchlists", "watchlist_versions", "watchlist_chunks",
	"sessions", "session_reasons", "blind_indexes", "attempts", "captures", "artifacts", "claims", "checks", "reports", "decisions", "policy_facts",
	"cases", "reviews", "quality_reviews", "case_assignment", "absences", "screening_hits", "screening_subjects", "screening_runs", "seen_marks", "seen_links",
	"seen_decisions",
	"block_entries", "block_digests", "consents",
	"challenges", "chip_challenges", "wallet_requests",
	"handoffs", "tabs", "frame_marks", "uploads", "upload_parts", "legal_holds", "events", "audit_entries", "audit_hashes", "audit_checkpoints",
	"webhook_endpoints", "webhook_deliveries", "webhook_tries", "idempotency_keys", "request_log",
}

// KeyTables are the tables of a backup's keys: what opens the data, and what was erased.
var KeyTables = []string{"keysets", "erasures"}

// leftOut are the tables that no backup holds, and why.
var leftOut = map[string]string{
	"console_sessions": "who is signed in signs in again",
	"mails":            "sent already, or asked for again: a restored server must not mail what is long past",
	"resume_codes":     "asked for again",
	"password_resets":  "asked for again",
	"notices":          "members are told again of what is still so",
	"chip_relays":      "no app is connected to a restored server",
	"ceremonies":       "questions to a browser that nobody answers any more",
	"sign_in_attempts": "counted anew",
	"setup_tokens":     "the server draws another",
	"locks":            "rows that migrations make",
	"health":           "found out anew",
	"figure_days":      "counted again from the sessions",
	"call_grants":      "counted anew, within minutes",
	"gallery_entries":  "who took the consent back since must not come back: a restored server fills its galleries anew",
	"gallery_removals": "for servers that have the faces in memory",
	"schema_versions":  "kept by migrations",
}

// LeavesOut reports whether no backup holds a table.
func LeavesOut(table string) bool {
	_, named := leftOut[table]
	return named || strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "sqlite_") // jobs are made anew by the sweeps
}

// column is a column as a backup reads it.
type column struct {
	Name     string `bun:"name"`
	JSON     bool   `bun:"json"`     // has to be read as text
	Bool     bool   `bun:"bool"`     // SQLite answers a number
	Identity bool   `bun:"identity"` // counts by itself, and has to be told how far it is
}

// ColumnsOf lists the columns of a table by name; none where there is no such table.
func (s *Backups) ColumnsOf(ctx context.Context, db bun.IDB, table string) ([]column, error) {
	q := "SELECT name, 0 AS json, type = 'BOOLEAN' AS bool, 0 AS identity FROM pragma_table_info(?) ORDER BY name"
	if s.db.Pool != nil {
		q = `SELECT attname AS name, atttypid = 'jsonb'::regtype AS json, atttypid = 'boolean'::regtype AS bool, attidentity <> '' AS identity FROM pg_attribute
			WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.' || quote_ident(?)) AND attnum > 0 AND NOT attisdropped ORDER BY attname`
	}
	var out []column
	if err := db.NewRaw(q, table).Scan(ctx, &out); err != nil {
		return nil, fmt.Errorf("read the columns of %s: %w", table, err)
	}
	slices.SortFunc(out, func(a, b column) int { return strings.Compare(a.Name, b.Name) }) // collations differ
	return out, nil
}

// allTables lists the tables of the database.
func (s *Backups) allTables(ctx context.Context, db bun.IDB) ([]string, error) {
	q := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
	if s.db.Pool != nil {
		q = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
	}
	var out []string
	if err := db.NewRaw(q).Scan(ctx, &out); err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	slices.Sort(out)
	return out, nil
}

// NamesOf returns the names of columns.
func NamesOf(columns []column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}
