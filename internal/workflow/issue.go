package workflow

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Issue is what keeps a draft from being published, and where.
type Issue struct {
	Field        string // JSON pointer into the specification
	Rule         bool   // it is the condition of a rule that cannot be read
	Message      string
	Line, Column int // in the condition, from 1; 0 elsewhere
}

// problem returns the issue as the answer to a call that publishes.
func (i Issue) problem() error {
	if !i.Rule {
		return problem.New(problem.WorkflowInvalid).At(i.Field).Saying("%s", i.Message)
	}
	return problem.New(problem.WorkflowInvalidRule).At(i.Field).Saying("Line %d, column %d: %s", i.Line, i.Column, i.Message)
}

// Bounds of what a workflow can say.
const (
	MaxMinimumAge      = 120
	MaxStepAttempts    = 10
	MaxSessionAttempts = 200
	MaxLinkLife        = 30 * 24 * time.Hour
	MaxSessionLife     = 7 * 24 * time.Hour
	LeastLife          = time.Hour
	MaxCaseTarget      = 90 * 24 * time.Hour
)

// Always are the checks that every workflow requires: without them nothing is said about a document at all, or about what the
// workflow accepts.
func Always() []idv.CheckKind {
	return []idv.CheckKind{idv.CheckDocumentReadable, idv.CheckDocumentAccepted, idv.CheckDocumentSpecimen}
}

// Steps returns every step that a workflow can ask for, in their order, and those that none goes without.
func Steps() (all, always []idv.Step) {
	always = []idv.Step{idv.StepConsent, idv.StepChoose, idv.StepDocumentFront}
	return append(slices.Clone(always), idv.StepDocumentBack, idv.StepSelfie), always
}

// normalized brings a specification into the one form in which it is kept.
func normalized(w idv.WorkflowVersion) idv.WorkflowVersion {
	w.Countries = slices.Clone(w.Countries)
	for i, c := range w.Countries {
		w.Countries[i] = policy.CountryCode(strings.ToUpper(strings.TrimSpace(c)))
	}
	w.EmbedOrigins = slices.Clone(w.EmbedOrigins)
	for i, o := range w.EmbedOrigins {
		w.EmbedOrigins[i] = normalizedOrigin(o)
	}
	w.Brand = normalizedBrand(w.Brand)
	w.Rules = slices.Clone(w.Rules)
	for i := range w.Rules {
		w.Rules[i].Name, w.Rules[i].When = strings.TrimSpace(w.Rules[i].Name), strings.TrimSpace(w.Rules[i].When)
		if w.Rules[i].Reasons == nil {
			w.Rules[i].Reasons = []string{}
		}
	}
	return w
}

// issues collects.
type issues []Issue

func (l *issues) add(field, format string, args ...any) {
	*l = append(*l, Issue{Field: field, Message: fmt.Sprintf(format, args...)})
}

func pointer(field string, i int) string { return field + "/" + strconv.Itoa(i) }

// Check returns what is wrong with a specification of a mode, as Issues does for a draft.
func (s *Service) Check(mode idv.Mode, spec idv.WorkflowVersion) []Issue {
	spec.Mode = mode
	return s.Issues(normalized(spec))
}

// Issues returns what keeps a version from being published, in the order of its fields.
func (s *Service) Issues(w idv.WorkflowVersion) []Issue {
	var l issues
	l.steps(w)
	l.documents(w)
	l.required(w)
	l.faces(w, s.FaceRates())
	l.numbers(w)
	l.origins(w)
	l.chip(w)
	l.wallet(w)
	l.screening(w)
	l.seen(w)
	l.gallery(w)
	l.assurance(w)
	l.settling(w)
	l.rules(w)
	l.brand(w.Brand)
	return l
}

func (l *issues) steps(w idv.WorkflowVersion) {
	all, always := Steps()
	last := -1
	for i, step := range w.Steps {
		place := slices.Index(all, step)
		switch {
		case place < 0:
			l.add(pointer("/steps", i), "There is no such step.")
		case place <= last:
			l.add(pointer("/steps", i), "List each step once, in the fixed order.")
		}
		last = max(last, place)
	}
	for _, step := range always {
		if !slices.Contains(w.Steps, step) {
			l.add("/steps", "Every workflow needs the step %q.", step)
		}
	}
}

func (l *issues) documents(w idv.WorkflowVersion) {
	for i, k := range w.Documents {
		if !slices.Contains(idv.DocumentKinds(), k) || slices.Index(w.Documents, k) != i {
			l.add(pointer("/documents", i), "Choose document types, each once.")
		}
	}
	for i, c := range w.Countries {
		state, known := icao.StateByCode(c)
		switch {
		case !known || !icao.MayIssue(c):
			l.add(pointer("/countries", i), "Enter the code of an issuing state or organisation (ICAO 9303-3).")
		case slices.Index(w.Countries, c) != i:
			l.add(pointer("/countries", i), "It is listed twice.")
		case state.Kind == icao.Specimen && w.Mode != idv.Test:
			l.add(pointer("/countries", i), "This is a fictional state, used only in examples.")
		}
	}
	if w.AcceptSpecimens && w.Mode != idv.Test {
		l.add("/accept_specimens", "Specimens are accepted in test mode only.")
	}
}

func (l *issues) required(w idv.WorkflowVersion) {
	selfie := w.TakesFace()
	if w.FaceOptional && !selfie {
		l.add("/face_optional", "It needs the step %q.", idv.StepSelfie)
	}
	for i, k := range w.Required {
		switch {
		case !slices.Contains(idv.CheckKinds(), k) || slices.Index(w.Required, k) != i:
			l.add(pointer("/required", i), "Choose checks, each once.")
		case slices.Contains(idv.FaceChecks(), k) && !selfie:
			l.add(pointer("/required", i), "It needs the step %q.", idv.StepSelfie)
		}
	}
	for _, k := range Always() {
		if !w.Requires(k) {
			l.add("/required", "Every workflow needs %q.", k)
		}
	}
	needs := func(a, b idv.CheckKind) {
		if w.Requires(a) && !w.Requires(b) {
			l.add("/required", "%q has no effect without %q.", a, b)
		}
	}
	needs(idv.CheckLiveness, idv.CheckReplay)
	needs(idv.CheckReplay, idv.CheckLiveness)
	needs(idv.CheckHead, idv.CheckLiveness)
	needs(idv.CheckLight, idv.CheckLiveness)
	needs(idv.CheckLiveness, idv.CheckFaceMatch)
	needs(idv.CheckFaceMatch, idv.CheckSelfieQuality)
	if selfie && !w.Requires(idv.CheckFaceMatch) {
		l.add("/required", "A selfie is requested but nothing compares it. Remove the step, or require %q.", idv.CheckFaceMatch)
	}
	if w.MinimumAge > 0 && !w.Requires(idv.CheckAgeLimit) {
		l.add("/required", "A minimum age needs %q.", idv.CheckAgeLimit)
	}
}

func (l *issues) assurance(w idv.WorkflowVersion) {
	level := cmp.Or(w.Assurance, idv.AssuranceLow)
	switch {
	case !slices.Contains(idv.AssuranceLevels(), level):
		l.add("/assurance", "One of low, substantial, high.")
	case level.Reaches(idv.AssuranceHigh) && !w.TakesChip() && !w.TakesWallet():
		l.add("/assurance", "%s needs evidence signed by an issuer: offer or require the document chip or a wallet.", level)
	case level.Reaches(idv.AssuranceSubstantial) && !w.AsksLiveness():
		l.add("/assurance", "%s needs a selfie with a liveness challenge: require %q.", level, idv.CheckLiveness)
	}
}

// chip checks that what is made of a chip and what is required of it fit together. Who takes one makes it count.
func (l *issues) chip(w idv.WorkflowVersion) {
	if !slices.Contains(idv.ChipUses(), cmp.Or(w.Chip, idv.ChipOff)) {
		l.add("/chip", "One of off, offered, required.")
		return
	}
	for i, k := range w.Required {
		if k.AboutChip() && !w.TakesChip() {
			l.add(pointer("/required", i), "Offer or require the chip to use this check.")
		}
	}
	for _, k := range []idv.CheckKind{idv.CheckChipAuthentic, idv.CheckChipZone} {
		if w.TakesChip() && !w.Requires(k) {
			l.add("/required", "If chips are accepted, require %q.", k)
		}
	}
}

// wallet checks that what wallets are asked for and what is required of them fit together. What is presented has to count.
func (l *issues) wallet(w idv.WorkflowVersion) {
	if !slices.Contains(idv.WalletUses(), cmp.Or(w.Wallet, idv.WalletOff)) {
		l.add("/wallet", "One of off, offered, required.")
		return
	}
	for i, k := range w.Required {
		if k.AboutWallet() && !w.TakesWallet() {
			l.add(pointer("/required", i), "Offer or require a wallet to use this check.")
		}
	}
	l.walletAsks(w)
	l.walletOthers(w)
	if !w.TakesWallet() {
		if len(w.WalletAsks) > 0 || len(w.WalletOthers) > 0 || w.WalletInstead {
			l.add("/wallet", "Wallets are off: offer or require them.")
		}
		return
	}
	if len(w.WalletAsks) == 0 && len(w.WalletOthers) == 0 {
		l.add("/wallet_asks", "Choose what to request from wallets.")
	}
	if w.AsksAgeOnly() && w.WalletInstead && w.TakesFace() {
		l.add("/wallet_instead", "An age-only credential has no portrait. Remove the selfie, or photograph the document.")
	}
	for _, k := range []idv.CheckKind{idv.CheckWalletValid, idv.CheckWalletHolder} {
		if !w.Requires(k) {
			l.add("/required", "If credentials are accepted, require %q.", k)
		}
	}
}

// screening checks that what is screened for counts, and that nothing else is required.
func (l *issues) screening(w idv.WorkflowVersion) {
	for i, t := range w.Screening.Topics {
		if !slices.Contains(idv.ScreeningTopics(), t) || slices.Index(w.Screening.Topics, t) != i {
			l.add(pointer("/screening/topics", i), "One of sanctions, pep, watch, each once.")
		}
	}
	if from := w.Screening.From; from != "" && from != idv.BandStrong && from != idv.BandPossible {
		l.add("/screening/from", "One of strong, possible.")
	}
	if w.Screening.Monitor && !w.Screening.On() {
		l.add("/screening/monitor", "Choose at least one topic to screen for.")
	}
	for _, t := range idv.ScreeningTopics() {
		switch k := idv.CheckOfTopic(t); {
		case w.Screening.Takes(t) && !w.Requires(k):
			l.add("/required", "If people are screened for this, require %q.", k)
		case !w.Screening.Takes(t) && w.Requires(k):
			l.add("/required", "To require %q, also screen for its topic.", k)
		}
	}
}

// seen checks the limits of velocity, and that what a setting is about is required.
func (l *issues) seen(w idv.WorkflowVersion) {
	v := w.Seen.Velocity
	for field, n := range map[string]int{
		"/seen/address_hour": v.AddressHour, "/seen/address_day": v.AddressDay, "/seen/document": v.Document, "/seen/person": v.Person,
		"/seen/reference": v.Reference,
	} {
		if n < 0 || n > idv.MaxVelocity {
			l.add(field, "From 0 to %d.", idv.MaxVelocity)
		}
	}
	if v != (idv.VelocityLimits{}) && !w.Requires(idv.CheckVelocity) {
		l.add("/seen", "Limits need %q.", idv.CheckVelocity)
	}
	if w.Seen.Again && !slices.ContainsFunc(w.Required, func(k idv.CheckKind) bool { return k.AboutSeen() && !k.AboutNetwork() }) {
		l.add("/seen/again", "It needs a check that looks for duplicates.")
	}
	if w.Seen.Papers && !w.Requires(idv.CheckDuplicatePerson) {
		l.add("/seen/papers", "It needs %q.", idv.CheckDuplicatePerson)
	}
}

// galleryName is what a gallery may be called.
var galleryName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// gallery checks that who is compared with others is asked first, in words of the operator's.
func (l *issues) gallery(w idv.WorkflowVersion) {
	g := w.Seen.Gallery
	if !w.Requires(idv.CheckDuplicateFace) {
		if g != (idv.GallerySettings{}) {
			l.add("/seen/gallery", "It needs %q.", idv.CheckDuplicateFace)
		}
		return
	}
	if !w.TakesFace() {
		l.add("/required", "%q needs the step %q.", idv.CheckDuplicateFace, idv.StepSelfie)
	}
	if strings.TrimSpace(g.Consent) == "" {
		l.add("/seen/gallery/consent", "Comparing an applicant's face with others needs consent. State the purpose.")
	}
	if n := utf8.RuneCountInString(g.Consent); n > idv.MaxGalleryConsent {
		l.add("/seen/gallery/consent", "At most %d characters.", idv.MaxGalleryConsent)
	}
	if g.Name != "" && !galleryName.MatchString(g.Name) {
		l.add("/seen/gallery/name", "At most 40 lowercase letters, digits and hyphens.")
	}
	if g.FPIR != "" && !slices.Contains(idv.GalleryTargets(), g.FPIR) {
		l.add("/seen/gallery/fpir", "One of %s.", strings.Join(idv.GalleryTargets(), ", "))
	}
	if g.Months < 0 || g.Months > idv.MaxGalleryMonths {
		l.add("/seen/gallery/months", "From 1 to %d.", idv.MaxGalleryMonths)
	}
}

func (l *issues) settling(w idv.WorkflowVersion) {
	if !slices.Contains(idv.Settlings(), cmp.Or(w.SettledBy, idv.SettledByMachine)) {
		l.add("/settled_by", "One of machine, two_sources, two_readers.")
	}
}

func (l *issues) faces(w idv.WorkflowVersion, rates *FaceRates) {
	if !w.Requires(idv.CheckFaceMatch) {
		return
	}
	rate := func(field, of string) (float64, bool) {
		if !slices.Contains(FalseMatchRates(), of) {
			l.add(field, "One of %s.", strings.Join(FalseMatchRates(), ", "))
			return 0, false
		}
		if rates != nil && !rates.reaches(of) {
			l.add(field, "The current model was not measured at that rate.")
			return 0, false
		}
		v, err := strconv.ParseFloat(of, 64)
		return v, err == nil
	}
	pass, ok := rate("/face_fmr", w.FaceFMR)
	refer, ok2 := rate("/face_refer_fmr", w.FaceReferFMR)
	if ok && ok2 && refer < pass {
		l.add("/face_refer_fmr", "This rate cannot be lower than the rate to pass. Results between the two go to review.")
	}
}

func (l *issues) numbers(w idv.WorkflowVersion) {
	within := func(field string, v, least, most int) {
		if v < least || v > most {
			l.add(field, "From %d to %d.", least, most)
		}
	}
	within("/minimum_age", w.MinimumAge, 0, MaxMinimumAge)
	within("/step_attempts", w.StepAttempts, 1, MaxStepAttempts)
	within("/session_attempts", w.SessionAttempts, 5, MaxSessionAttempts)
	within("/link_hours", int(w.LinkLife/time.Hour), int(LeastLife/time.Hour), int(MaxLinkLife/time.Hour))
	within("/session_hours", int(w.SessionLife/time.Hour), int(LeastLife/time.Hour), int(MaxSessionLife/time.Hour))
	within("/case_hours", int(w.CaseTarget/time.Hour), 0, int(MaxCaseTarget/time.Hour))
	within("/quality_share", w.QualityShare, 0, 100)
	most := idv.DefaultRetention()
	shorter := func(field string, v, most time.Duration) {
		if v != 0 && (v < idv.LeastRetention || v > most) {
			l.add(field, "0 for the deployment's setting, or %d to %d. A workflow can only shorten it.", int(idv.LeastRetention/time.Hour), int(most/time.Hour))
		}
	}
	shorter("/retention/pictures_hours", w.Retention.Pictures, most.Pictures)
	shorter("/retention/report_hours", w.Retention.Report, most.Report)
	if w.Retention.Report != 0 && w.Retention.Pictures > w.Retention.Report {
		l.add("/retention/pictures_hours", "Pictures cannot be kept longer than the report.")
	}
}

// reservedRuleNames are names that decisions without a rule have.
func reservedRuleNames() []string { return append(policy.RowNames(), "person") }

func (l *issues) rules(w idv.WorkflowVersion) {
	if len(w.Rules) > policy.MaxRules {
		l.add("/rules", "At most %d rules.", policy.MaxRules)
		return
	}
	for i, r := range w.Rules {
		field := pointer("/rules", i)
		same := func(o idv.Rule) bool { return strings.EqualFold(o.Name, r.Name) }
		switch {
		case r.Name == "" || utf8.RuneCountInString(r.Name) > policy.MaxRuleName:
			l.add(field+"/name", "A name of at most %d characters.", policy.MaxRuleName)
		case slices.IndexFunc(w.Rules, same) != i || slices.ContainsFunc(reservedRuleNames(), func(n string) bool { return strings.EqualFold(n, r.Name) }):
			l.add(field+"/name", "Choose a unique name. It is shown with the decisions that this rule makes.")
		}
		for _, f := range policy.Check(r.When) {
			*l = append(*l, Issue{Field: field + "/when", Rule: true, Message: f.Message, Line: f.Line, Column: f.Column})
		}
		if r.Then != idv.DecideDecline && r.Then != idv.DecideRefer {
			l.add(field+"/then", "Choose %q or %q; rules cannot approve.", idv.DecideDecline, idv.DecideRefer)
		}
		l.reasons(field+"/reasons", r)
	}
}

func (l *issues) reasons(field string, r idv.Rule) {
	if r.Then == idv.DecideDecline && len(r.Reasons) == 0 {
		l.add(field, "Give at least one reason for the decline.")
	}
	if len(r.Reasons) > policy.MaxRuleReasons {
		l.add(field, "At most %d.", policy.MaxRuleReasons)
		return
	}
	for i, code := range r.Reasons {
		k, ok := problem.Lookup(code)
		switch {
		case !ok || !Nameable(k) || slices.Index(r.Reasons, code) != i:
			l.add(pointer(field, i), "Choose reasons from the catalogue, each once.")
		case r.Then == idv.DecideDecline && k.Severity == problem.Retry:
			l.add(pointer(field, i), "This reason asks for another try and cannot decline.")
		}
	}
}

// Nameable reports whether a rule can name a row of the catalogue as its reason.
func Nameable(k problem.Kind) bool {
	return k.Severity != problem.None && k.Severity != problem.Question && k.Reviewer != ""
}
