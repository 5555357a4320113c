package sessions

import (
	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// The verdict of a session's newest decision, in SQL: as idv.Session.Verdict.
const (
	approvedSQL = "((s.state = 'approved' AND s.outcome <> 'declined') OR (s.state = 'declined' AND s.outcome = 'approved'))"
	declinedSQL = "((s.state = 'declined' AND s.outcome <> 'approved') OR (s.state = 'approved' AND s.outcome = 'declined'))"
)

// verdictsSQL is the condition of each verdict.
var verdictsSQL = map[session.BarVerdict]string{
	session.BarApproved: approvedSQL, session.BarDeclined: declinedSQL, session.BarDecided: "s.state IN ('approved', 'declined')",
	session.BarInReview: "s.state = 'in_review'", session.BarOther: "s.state NOT IN ('approved', 'declined', 'in_review')",
}

// reachedSQL is the condition of having come so far.
var reachedSQL = map[session.BarReached]string{
	session.BarOpened: "s.opened_at IS NOT NULL", session.BarSubmitted: "s.submitted_at IS NOT NULL",
}

// unknownSQL is the condition of not being known.
var unknownSQL = map[session.BarColumn]string{
	session.BarCountry: "s.country = ''", session.BarKind: "s.document_kind = ''", session.BarDevice: "s.device = ''",
	session.BarFaceModel: "s.face_model = ''", session.BarSource: "s.capture_source = ''",
}

// narrowToBar adds a bar of the figures to a query on the sessions s.
func narrowToBar(q *bun.SelectQuery, b session.Bar) *bun.SelectQuery {
	for _, condition := range []string{verdictsSQL[b.Verdict], reachedSQL[b.Reached], unknownSQL[b.Unknown]} {
		if condition != "" {
			q = q.Where(condition)
		}
	}
	if b.Automatic {
		q = q.Where("s.automatic AND s.state IN ('approved', 'declined')")
	}
	if b.Version > 0 {
		q = q.Where("s.workflow_version_id IN (SELECT v.id FROM workflow_versions AS v WHERE v.number = ?)", b.Version)
	}
	for column, value := range map[string]string{"device": string(b.Device), "face_model": b.FaceModel, "capture_source": string(b.Source)} {
		if value != "" {
			q = q.Where("? = ?", bun.Ident("s."+column), value)
		}
	}
	if b.Left == "" {
		return q
	}
	q = q.Where("s.opened_at IS NOT NULL AND s.submitted_at IS NULL AND s.state IN (?)", bun.List([]string{string(idv.Expired), string(idv.Cancelled)}))
	if b.Left == session.UnknownStep {
		return q.Where("s.due_step NOT IN (?)", bun.List(nonEmpty(idv.FlowSteps()...)))
	}
	return q.Where("s.due_step = ?", b.Left)
}
