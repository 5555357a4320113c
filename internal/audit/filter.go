package audit

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Filter narrows the log. Zero values narrow nothing.
type Filter struct {
	Actor    ActorKind
	ActorID  string
	Action   string
	About    string // id of a session, or of the thing an entry is about
	From, To time.Time
	Limit    int
	After    idv.AuditID // the last of the page before: older ones follow
}
