package wire

import (
	"cmp"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// WorkflowSummary is a workflow with its published version and its draft.
type WorkflowSummary struct {
	ID        idv.WorkflowID       `json:"id" example:"wfl_06c1q2m3n4p5r6s7t8v9w0x1y2"`
	Mode      idv.Mode             `json:"mode"`
	Name      string               `json:"name" example:"default" doc:"By which sessions name it"`
	BuiltIn   bool                 `json:"built_in" doc:"Every deployment has it from the start"`
	Published *WorkflowVersionHead `json:"published" doc:"What new sessions follow; null where nothing is published"`
	Draft     *WorkflowVersionHead `json:"draft" doc:"What is being changed; null where nothing is"`
	Versions  int                  `json:"versions" doc:"How many there are"`
}

// WorkflowSummaryList is every workflow of a mode.
type WorkflowSummaryList struct {
	Items []WorkflowSummary `json:"items" doc:"By name"`
}

// WorkflowVersionHead is the state of a version, and who changed it when.
type WorkflowVersionHead struct {
	ID          idv.WorkflowVersionID `json:"id" example:"wfv_06c1q2m3n4p5r6s7t8v9w0x1y2"`
	Number      int                   `json:"number" example:"2"`
	State       idv.WorkflowState     `json:"state" enum:"draft,published,retired"`
	Revision    int64                 `json:"revision" doc:"Goes up with every change of a draft; a change names the one it was made on"`
	CreatedAt   time.Time             `json:"created_at"`
	CreatedBy   string                `json:"created_by" doc:"Id of a member or an API key; empty for the program"`
	ChangedAt   time.Time             `json:"changed_at"`
	ChangedBy   string                `json:"changed_by"`
	PublishedAt *time.Time            `json:"published_at"`
	PublishedBy string                `json:"published_by"`
	RetiredAt   *time.Time            `json:"retired_at"`
	RetiredBy   string                `json:"retired_by"`
}

// WorkflowFile is a workflow with all its versions.
type WorkflowFile struct {
	WorkflowSummary
	Items   []WorkflowVersionHead `json:"items" doc:"Newest first, the draft among them"`
	Offered []idv.CheckKind       `json:"offered" nullable:"false" doc:"Signals that a new workflow has on and this older one lacks; empty once dismissed"`
}

// WorkflowVersion is a version and what it says.
type WorkflowVersion struct {
	WorkflowVersionHead
	Workflow       idv.WorkflowID  `json:"workflow"`
	Mode           idv.Mode        `json:"mode"`
	Name           string          `json:"name"`
	LivenessNotice string          `json:"liveness_notice"`
	Spec           WorkflowSpec    `json:"spec"`
	Issues         []WorkflowIssue `json:"issues" doc:"What keeps a draft from being published; always empty for what is published"`
}

// WorkflowVersionPage is every version of a workflow.
type WorkflowVersionPage struct {
	Items []WorkflowVersion `json:"items" doc:"Newest first"`
}

// WorkflowSpec is what a version asks for and what it takes to pass.
type WorkflowSpec struct {
	Steps           []idv.Step         `json:"steps" maxItems:"20" nullable:"false" doc:"In order"`
	Documents       []idv.DocumentKind `json:"documents" maxItems:"20" nullable:"false" doc:"Kinds accepted; empty: all that identify a person, so no visa"`
	Countries       []string           `json:"countries" maxItems:"300" nullable:"false"`
	AcceptSpecimens bool               `json:"accept_specimens" doc:"Test mode only"`
	MinimumAge      int                `json:"minimum_age" minimum:"0" maximum:"120" doc:"0 for none"`
	Required        []idv.CheckKind    `json:"required" maxItems:"50" nullable:"false" doc:"Checks that have to pass for approval"`
	FaceFMR         string             `json:"face_fmr" maxLength:"10" example:"1e-4"`
	FaceReferFMR    string             `json:"face_refer_fmr" maxLength:"10" example:"1e-3"`
	StepAttempts    int                `json:"step_attempts" minimum:"0" maximum:"1000"`
	SessionAttempts int                `json:"session_attempts" minimum:"0" maximum:"1000"`
	LinkHours       int                `json:"link_hours" minimum:"0" maximum:"10000" doc:"How long a link can be opened"`
	SessionHours    int                `json:"session_hours" minimum:"0" maximum:"10000" doc:"How long the person has after opening it"`
	EmbedOrigins    []string           `json:"embed_origins" required:"false" maxItems:"100" nullable:"false" example:"[\"https://shop.example\"]"`
	FaceOptional    bool               `json:"face_optional" required:"false"`
	LiveCapture     bool               `json:"live_capture" required:"false"`
	AnotherDocument bool               `json:"another_document" required:"false"`
	Assurance       idv.AssuranceLevel `json:"assurance" required:"false"`
	SettledBy       idv.Settling       `json:"settled_by" required:"false"`
	Chip            idv.ChipUse        `json:"chip" required:"false" doc:"What is made of the chip of a document; off where it is not said"`
	Wallet          idv.WalletUse      `json:"wallet" required:"false" doc:"How wallets are used; off if missing"`
	WalletAsks      []idv.WalletAsk    `json:"wallet_asks" required:"false" doc:"What wallets are asked for: one of them answers"`
	WalletOthers    []WalletOther      `json:"wallet_others" required:"false" maxItems:"20" doc:"And credentials that no preset has"`
	WalletInstead   bool               `json:"wallet_instead" required:"false" doc:"A good credential replaces the photographs of a document"`
	Seen            WorkflowSeen       `json:"seen" required:"false" doc:"How duplicates and velocity are taken"`
	Screening       WorkflowScreening  `json:"screening" required:"false" doc:"Which watchlists people are looked for on; none without topics"`
	TwoPersons      bool               `json:"two_persons" doc:"A person's approval needs a second person's"`
	NotByCreator    bool               `json:"not_by_creator" doc:"Nobody decides a session that they created"`
	CaseHours       int                `json:"case_hours" required:"false" minimum:"0" maximum:"10000" doc:"A case's target; 0 for the deployment's"`
	QualityShare    int                `json:"quality_share" required:"false" minimum:"0" maximum:"100" doc:"Per cent of approvals"`
	Retention       WorkflowRetention  `json:"retention"`
	Rules           []WorkflowRule     `json:"rules" maxItems:"100" nullable:"false" doc:"In order; the first that applies decides"`
	Brand           WorkflowBrand      `json:"brand"`
}

// WorkflowSeen says how what was seen before is taken, where a check of duplicates, of the block list or of velocity is required.
type WorkflowSeen struct {
	Again       bool `json:"again,omitempty" doc:"The same person under the same reference is a re-verification, and does not refer"`
	Papers      bool `json:"papers,omitempty" doc:"The same name and date of birth with another kind of document is recorded, and does not refer by itself"`
	AddressHour int  `json:"address_hour,omitempty" minimum:"0" maximum:"10000" doc:"Sessions from one network in an hour; more refer. 0 for the default of 5"`
	AddressDay  int  `json:"address_day,omitempty" minimum:"0" maximum:"10000" doc:"In a day; 0 for 20"`
	Document    int  `json:"document,omitempty" minimum:"0" maximum:"10000" doc:"Sessions with one document in a day; 0 for 3"`
	Person      int  `json:"person,omitempty" minimum:"0" maximum:"10000" doc:"About one person in a day; 0 for 3"`
	Reference   int  `json:"reference,omitempty" minimum:"0" maximum:"10000" doc:"Under one reference in a day; 0 for 5"`

	Gallery *WorkflowGallery `json:"gallery,omitempty" doc:"How faces are compared with those of other applicants, with duplicate.face; else left out"`
}

// WorkflowGallery says how the faces of applicants who agree are compared with those of others.
type WorkflowGallery struct {
	Name    string `json:"name,omitempty" maxLength:"40" doc:"Workflows with the same name compare with each other's applicants; main if missing"`
	Consent string `json:"consent,omitempty" maxLength:"2000" doc:"The text that applicants read, unchanged. A workflow without it cannot be published"`
	FPIR    string `json:"fpir,omitempty" enum:"1e-3,1e-2,5e-2,1e-1" doc:"Part of the searches of strangers that may find somebody; 1e-2 if missing"`
	Months  int    `json:"months,omitempty" minimum:"0" maximum:"36" doc:"A face is kept so long, and no longer than its session's pictures; 0 for 12"`
}

// WorkflowScreening says how a workflow screens. What is screened for has to be required, too.
type WorkflowScreening struct {
	Topics  []idv.ScreeningTopic `json:"topics" maxItems:"3" nullable:"false" enum:"sanctions,pep,watch"`
	From    idv.ScreeningBand    `json:"from,omitempty" enum:"strong,possible" doc:"The weakest hit that goes to review; possible if left out"`
	Monitor bool                 `json:"monitor,omitempty" doc:"Who was approved is screened again as the lists change"`
}

// WorkflowRetention is how long data of its sessions is kept.
type WorkflowRetention struct {
	PicturesHours int `json:"pictures_hours" minimum:"0" maximum:"100000" doc:"0 for what the deployment says; a workflow can only shorten"`
	ReportHours   int `json:"report_hours" minimum:"0" maximum:"100000"`
}

// WorkflowRule is a row that a workflow adds to the policy.
type WorkflowRule struct {
	Name    string              `json:"name" maxLength:"200" doc:"Stands beside the decisions that it takes"`
	When    string              `json:"when" maxLength:"4000" example:"document.country == \"UTO\"" doc:"Condition in CEL"`
	Then    idv.DecisionOutcome `json:"then" doc:"declined or referred; no rule approves"`
	Reasons []string            `json:"reasons" maxItems:"50" nullable:"false" doc:"Codes of the catalogue; a rule that declines names one at least"`
}

// WorkflowIssue is what is wrong with a specification, and where.
type WorkflowIssue struct {
	Field   string `json:"field" example:"/rules/0/when" doc:"JSON pointer into the specification"`
	Code    string `json:"code" enum:"workflow.invalid,workflow.invalid_rule"`
	Message string `json:"message"`
	Line    int    `json:"line" doc:"In the condition, from 1; 0 elsewhere"`
	Column  int    `json:"column"`
}

// WorkflowIssues is everything that is wrong with a specification.
type WorkflowIssues struct {
	Items []WorkflowIssue `json:"items" doc:"Empty where it can be published"`
}

// NewWorkflow is what it takes to make a workflow.
type NewWorkflow struct {
	Mode idv.Mode              `json:"mode,omitempty" doc:"Console only: an API key has a mode of its own. Test if left out"`
	Name string                `json:"name" maxLength:"40" doc:"A small letter, then small letters, digits and underscores"`
	From idv.WorkflowVersionID `json:"from,omitempty" maxLength:"40" doc:"Version to copy; the default workflow's published one if left out"`
}

// NewWorkflowDraft says what a draft starts from.
type NewWorkflowDraft struct {
	From    idv.WorkflowVersionID `json:"from,omitempty" maxLength:"40" doc:"Version of the workflow to copy; the newest if left out"`
	Offered bool                  `json:"offered,omitempty" doc:"As a copy of what is published, with the offered signals on; from is then left out"`
}

// WorkflowDraftChange replaces what a draft says.
type WorkflowDraftChange struct {
	Revision int64        `json:"revision" doc:"Of the draft that was looked at"`
	Spec     WorkflowSpec `json:"spec"`
}

// WorkflowRevision names the draft that was looked at.
type WorkflowRevision struct {
	Revision int64 `json:"revision" doc:"Of the draft that was looked at"`
}

// WorkflowCheck is a specification to be checked.
type WorkflowCheck struct {
	Mode idv.Mode     `json:"mode" enum:"live,test"`
	Spec WorkflowSpec `json:"spec"`
}

// WorkflowSummaryOf returns the summary of a workflow.
func WorkflowSummaryOf(w workflow.Workflow) WorkflowSummary {
	out := WorkflowSummary{ID: w.ID, Mode: w.Mode, Name: w.Name, BuiltIn: w.BuiltIn(), Versions: len(w.Versions)}
	if v, ok := w.In(idv.Published); ok {
		h := headOf(v)
		out.Published = &h
	}
	if v, ok := w.In(idv.Draft); ok {
		h := headOf(v)
		out.Draft = &h
	}
	return out
}

// WorkflowFileOf returns a workflow with the state of each of its versions.
func WorkflowFileOf(w workflow.Workflow) WorkflowFile {
	out := WorkflowFile{WorkflowSummary: WorkflowSummaryOf(w), Items: []WorkflowVersionHead{}, Offered: NonNil(w.Offered())}
	for _, v := range w.Versions {
		out.Items = append(out.Items, headOf(v))
	}
	return out
}

func headOf(v workflow.Version) WorkflowVersionHead {
	return WorkflowVersionHead{
		ID: v.ID, Number: v.Number, State: v.State, Revision: v.Revision, CreatedAt: v.CreatedAt.UTC(), CreatedBy: v.CreatedBy,
		ChangedAt: v.ChangedAt.UTC(), ChangedBy: v.ChangedBy, PublishedAt: OptionalTime(v.PublishedAt), PublishedBy: v.PublishedBy,
		RetiredAt: OptionalTime(v.RetiredAt), RetiredBy: v.RetiredBy,
	}
}

// WorkflowVersionOf returns the wire form of a version; of a draft also what issues finds wrong with it.
func WorkflowVersionOf(v workflow.Version, issues func(idv.WorkflowVersion) []workflow.Issue) WorkflowVersion {
	out := WorkflowVersion{
		WorkflowVersionHead: headOf(v), Workflow: v.Workflow, Mode: v.Mode, Name: v.Name, LivenessNotice: v.LivenessNotice(),
		Spec: specOf(v.WorkflowVersion), Issues: []WorkflowIssue{},
	}
	if v.State == idv.Draft {
		out.Issues = WorkflowIssuesOf(issues(v.WorkflowVersion))
	}
	return out
}

// WorkflowIssuesOf returns the wire forms of issues.
func WorkflowIssuesOf(found []workflow.Issue) []WorkflowIssue {
	out := []WorkflowIssue{}
	for _, i := range found {
		code := problem.WorkflowInvalid.Code
		if i.Rule {
			code = problem.WorkflowInvalidRule.Code
		}
		out = append(out, WorkflowIssue{Field: i.Field, Code: code, Message: i.Message, Line: i.Line, Column: i.Column})
	}
	return out
}

func specOf(w idv.WorkflowVersion) WorkflowSpec {
	out := WorkflowSpec{
		Steps: NonNil(w.Steps), Documents: NonNil(w.Documents), Countries: NonNil(w.Countries), AcceptSpecimens: w.AcceptSpecimens, MinimumAge: w.MinimumAge,
		Required: NonNil(w.Required), FaceFMR: w.FaceFMR, FaceReferFMR: w.FaceReferFMR, StepAttempts: w.StepAttempts, SessionAttempts: w.SessionAttempts,
		LinkHours: hours(w.LinkLife), SessionHours: hours(w.SessionLife), FaceOptional: w.FaceOptional, LiveCapture: w.LiveCapture,
		AnotherDocument: w.AnotherDocument,
		Assurance:       cmp.Or(w.Assurance, idv.AssuranceLow), SettledBy: cmp.Or(w.SettledBy, idv.SettledByMachine),
		Chip:   cmp.Or(w.Chip, idv.ChipOff),
		Wallet: cmp.Or(w.Wallet, idv.WalletOff), WalletAsks: NonNil(w.WalletAsks), WalletInstead: w.WalletInstead,
		WalletOthers: walletOthersOf(w.WalletOthers),
		Seen: WorkflowSeen{
			Again: w.Seen.Again, Papers: w.Seen.Papers, AddressHour: w.Seen.Velocity.AddressHour, AddressDay: w.Seen.Velocity.AddressDay,
			Document: w.Seen.Velocity.Document, Person: w.Seen.Velocity.Person, Reference: w.Seen.Velocity.Reference,
			Gallery: galleryOf(w.Seen.Gallery),
		},
		Screening: WorkflowScreening{
			Topics: NonNil(w.Screening.Topics), From: cmp.Or(w.Screening.From, idv.BandPossible), Monitor: w.Screening.Monitor,
		},
		TwoPersons: w.TwoPersons, NotByCreator: w.NotByCreator, EmbedOrigins: NonNil(w.EmbedOrigins),
		CaseHours: hours(w.CaseTarget), QualityShare: w.QualityShare,
		Retention: WorkflowRetention{
			PicturesHours: hours(w.Retention.Pictures), ReportHours: hours(w.Retention.Report),
		}, Rules: []WorkflowRule{}, Brand: brandOf(w.Brand),
	}
	for _, r := range w.Rules {
		out.Rules = append(out.Rules, WorkflowRule{Name: r.Name, When: r.When, Then: r.Then, Reasons: NonNil(r.Reasons)})
	}
	return out
}

// VersionFrom returns the workflow version that a specification describes.
func VersionFrom(in WorkflowSpec) idv.WorkflowVersion {
	out := idv.WorkflowVersion{
		Steps: NonNil(in.Steps), Documents: NonNil(in.Documents), Countries: NonNil(in.Countries), AcceptSpecimens: in.AcceptSpecimens, MinimumAge: in.MinimumAge,
		Required: NonNil(in.Required), FaceFMR: in.FaceFMR, FaceReferFMR: in.FaceReferFMR, StepAttempts: in.StepAttempts, SessionAttempts: in.SessionAttempts,
		LinkLife: span(in.LinkHours), SessionLife: span(in.SessionHours), FaceOptional: in.FaceOptional, LiveCapture: in.LiveCapture,
		AnotherDocument: in.AnotherDocument,
		Assurance:       in.Assurance, SettledBy: in.SettledBy, Wallet: walletOf(in.Wallet), WalletAsks: in.WalletAsks, WalletInstead: in.WalletInstead,
		WalletOthers: walletOthersFrom(in.WalletOthers),
		Chip:         chipOf(in.Chip), TwoPersons: in.TwoPersons, NotByCreator: in.NotByCreator,
		EmbedOrigins: NonNil(in.EmbedOrigins), CaseTarget: span(in.CaseHours), QualityShare: in.QualityShare, Screening: screeningOf(in.Screening),
		Seen:      seenOf(in.Seen),
		Retention: idv.Retention{Pictures: span(in.Retention.PicturesHours), Report: span(in.Retention.ReportHours)},
		Brand:     brandFrom(in.Brand),
	}
	for _, r := range in.Rules {
		out.Rules = append(out.Rules, idv.Rule{Name: r.Name, When: r.When, Then: r.Then, Reasons: NonNil(r.Reasons)})
	}
	return out
}

func hours(d time.Duration) int { return int(d / time.Hour) }

func span(hours int) time.Duration { return time.Duration(hours) * time.Hour }

// Source returns the version that a draft starts from; empty for the newest. d may be nil.
func (d *NewWorkflowDraft) Source() idv.WorkflowVersionID {
	if d == nil {
		return ""
	}
	return d.From
}

// seenOf is how a version keeps how what was seen before is taken.
func seenOf(in WorkflowSeen) idv.SeenSettings {
	out := idv.SeenSettings{Again: in.Again, Papers: in.Papers, Velocity: idv.VelocityLimits{
		AddressHour: in.AddressHour, AddressDay: in.AddressDay, Document: in.Document, Person: in.Person, Reference: in.Reference,
	}}
	if g := in.Gallery; g != nil {
		out.Gallery = idv.GallerySettings(*g)
	}
	return out
}

// galleryOf is the wire form of the settings of a gallery; nil where there are none.
func galleryOf(g idv.GallerySettings) *WorkflowGallery {
	if g == (idv.GallerySettings{}) {
		return nil
	}
	out := WorkflowGallery(g)
	return &out
}

// screeningOf is how a version keeps how it screens: nothing where it does not, as in versions from before there was a choice.
func screeningOf(in WorkflowScreening) idv.ScreeningSettings {
	out := idv.ScreeningSettings{From: in.From, Monitor: in.Monitor}
	if out.From == idv.BandPossible {
		out.From = ""
	}
	if len(in.Topics) > 0 {
		out.Topics = in.Topics
	}
	return out
}

// chipOf is how a version keeps what is made of a chip: nothing for off, as in versions from before there was a choice.
func chipOf(use idv.ChipUse) idv.ChipUse {
	if use == idv.ChipOff {
		return ""
	}
	return use
}

// walletOf is how a version keeps the use of wallets: empty for off, as in versions from before there was a choice.
func walletOf(use idv.WalletUse) idv.WalletUse {
	if use == idv.WalletOff {
		return ""
	}
	return use
}
