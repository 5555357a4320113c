package account

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Notice is something that a member can ask to be told of by mail.
type Notice string

// The notices.
const (
	NoticeCasesLate      Notice = "cases.late"       // cases that passed their target
	NoticeWebhookStopped Notice = "webhooks.stopped" // an endpoint that answered 410 Gone
	NoticeBackupFailed   Notice = "backups.failed"   // a backup that failed, or none for a week
)

// Notices returns every notice.
func Notices() []Notice { return []Notice{NoticeCasesLate, NoticeWebhookStopped, NoticeBackupFailed} }

// needs says what a member has to be allowed to see to be told of it.
var needs = map[Notice]Permission{
	NoticeCasesLate: CasesRead, NoticeWebhookStopped: WebhooksRead, NoticeBackupFailed: SystemRead,
}

// NoticesFor returns the notices that somebody with those roles can ask for.
func NoticesFor(roles []Role) []Notice {
	out := []Notice{}
	for _, n := range Notices() {
		if May(roles, needs[n], idv.Live) {
			out = append(out, n)
		}
	}
	return out
}

// Wants reports whether to send a member the notice n: the member chose it, can sign in, and still has a role that may see it.
func (u User) Wants(n Notice) bool {
	return u.DisabledAt.IsZero() && slices.Contains(u.Notices, n) && slices.Contains(NoticesFor(u.Roles), n)
}
