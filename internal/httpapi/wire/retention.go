package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

// RetentionSetting says how long personal data is kept after a session came to its end, and entries of the audit log after they
// were made.
type RetentionSetting struct {
	PicturesHours int `json:"pictures_hours" minimum:"0" maximum:"2160" doc:"Pictures, templates and what goes with them; 0 for the default"`
	ReportHours   int `json:"report_hours" minimum:"0" maximum:"8760" doc:"Everything else that is personal; 0 for the default"`
	TestHours     int `json:"test_hours" minimum:"0" maximum:"24" doc:"Anything of test sessions; 0 for the default"`
	AuditHours    int `json:"audit_hours" minimum:"0" maximum:"61320"`
}

// RetentionChange is a setting that is to hold. What it does not name stays as it is set: clients that know no more send two.
type RetentionChange struct {
	PicturesHours int  `json:"pictures_hours" minimum:"0" maximum:"2160" doc:"As in the setting"`
	ReportHours   int  `json:"report_hours" minimum:"0" maximum:"8760" doc:"As in the setting"`
	TestHours     *int `json:"test_hours" required:"false" minimum:"0" maximum:"24" doc:"As in the setting; left as it is where it is absent"`
	AuditHours    *int `json:"audit_hours" required:"false" minimum:"0" maximum:"61320" doc:"As in the setting; left as it is where it is absent"`
}

// Retention is the setting beside the defaults, what workflows say of their own, and what the job did and will do.
type Retention struct {
	Set          RetentionSetting   `json:"set"`
	Default      RetentionSetting   `json:"default" doc:"Also the longest that can be set"`
	Least        RetentionSetting   `json:"least" doc:"The shortest that can be set"`
	Workflows    []RetentionVersion `json:"workflows" doc:"Published and retired versions that say something of their own, by name and number"`
	Due          []RetentionDue     `json:"due" doc:"What will be erased soon, by kind; what is held is left out"`
	EveryMinutes int                `json:"every_minutes" doc:"How often the job runs that erases"`
	LastRun      *RetentionRun      `json:"last_run" doc:"Null where it never ran"`
	LastErased   *RetentionRun      `json:"last_erased" doc:"The last run that erased something; null for none"`
	Held         int                `json:"held" doc:"Sessions under a legal hold"`
}

// RetentionVersion is a workflow version that says something of its own.
type RetentionVersion struct {
	ID                idv.WorkflowVersionID `json:"id"`
	Workflow          idv.WorkflowID        `json:"workflow"`
	Name              string                `json:"name"`
	Number            int                   `json:"number"`
	Mode              idv.Mode              `json:"mode"`
	State             idv.WorkflowState     `json:"state" enum:"published,retired"`
	PicturesHours     int                   `json:"pictures_hours" doc:"What the version says; 0 for nothing"`
	ReportHours       int                   `json:"report_hours" doc:"What the version says; 0 for nothing"`
	KeptPicturesHours int                   `json:"kept_pictures_hours" doc:"What holds for its sessions"`
	KeptReportHours   int                   `json:"kept_report_hours" doc:"What holds for its sessions"`
}

// RetentionDue counts what will be erased of one kind: sessions, of the audit log entries.
type RetentionDue struct {
	Kind  retention.Kind `json:"kind" enum:"pictures,report,audit"`
	Next  int            `json:"next" doc:"By the next run; entries of the audit log go once a day"`
	Week  int            `json:"week" doc:"Within seven days, those of the next run among them"`
	Month int            `json:"month" doc:"Within thirty days, likewise"`
}

// RetentionRun is what one run of the job did.
type RetentionRun struct {
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Pictures  int       `json:"pictures" doc:"Sessions whose pictures were erased, and nothing else yet"`
	Sessions  int       `json:"sessions" doc:"Sessions that were erased completely"`
	Entries   int       `json:"entries" doc:"Entries that left the audit log"`
	Failed    bool      `json:"failed" doc:"Something could not be erased, or time was over; the next run goes on"`
}

// RetentionPreview says what a setting would reach.
type RetentionPreview struct {
	Kinds []RetentionSooner `json:"kinds"`
}

// RetentionSooner counts, of one kind, what would go sooner than by the setting of now, and what would be due when.
type RetentionSooner struct {
	Kind   retention.Kind `json:"kind" enum:"pictures,report,audit"`
	Sooner int            `json:"sooner" doc:"Sessions at their end, or entries, that are there and would go sooner"`
	Next   int            `json:"next" doc:"Due by the next run"`
	Week   int            `json:"week" doc:"Due within seven days, those of the next run among them"`
	Month  int            `json:"month" doc:"Due within thirty days, likewise"`
}

// HeldSession is a session under a legal hold.
type HeldSession struct {
	Session       idv.SessionID `json:"session"`
	Mode          idv.Mode      `json:"mode"`
	Reason        string        `json:"reason"`
	SetBy         string        `json:"set_by" doc:"Kind of whoever set it, and their id"`
	Name          string        `json:"name" doc:"Of the member who set it; empty if it was no member, or they are gone"`
	SetAt         time.Time     `json:"set_at"`
	PicturesUntil *time.Time    `json:"pictures_until"`
	ReportUntil   *time.Time    `json:"report_until" doc:"Without the hold everything would be erased then"`
}

// HeldPage is a page of the legal holds that are set, newest session first.
type HeldPage struct {
	Items []HeldSession `json:"items"`
	Next  string        `json:"next" doc:"Cursor of the next page; empty when there is none"`
}

// RetentionVersionOf returns how long a workflow version stores data, by itself and under a setting.
func RetentionVersionOf(w idv.WorkflowVersion, set idv.RetentionSetting) RetentionVersion {
	kept := w.Kept(set)
	return RetentionVersion{
		ID: w.ID, Workflow: w.Workflow, Name: w.Name, Number: w.Number, Mode: w.Mode, State: w.State,
		PicturesHours: hours(w.Retention.Pictures), ReportHours: hours(w.Retention.Report),
		KeptPicturesHours: hours(kept.Pictures), KeptReportHours: hours(kept.Report),
	}
}

// HeldSessionOf returns the wire form of a session under a legal hold; setBy is the name of who set it.
func HeldSessionOf(h session.Held, setBy string) HeldSession {
	return HeldSession{
		Session: h.Session, Mode: h.Mode, Reason: h.Reason, SetBy: h.SetBy, Name: setBy, SetAt: h.SetAt.UTC(),
		PicturesUntil: OptionalTime(h.Keeping.PicturesUntil), ReportUntil: OptionalTime(h.Keeping.ReportUntil),
	}
}

// RetentionSettingOf returns the wire form of a setting, in whole hours.
func RetentionSettingOf(r idv.RetentionSetting) RetentionSetting {
	return RetentionSetting{PicturesHours: hours(r.Pictures), ReportHours: hours(r.Report), TestHours: hours(r.Test), AuditHours: hours(r.Audit)}
}

// Setting returns the setting that r describes.
func (r RetentionSetting) Setting() idv.RetentionSetting {
	return idv.RetentionSetting{
		Retention: idv.Retention{Pictures: span(r.PicturesHours), Report: span(r.ReportHours)}, Test: span(r.TestHours), Audit: span(r.AuditHours),
	}
}

// With returns r with those hours that are not nil.
func (r RetentionSetting) With(pictures, report, test, audit *int) RetentionSetting {
	for field, hours := range map[*int]*int{&r.PicturesHours: pictures, &r.ReportHours: report, &r.TestHours: test, &r.AuditHours: audit} {
		if hours != nil {
			*field = *hours
		}
	}
	return r
}

// Apply returns set with the change.
func (c RetentionChange) Apply(set idv.RetentionSetting) idv.RetentionSetting {
	out := RetentionSettingOf(set).With(&c.PicturesHours, &c.ReportHours, c.TestHours, c.AuditHours).Setting()
	out.Demo = set.Demo
	return out
}

// RetentionRunOf returns the wire form of a run of the job, or nil if it never ran.
func RetentionRunOf(r session.RetentionRun) *RetentionRun {
	if r.StartedAt.IsZero() {
		return nil
	}
	return &RetentionRun{StartedAt: r.StartedAt.UTC(), EndedAt: r.EndedAt.UTC(), Pictures: r.Pictures, Sessions: r.Sessions, Entries: r.Entries, Failed: r.Failed}
}
