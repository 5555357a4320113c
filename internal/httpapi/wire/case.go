package wire

import (
	"slices"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Member is somebody of the team.
type Member struct {
	ID   idv.UserID `json:"id"`
	Name string     `json:"name" doc:"Empty for somebody who is gone"`
}

// Case is a session that waits, or waited, for a person's decision.
type Case struct {
	ID           idv.CaseID    `json:"id"`
	Mode         idv.Mode      `json:"mode"`
	State        idv.CaseState `json:"state" doc:"open: anybody who may decide can take it; claimed: somebody has it; closed: final"`
	Session      CaseSession   `json:"session"`
	Workflow     WorkflowRef   `json:"workflow"`
	Reasons      []string      `json:"reasons" doc:"Codes for which it was referred"`
	Version      int64         `json:"version" doc:"Send it with a decision: it grows with each review"`
	ReportDigest idv.Digest    `json:"report_digest" doc:"Send it with a decision: of the report that it is about"`
	Assignee     *Member       `json:"assignee" doc:"Who has it; null for nobody"`
	ClaimedUntil *time.Time    `json:"claimed_until" doc:"When the claim ends, unless its holder does something before"`
	TwoPersons   bool          `json:"two_persons" doc:"An approval needs a second person's"`
	NotByCreator bool          `json:"not_by_creator" doc:"Whoever made the session may not decide it"`
	ApprovedBy   *Member       `json:"approved_by" doc:"Whose approval waits for a second person's; null for none"`
	OpenedAt     time.Time     `json:"opened_at"`
	DueAt        time.Time     `json:"due_at" doc:"When it should be decided"`
	ClosedAt     *time.Time    `json:"closed_at"`
}

// CaseSession is what a case says about its session.
type CaseSession struct {
	ID                idv.SessionID            `json:"id"`
	State             idv.SessionState         `json:"state"`
	ExternalReference string                   `json:"external_reference"`
	DocumentKind      *idv.DocumentKind        `json:"document_kind"`
	Person            map[idv.ClaimName]string `json:"person" nullable:"false" doc:"Name, as far as known; empty without the right to reports"`
	CreatedBy         idv.UserID               `json:"created_by" doc:"The member who made it; empty for an API key"`
	CreatedAt         time.Time                `json:"created_at"`
}

// CaseCounts are the sizes of the queue's tabs.
type CaseCounts struct {
	Unclaimed int `json:"unclaimed"`
	Mine      int `json:"mine"`
	All       int `json:"all"`
}

// CasePage is one page of the review queue.
type CasePage struct {
	Items  []Case     `json:"items" doc:"The most urgent first"`
	Next   string     `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Counts CaseCounts `json:"counts"`
}

// DeclineReasons are the reasons that reviewers are offered for declining.
type DeclineReasons struct {
	Reasons    []string `json:"reasons" nullable:"false" doc:"Codes in the order in which they are offered, favourites first"`
	Favourites []string `json:"favourites" nullable:"false" doc:"Those of them that are marked"`
	All        []string `json:"all" nullable:"false" doc:"Every code that can be offered"`
}

// NewDeclineReasons are the reasons that reviewers shall be offered for declining.
type NewDeclineReasons struct {
	Reasons    []string `json:"reasons" maxItems:"30" doc:"Codes, each once; none for the default"`
	Favourites []string `json:"favourites,omitempty" maxItems:"30" doc:"Those of them that come first"`
}

// Offered returns the reasons that shall be offered. Problems: request.malformed for a favourite that is not among them.
func (n NewDeclineReasons) Offered() ([]session.OfferedReason, error) {
	out := make([]session.OfferedReason, 0, len(n.Reasons))
	for _, code := range n.Reasons {
		out = append(out, session.OfferedReason{Code: code, Favourite: slices.Contains(n.Favourites, code)})
	}
	for i, code := range n.Favourites {
		if !slices.Contains(n.Reasons, code) {
			return nil, Malformed("/favourites/"+strconv.Itoa(i), "A favourite is one of the reasons.")
		}
	}
	return out, nil
}

// DeclineReasonsOf returns the wire form of the reasons that are offered, and of all that can be.
func DeclineReasonsOf(offered []session.OfferedReason, all []string) DeclineReasons {
	out := DeclineReasons{Reasons: []string{}, Favourites: []string{}, All: all}
	for _, r := range offered {
		out.Reasons = append(out.Reasons, r.Code)
		if r.Favourite {
			out.Favourites = append(out.Favourites, r.Code)
		}
	}
	return out
}

// CaseFile is a case with what was said about it. The evidence is the session's file.
type CaseFile struct {
	Case    Case       `json:"case"`
	Reviews []Review   `json:"reviews" doc:"Of all cases of this session, oldest first"`
	Steps   []idv.Step `json:"steps" doc:"What the applicant can be asked for again"`
}

// Review is what one person said about a case. Rows are only ever added.
type Review struct {
	ID      idv.ReviewID   `json:"id"`
	Case    idv.CaseID     `json:"case"`
	By      Member         `json:"by"`
	Kind    idv.ReviewKind `json:"kind"`
	Reasons []string       `json:"reasons"`
	Step    idv.Step       `json:"step" doc:"With reopened: what was asked for again"`
	Note    string         `json:"note" doc:"For the team; the applicant never sees it. Gone once the session is erased"`
	At      time.Time      `json:"at"`

	Correction *Correction `json:"correction,omitempty" doc:"With corrected; gone once the session is erased"`
}

// Correction is a fact of a document as a reviewer states it. What was read stays in the report.
type Correction struct {
	Name idv.ClaimName `json:"name"`
	From string        `json:"from" doc:"What it was before: as read, or as corrected last; empty where it was not read"`
	To   string        `json:"to"`
}

// NewCorrection is a fact that was read wrongly or not at all, as somebody reads it.
type NewCorrection struct {
	Name         idv.ClaimName `json:"name" maxLength:"40"`
	Value        string        `json:"value" minLength:"1" maxLength:"200" doc:"Dates as 1990-12-31, states by their code of three letters, sex as F, M or X"`
	Note         string        `json:"note" minLength:"1" maxLength:"2000" doc:"Why. For the team; the applicant never sees it"`
	Version      int64         `json:"version" doc:"Of the case that was looked at"`
	ReportDigest idv.Digest    `json:"report_digest" maxLength:"64" doc:"Of the case that was looked at"`
}

// CorrectedFact is a correction as integrators read it.
type CorrectedFact struct {
	Correction
	At time.Time `json:"at"`
}

// CorrectedFactsOf returns the corrections among reviews, in their order.
func CorrectedFactsOf(reviews []idv.Review) []CorrectedFact {
	out := []CorrectedFact{}
	for _, r := range reviews {
		if r.Correction != nil {
			out = append(out, CorrectedFact{Correction: Correction(*r.Correction), At: r.At})
		}
	}
	return out
}

// NewDecision is what somebody decides about a case.
type NewDecision struct {
	Outcome      idv.DecisionOutcome `json:"outcome" enum:"approved,declined"`
	Reasons      []string            `json:"reasons,omitempty" maxItems:"10"`
	Note         string              `json:"note,omitempty" maxLength:"2000" doc:"For the team; the applicant never sees it"`
	Version      int64               `json:"version" doc:"Of the case that was looked at"`
	ReportDigest idv.Digest          `json:"report_digest" maxLength:"64" doc:"Of the case that was looked at"`
}

// NewRedo is a step that somebody asks the applicant for again.
type NewRedo struct {
	Step         idv.Step   `json:"step" maxLength:"40"`
	Reason       string     `json:"reason,omitempty" maxLength:"64" doc:"What the applicant sees: a code of severity retry whose reader is the applicant"`
	Note         string     `json:"note,omitempty" maxLength:"2000" doc:"For the team; the applicant never sees it"`
	Version      int64      `json:"version" doc:"Of the case that was looked at"`
	ReportDigest idv.Digest `json:"report_digest" maxLength:"64" doc:"Of the case that was looked at"`
}

// NewNote is a note on a case.
type NewNote struct {
	Note string `json:"note" minLength:"1" maxLength:"2000" doc:"For the team; the applicant never sees it"`
}

// Assignment gives a case to somebody.
type Assignment struct {
	To idv.UserID `json:"to" maxLength:"40" doc:"A member who may decide"`
}

// Deciders are the members to whom a case can be given.
type Deciders struct {
	Items []Member `json:"items" doc:"By name"`
}

// NextAsk asks for the next case.
type NextAsk struct {
	Mode idv.Mode   `json:"mode" enum:"live,test"`
	Skip idv.CaseID `json:"skip,omitempty" maxLength:"40" doc:"A case of one's own that shall not be the next"`
}

// ChangedDecision is a later decision on a session that has a final one.
type ChangedDecision struct {
	Outcome  idv.DecisionOutcome `json:"outcome" enum:"approved,declined"`
	Reasons  []string            `json:"reasons,omitempty" maxItems:"10" doc:"With declined, at least one"`
	Note     string              `json:"note,omitempty" maxLength:"2000"`
	Decision idv.DecisionID      `json:"decision" maxLength:"40" doc:"The newest decision that was looked at"`
}

// CaseFilter narrows the review queue.
type CaseFilter struct {
	Mode  idv.Mode        `query:"mode" enum:"live,test" default:"test" doc:"Which mode's cases"`
	Tab   session.CaseTab `query:"tab" enum:"unclaimed,mine,all" default:"unclaimed" doc:"Those of nobody, one's own, or all that are not closed"`
	Limit int             `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After string          `query:"after" maxLength:"200" doc:"The next of the page before, in the same order"`

	Sort session.CaseSort `query:"sort" enum:"due_at,-due_at,reason,-reason,assignee,-assignee" default:"due_at" doc:"The order; a minus turns it round"`

	Workflow string `query:"workflow" maxLength:"64" doc:"Only of the workflow of this name"`
	Reason   string `query:"reason" maxLength:"64" pattern:"^([a-z_]+\\.[a-z_]+)?$" doc:"Only those referred for this reason (a code of the catalogue)"`
	Country  string `query:"country" maxLength:"3" pattern:"^[A-Z]{0,3}$" doc:"Only with a document of this issuing state (ICAO 9303-3 §5)"`
	Assignee string `query:"assignee" maxLength:"40" doc:"Only those that this member has; nobody for those that nobody has"`
	Overdue  bool   `query:"overdue" doc:"Only those past their target"`
}

// Narrowing returns the filter of the queue that the query describes.
func (f *CaseFilter) Narrowing() session.CaseNarrowing {
	n := session.CaseNarrowing{Workflow: f.Workflow, Reason: f.Reason, Overdue: f.Overdue}
	if f.Country != "" {
		n.Countries = []string{f.Country}
	}
	if f.Assignee == "nobody" {
		n.Nobody = true
	} else {
		n.Assignee = idv.UserID(f.Assignee)
	}
	return n
}

// QueueInput is the input of the queue's live updates.
type QueueInput struct {
	SinceInput
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's cases"`
}

// CaseOf returns the wire form of a case at that time. names must hold those of its assignee and of who approved it.
func CaseOf(v review.CaseView, person session.Name, names map[idv.UserID]string, now time.Time) Case {
	c := v.Case
	out := Case{
		ID: c.ID, Mode: c.Mode, State: c.StateAt(now), Workflow: WorkflowRefOf(v.Workflow), Reasons: NonNil(c.Reasons),
		Session: caseSessionOf(v.Session, person),
		Version: c.Version, ReportDigest: c.Report, TwoPersons: v.Workflow.TwoPersons, NotByCreator: v.Workflow.NotByCreator,
		ApprovedBy: MemberOf(c.ApprovedBy, names), OpenedAt: c.OpenedAt.UTC(), DueAt: c.DueAt.UTC(), ClosedAt: OptionalTime(c.ClosedAt),
	}
	if holder := c.Holder(now); holder != "" {
		out.Assignee, out.ClaimedUntil = MemberOf(holder, names), OptionalTime(c.ClaimedUntil)
	}
	return out
}

// MemberOf returns a member by name, or nil for an empty id.
func MemberOf(id idv.UserID, names map[idv.UserID]string) *Member {
	if id == "" {
		return nil
	}
	return &Member{ID: id, Name: names[id]}
}

// ReviewOf returns the wire form of a review. names must hold that of who wrote it.
func ReviewOf(r idv.Review, names map[idv.UserID]string) Review {
	return Review{
		ID: r.ID, Case: r.Case, By: Member{ID: r.By, Name: names[r.By]}, Kind: r.Kind, Reasons: NonNil(r.Reasons), Step: r.Step,
		Note: r.Note, At: r.At.UTC(), Correction: (*Correction)(r.Correction),
	}
}
