package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// veil says what becomes of the fields of an answer's type where personal data is masked. Each field is named once. What is
// plain and made of other types is masked by their veils.
type veil struct {
	plain  string // fields that say nothing about a person
	number string // only the last two characters stay
	fact   string // a fact whose kind the field Name tells
	facts  string // facts by their kind
	pairs  string // a map of texts; only how many it has stays
	bare   string // numbers by name, of which those in bareMeasures stay
	gone   string // left out
}

// veils is the one table of what is personal in masked answers. A type or field that is not in
// it is not answered at all: see masked.
var veils = map[reflect.Type]veil{
	reflect.TypeFor[ConsoleSessionPage](): {plain: "Items Next Counts Total About"},
	reflect.TypeFor[SessionAbout]():       {plain: "ID Reasons", facts: "Person"},
	reflect.TypeFor[RelatedSession]():     {plain: "ID State DocumentKind CreatedAt By", number: "ExternalReference"},
	reflect.TypeFor[Session]():            sessionVeil,
	reflect.TypeFor[WorkflowRef]():        {plain: "ID Name Number LivenessNotice"},
	reflect.TypeFor[idv.StepProblem]():    {plain: "Code Step"},
	reflect.TypeFor[Keeping]():            {plain: "PicturesUntil ReportUntil PicturesErasedAt HeldSince"},

	reflect.TypeFor[verified.Outputs]():         {plain: "FamilyName GivenNames DateOfBirth Sex Nationality Address Document Credentials"},
	reflect.TypeFor[verified.DocumentOutputs](): {plain: "Kind Number Issuer DateOfIssue DateOfExpiry"},
	reflect.TypeFor[verified.Fact]():            {plain: "Name Rule Spelling Sources Disagree Correction", fact: "Value"},
	reflect.TypeFor[verified.Corrected]():       {plain: "By At"},
	reflect.TypeFor[verified.Credential]():      {plain: "Format Type Claims"},
	reflect.TypeFor[verified.CredentialClaim](): {plain: "Path", gone: "Value"}, // nobody knows what it is

	reflect.TypeFor[SessionFile](): {
		plain: "Session Report Verified Decisions Captures Artifacts Timeline Case Reviews Members Holds Receipt Related Earlier",
	},
	reflect.TypeFor[idv.Report]():          {plain: "ID Session Workflow Document Checks Claims Captures Notices MadeAt Digest"},
	reflect.TypeFor[idv.ReportedCapture](): {plain: "Step Side Kind Source"},
	reflect.TypeFor[idv.DocumentSummary](): {plain: "Kind Issuer MRZ Said"},
	reflect.TypeFor[idv.SaidDocument]():    {plain: "Kind Country"},
	reflect.TypeFor[idv.MRZ](): {
		plain: "Format CheckDigitsOK ReadersAgree CutOff PrintedZone Verified Confidence Boxes FailedChecks Doubts", gone: "Lines RawLines SecondLines",
	},
	reflect.TypeFor[idv.ZoneDoubt](): {plain: "Code Source Fields"},
	reflect.TypeFor[idv.Check]():     {plain: "ID Session Kind Required Lifecycle Finding BrokenBy Inputs Duration SettledAt"},
	reflect.TypeFor[idv.Finding](): {
		plain: "Outcome Reasons Score Threshold ReferBelow Rates Models Inputs Places NotApply Confirmed Portrait Screening Seen Note", bare: "Measures",
	},
	reflect.TypeFor[idv.SeenFinding]():    {plain: "Others More Entries Velocity Gallery Origin"},
	reflect.TypeFor[idv.NetworkOrigin]():  {plain: "Country ASN Hosting Anonymous Gaps"},
	reflect.TypeFor[idv.OriginGaps]():     {plain: "Country ASN Kind"},
	reflect.TypeFor[idv.GallerySearch]():  {plain: "Fault Faces Target Alone Beside Strangers FNMR MostAlone Unlooked Consented"},
	reflect.TypeFor[idv.SeenOther]():      {plain: "Session Same Face Facts SameReference Refers NotSame"},
	reflect.TypeFor[idv.BlockedBy]():      {plain: "Entry Kind Declines"},
	reflect.TypeFor[idv.VelocityCounts](): {plain: "AddressHour AddressDay Document Person Reference Known Allowed"},
	reflect.TypeFor[SeenSessions]():       {plain: "Items"},
	reflect.TypeFor[SessionSeen]():        {plain: "Items Reasons"},
	reflect.TypeFor[LinkDecided](): {
		plain: "State Returned Reason DecidedBy DecidedAt SecondBy SecondAt Said Version", gone: "Note",
	},
	reflect.TypeFor[Opinion](): {plain: "By Name At Decision Reason", gone: "Note"},
	reflect.TypeFor[SeenSession](): {
		plain: "ID State Outcome DocumentKind CreatedAt Same Face Facts SameReference Refers FoundAt Erased Signs Decided", number: "ExternalReference",
	},
	reflect.TypeFor[DuplicateClusters](): {plain: "Items Reasons Galleries"},
	reflect.TypeFor[Gallery]():           {plain: "Name Faces State Why Memory Carries"},
	reflect.TypeFor[GalleryCarries]():    {plain: "FPIR Faces Alone Beside"},
	reflect.TypeFor[DuplicateCluster]():  {plain: "FoundAt Sessions Links"},
	reflect.TypeFor[DuplicateSession]():  {plain: "ID State Outcome DocumentKind CreatedAt"},
	reflect.TypeFor[DuplicateLink]():     {plain: "From To Same Face Signs Decided"},
	reflect.TypeFor[idv.Screening]():     {plain: "Topic Index Lists Alarms Hits"},
	reflect.TypeFor[idv.ScreenedList]():  {plain: "Name Title SHA256 Published"},
	reflect.TypeFor[idv.ScreeningHit](): {
		plain: "List Version Index Topic Topics Band NameGrade Birth Nationality Sex Number Mixed",
		gone:  "Entry FormerIDs Content Read Listed Parts Names Births Nationalities Sexes Programmes ListedOn Remarks",
	},
	reflect.TypeFor[HitPage]():     {plain: "Items Next Counts"},
	reflect.TypeFor[HitCounts]():   {plain: "Open Unsure AwaitsSecond NotThePerson IsThePerson"},
	reflect.TypeFor[SessionHits](): {plain: "Items Reasons"},
	reflect.TypeFor[Hit](): {
		plain: "ID Session Mode State Trigger Found Was OpenedAt DecidedBy DecidedAt Reason ValidUntil SecondBy SecondAt Said Version", gone: "Note",
	},
	reflect.TypeFor[idv.FindingPlace]():  {plain: "Side Box Frame What Value"},
	reflect.TypeFor[idv.ConfirmedFact](): {plain: "Claim By"},
	reflect.TypeFor[idv.Reason]():        {plain: "Code Step Claim Sources Confirmed"},
	reflect.TypeFor[idv.ErrorRates](): {
		plain: "FMR FNMR APCER APCERUpper BPCER DataSet OnPeople Note",
	},
	reflect.TypeFor[idv.ModelRef]():  {plain: "Name Version SHA256"},
	reflect.TypeFor[idv.Claim]():     {plain: "Name Source Side Capture Confidence Readers Box", fact: "Value"},
	reflect.TypeFor[idv.Box]():       {plain: "X Y Width Height"},
	reflect.TypeFor[Decision]():      {plain: "ID Outcome Reasons Rule By Report ReportDigest DecidedAt Assurance", gone: "Note"},
	reflect.TypeFor[idv.Assurance](): {plain: "Level Met Missing"},
	reflect.TypeFor[Capture]():       {plain: "ID Step Side Kind Source Width Height CreatedAt", gone: "URL"},
	reflect.TypeFor[Artifact]():      {plain: "ID Capture Kind Side Present Absent Producer Version", gone: "Data URL"},
	reflect.TypeFor[Event]():         {plain: "ID Type At Actor Payload"},

	reflect.TypeFor[CasePage]():   {plain: "Items Next Counts"},
	reflect.TypeFor[CaseCounts](): {plain: "Unclaimed Mine All"},
	reflect.TypeFor[CaseFile]():   {plain: "Case Reviews Steps"},
	reflect.TypeFor[Case](): {
		plain: "ID Mode State Session Workflow Reasons Version ReportDigest Assignee ClaimedUntil TwoPersons NotByCreator ApprovedBy OpenedAt DueAt ClosedAt",
	},
	reflect.TypeFor[CaseSession](): {plain: "ID State DocumentKind CreatedBy CreatedAt", number: "ExternalReference", facts: "Person"},
	reflect.TypeFor[Member]():      {plain: "ID Name"}, // of the team, not an applicant
	reflect.TypeFor[Review]():      {plain: "ID Case By Kind Reasons Step At Correction", gone: "Note"},
	reflect.TypeFor[Correction]():  {plain: "Name", fact: "From To"},

	reflect.TypeFor[Hold]():           {plain: "SetBy SetAt LiftedBy LiftedAt", gone: "Reason"},
	reflect.TypeFor[Receipt]():        {plain: "Session ErasedAt FinishedAt Statement StatementDigest Audit"},
	reflect.TypeFor[ReceiptEntry]():   {plain: "Entry Position Proof"},
	reflect.TypeFor[InclusionProof](): {plain: "Size Root Hashes Signature PublicKey SignedAt"},

	reflect.TypeFor[SessionFacets](): {plain: "Workflows Countries"},
	reflect.TypeFor[State]():         {plain: "Code Name"},
	reflect.TypeFor[SavedViews]():    {plain: "Items"},
	reflect.TypeFor[SavedView]():     {plain: "ID Mode Name Filter CreatedAt"},
	reflect.TypeFor[ViewFilter]():    {plain: "State Outcome Reason Workflow Country Kind From To"},
}

// MaskAnswer returns what a use case answered, masked. Live updates hold ids, states and numbers; anything else that is not JSON is an
// error.
func MaskAnswer[O any](out *O) (*O, error) {
	switch x := any(out).(type) {
	case *None, *Stream:
		return out, nil
	case interface{ veil() error }:
		return out, x.veil()
	}
	return nil, fmt.Errorf("%T cannot be masked", out)
}

// masked copies an answer without what is personal in it. A type or field that veils does not name is an error: nobody has
// said yet whether it is personal.
func masked[T any](in T) (T, error) {
	var out T
	v, err := veiled(reflect.ValueOf(&in).Elem())
	if err == nil {
		reflect.ValueOf(&out).Elem().Set(v)
	}
	return out, err
}

func veiled(in reflect.Value) (reflect.Value, error) {
	switch in.Kind() {
	case reflect.Pointer:
		if in.IsNil() {
			return in, nil
		}
		to, err := veiled(in.Elem())
		if err != nil {
			return in, err
		}
		out := reflect.New(in.Type().Elem())
		out.Elem().Set(to)
		return out, nil
	case reflect.Slice:
		if in.IsNil() || !veilable(in.Type().Elem()) {
			return in, nil
		}
		out := reflect.MakeSlice(in.Type(), in.Len(), in.Len())
		for i := range in.Len() {
			one, err := veiled(in.Index(i))
			if err != nil {
				return in, err
			}
			out.Index(i).Set(one)
		}
		return out, nil
	case reflect.Struct:
		if in.Type() == reflect.TypeFor[time.Time]() {
			return in, nil
		}
		return veiledStruct(in)
	case reflect.Interface, reflect.Func, reflect.Chan:
		return in, fmt.Errorf("%s cannot be masked", in.Type())
	default:
		return in, nil
	}
}

// veilable reports whether values of a type can hold structs.
func veilable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Interface
}

func veiledStruct(in reflect.Value) (reflect.Value, error) {
	t := in.Type()
	table, known := veils[t]
	if !known {
		return in, fmt.Errorf("nobody said what is personal in %s", t)
	}
	out := reflect.New(t).Elem()
	for i := range t.NumField() {
		name, from, to := t.Field(i).Name, in.Field(i), out.Field(i)
		switch {
		case names(table.plain, name):
			v, err := veiled(from)
			if err != nil {
				return in, err
			}
			to.Set(v)
		case names(table.number, name):
			to.SetString(maskedNumber(from.String()))
		case names(table.fact, name):
			setFact(to, from, idv.ClaimName(in.FieldByName("Name").String()))
		case names(table.facts, name):
			to.Set(maskedFacts(from))
		case names(table.pairs, name):
			to.Set(maskedPairs(from))
		case names(table.bare, name):
			to.Set(bareMap(from))
		case names(table.gone, name):
			if from.Kind() == reflect.Slice && from.Type() != reflect.TypeFor[[]byte]() && !from.IsNil() && from.Type().Elem().Kind() == reflect.String {
				to.Set(reflect.MakeSlice(from.Type(), 0, 0))
			}
		default:
			return in, fmt.Errorf("nobody said whether %s.%s is personal", t, name)
		}
	}
	return out, nil
}

// setFact masks a fact, which may be null.
func setFact(to, from reflect.Value, name idv.ClaimName) {
	if from.Kind() != reflect.Pointer {
		to.SetString(maskedFact(name, from.String()))
		return
	}
	if !from.IsNil() {
		text := maskedFact(name, from.Elem().String())
		to.Set(reflect.ValueOf(&text))
	}
}

// names reports whether a list contains a field.
func names(list, field string) bool {
	for one := range strings.FieldsSeq(list) {
		if one == field {
			return true
		}
	}
	return false
}

// hidden replaces what is not shown, however long it is.
const hidden = "••••"

// maskedFacts masks facts by their kind.
func maskedFacts(in reflect.Value) reflect.Value {
	if in.IsNil() {
		return in
	}
	out := reflect.MakeMapWithSize(in.Type(), in.Len())
	for each := in.MapRange(); each.Next(); {
		to := maskedFact(idv.ClaimName(each.Key().String()), each.Value().String())
		out.SetMapIndex(each.Key(), reflect.ValueOf(to).Convert(in.Type().Elem()))
	}
	return out
}

// maskedPairs hides keys and values: integrators name their keys as they like, also after people.
func maskedPairs(in reflect.Value) reflect.Value {
	if in.IsNil() {
		return in
	}
	out := reflect.MakeMapWithSize(in.Type(), in.Len())
	for n := range in.Len() {
		key := reflect.ValueOf(hidden + strconv.Itoa(n+1)).Convert(in.Type().Key())
		out.SetMapIndex(key, reflect.ValueOf(hidden).Convert(in.Type().Elem()))
	}
	return out
}

// bareMeasures are the measures of findings that say something about a picture, a run or a comparison and nothing about the
// person, without the side of the document that may stand before them. What is not in the list is left out: days_left, counted
// from when the check was settled, is the date of expiry.
const bareMeasures = "along blends brightness captures colour compared darkness disagree equal_gaps eyes_open face_width faceless flat " +
	"fmr_at_pass fmr_at_score fnmr_at_pass frames ghost ghost_width glare_area glare_text grain grid grid_period jumps likeness likeness_moving " +
	"likeness_moving_least line_pairs linked longest_gap_ms loose missed near neck passive per_second pictures pitch pixels_per_mm repeats roll same_pose " +
	"sharpness short_side skew span_ms stills stray tilt unreturned yaw"

// bareMap keeps the numbers that bareMeasures names.
func bareMap(in reflect.Value) reflect.Value {
	if in.IsNil() {
		return in
	}
	out := reflect.MakeMap(in.Type())
	for each := in.MapRange(); each.Next(); {
		name := each.Key().String()
		for _, side := range []idv.Side{idv.Front, idv.Back} {
			name = strings.TrimPrefix(name, string(side)+"_")
		}
		if names(bareMeasures, name) {
			out.SetMapIndex(each.Key(), each.Value())
		}
	}
	return out
}

// maskedFact shows of a fact what an auditor needs to follow a decision. A kind that nobody thought of is hidden.
func maskedFact(name idv.ClaimName, value string) string {
	if value == "" {
		return ""
	}
	switch name {
	case idv.FamilyName, idv.GivenNames:
		return maskedName(value)
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		return maskedDate(value)
	case idv.DocumentNumber, idv.PersonalNumber:
		return maskedNumber(value)
	case idv.Issuer, verified.KindName:
		return value
	default: // nationality, sex, place_of_birth, address, authority
		return hidden
	}
}

// maskedName leaves the first letter of each name.
func maskedName(value string) string {
	var out []string
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '<' }) {
		r := []rune(word)
		if len(r) == 1 {
			out = append(out, "•")
			continue
		}
		out = append(out, string(r[0])+"•••")
	}
	return strings.Join(out, " ")
}

// maskedNumber leaves the last two characters, of short ones nothing.
func maskedNumber(value string) string {
	r := []rune(value)
	switch {
	case len(r) == 0:
		return ""
	case len(r) < 6:
		return hidden
	default:
		return hidden + string(r[len(r)-2:])
	}
}

// maskedDate leaves the year of YYYY-MM-DD.
func maskedDate(value string) string {
	if year, rest, ok := strings.Cut(value, "-"); ok && len(year) == 4 && len(rest) == 5 {
		return year + "-••-••"
	}
	return hidden
}
