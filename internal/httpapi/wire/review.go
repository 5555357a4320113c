package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Assigning says whether cases of a mode are given to reviewers without their asking.
type Assigning struct {
	Mode      idv.Mode       `json:"mode"`
	Enabled   bool           `json:"enabled"`
	Most      int            `json:"most" doc:"Cases that one reviewer is given at a time"`
	Away      bool           `json:"away" doc:"Whether the person who asks is away"`
	Reviewers []ReviewerLoad `json:"reviewers" nullable:"false" doc:"Members who may decide, by name; empty for members who may not assign cases to others"`
}

// ReviewerLoad is how much a reviewer has.
type ReviewerLoad struct {
	Member
	Held      int        `json:"held" doc:"Cases of the mode that they have now"`
	AwaySince *time.Time `json:"away_since" doc:"Null for one who is there"`
}

// NewAssigning turns it on or off.
type NewAssigning struct {
	Mode    idv.Mode `json:"mode" enum:"live,test"`
	Enabled bool     `json:"enabled"`
	Most    int      `json:"most" minimum:"1" maximum:"100"`
}

// Presence says whether one is away.
type Presence struct {
	Away bool `json:"away"`
}

// QualityReview is an approval that was drawn for a second look.
type QualityReview struct {
	Session   CaseSession        `json:"session"`
	Workflow  WorkflowRef        `json:"workflow"`
	Outcome   string             `json:"outcome" doc:"Of the newest decision"`
	DecidedBy *Member            `json:"decided_by" doc:"Who approved; null where the policy did"`
	DrawnAt   time.Time          `json:"drawn_at"`
	By        *Member            `json:"by" doc:"Who took the second look; null where nobody has yet"`
	Verdict   idv.QualityVerdict `json:"verdict" enum:"agree,disagree," doc:"Empty until somebody looked"`
	Reasons   []string           `json:"reasons" doc:"With disagree: codes of the catalogue"`
	Note      string             `json:"note" doc:"Gone once the session is erased"`
	At        *time.Time         `json:"at"`
}

// QualityPage is what was drawn for a second look.
type QualityPage struct {
	Items    []QualityReview `json:"items"`
	Waiting  int             `json:"waiting"`
	Agreed   int             `json:"agreed" doc:"In the last 90 days"`
	Disagree int             `json:"disagreed" doc:"In the last 90 days"`
}

// NewFinding is what somebody found at a second look.
type NewFinding struct {
	Verdict idv.QualityVerdict `json:"verdict" enum:"agree,disagree"`
	Reasons []string           `json:"reasons,omitempty" maxItems:"10" doc:"With disagree, at least one"`
	Note    string             `json:"note,omitempty" maxLength:"2000" doc:"For the team; the applicant never sees it"`
}

// ReviewerFigures are the figures of reviewers, and of the policy beside them.
type ReviewerFigures struct {
	Items []ReviewerFigure `json:"items" doc:"By the number of cases; the policy last"`
}

// ReviewerFigure is what one reviewer decided in a span.
type ReviewerFigure struct {
	Who        *Member `json:"who" doc:"Null for the policy: decisions without a reviewer"`
	Approved   int     `json:"approved"`
	Declined   int     `json:"declined"`
	Reopened   int     `json:"reopened" doc:"Asked the applicant for a step again"`
	MedianS    float64 `json:"median_s" doc:"From the opening of the case to what they did, seconds; 0 where they did nothing"`
	Overturned int     `json:"overturned" doc:"Their decisions that somebody changed later"`
	Looked     int     `json:"looked" doc:"Their approvals that got a second look"`
	Disagreed  int     `json:"disagreed" doc:"Of those, where the second look disagreed"`
}

// AssigningOf returns the wire form of how cases are given out, to a member.
func AssigningOf(r review.Roster, who idv.UserID) Assigning {
	out := Assigning{Mode: r.Mode, Enabled: r.Enabled, Most: r.Most, Reviewers: []ReviewerLoad{}}
	if out.Most == 0 {
		out.Most = review.DefaultMostCases
	}
	_, out.Away = r.Away[who]
	return out
}

// QualityReviewOf returns the wire form of a second look. names must hold those of who approved and who looked.
func QualityReviewOf(v review.QualityView, names map[idv.UserID]string) QualityReview {
	q := v.Review
	out := QualityReview{
		Session: caseSessionOf(v.Session, nil), Workflow: WorkflowRefOf(v.Workflow), Outcome: string(v.Session.Outcome), DrawnAt: q.DrawnAt.UTC(),
		By: MemberOf(q.By, names), Verdict: q.Verdict, Reasons: NonNil(q.Reasons), Note: q.Note, At: OptionalTime(q.At),
	}
	if q.DecidedBy != session.ByPolicy {
		out.DecidedBy = MemberOf(idv.UserID(q.DecidedBy), names)
	}
	return out
}

// ReviewerFiguresOf returns the wire form of reviewers' figures.
func ReviewerFiguresOf(rows []insight.ReviewerRow, names map[idv.UserID]string) ReviewerFigures {
	out := ReviewerFigures{Items: []ReviewerFigure{}}
	for _, r := range rows {
		out.Items = append(out.Items, ReviewerFigure{
			Who: MemberOf(r.Reviewer, names), Approved: r.Approved, Declined: r.Declined, Reopened: r.Reopened, MedianS: r.Median.Seconds(),
			Overturned: r.Overturned, Looked: r.Looked, Disagreed: r.Disagreed,
		})
	}
	return out
}

func caseSessionOf(s idv.Session, person session.Name) CaseSession {
	return CaseSession{
		ID: s.ID, State: s.State, ExternalReference: s.ExternalReference, DocumentKind: OptionalText(s.DocumentKind), Person: NonNilMap(person),
		CreatedBy: s.CreatedBy, CreatedAt: s.CreatedAt.UTC(),
	}
}

// StageTimes are how long the parts of a session took.
type StageTimes struct {
	From     time.Time   `json:"from"`
	To       time.Time   `json:"to" doc:"Not part of the span any more"`
	Sessions int         `json:"sessions" doc:"That were timed: the newest submitted ones, at most 1 000"`
	Stages   []StageTime `json:"stages" doc:"In the order of the flow"`
}

// StageTime is how long one part took: decision is from the last picture to the verdict, review from the referral to a person's decision.
type StageTime struct {
	Stage    insight.Stage `json:"stage" enum:"consent,choose,document_front,document_back,selfie,decision,review"`
	Sessions int           `json:"sessions" doc:"In which it happened"`
	P50      float64       `json:"p50_s" doc:"Half took no longer, seconds"`
	P90      float64       `json:"p90_s" doc:"90 in 100 took no longer, seconds"`
}

// StageTimesOf returns the wire form of times.
func StageTimesOf(t insight.StageTimes) StageTimes {
	out := StageTimes{From: t.From.UTC(), To: t.To.UTC(), Sessions: t.Sessions, Stages: []StageTime{}}
	for _, s := range t.Stages {
		out.Stages = append(out.Stages, StageTime{Stage: s.Stage, Sessions: s.Sessions, P50: s.P50.Seconds(), P90: s.P90.Seconds()})
	}
	return out
}
