package workflow

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// scale is a measurement that reaches two rates.
func scale() *FaceRates {
	return &FaceRates{OnPeople: true, Points: []FacePoint{{FMR: "3e-3", Threshold: 0.38, FNMR: 0.004}, {FMR: "1e-3", Threshold: 0.42, FNMR: 0.0125}}}
}

func plain() idv.WorkflowVersion {
	w := idv.DefaultWorkflow(idv.Live)
	w.FaceFMR, w.FaceReferFMR = "3e-3", "1e-2"
	return w
}

func without(kinds []idv.CheckKind, gone ...idv.CheckKind) []idv.CheckKind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k idv.CheckKind) bool { return slices.Contains(gone, k) })
}

// differing changes one field in each row; the text is the whole comparison.
var differing = []struct {
	name   string
	field  string // of the version, with a part of it
	before func(*idv.WorkflowVersion)
	after  func(*idv.WorkflowVersion)
	want   []Difference
}{
	{"a selfie is left out", "Steps", nil, func(w *idv.WorkflowVersion) { w.Steps = w.Steps[:4] },
		[]Difference{{"/steps", "A selfie is no longer requested. The person is no longer compared with the document.", Looser}}},
	{"a back is asked for", "Steps", func(w *idv.WorkflowVersion) { w.Steps = []idv.Step{"consent", "choose", "document_front", "selfie"} }, nil,
		[]Difference{{"/steps", "The back of cards is now requested.", Stricter}}},
	{"a back is left out while the zone has to be read", "Steps", nil, func(w *idv.WorkflowVersion) { w.Steps = difference(w.Steps, []idv.Step{"document_back"}) },
		[]Difference{{
			"/steps",
			"The back of cards is no longer requested. Nothing on it is read. Cards with the machine-readable zone on the back can then no longer be read, and go " +
				"to review once no attempts are left.",
			Neither,
		}}},
	{"a back is left out, and no zone has to be read", "Steps", zoneless,
		func(w *idv.WorkflowVersion) { zoneless(w); w.Steps = difference(w.Steps, []idv.Step{"document_back"}) },
		[]Difference{{"/steps", "The back of cards is no longer requested. Nothing on it is read.", Looser}}},
	{"all kinds become two", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.Passport, idv.IDCard} },
		[]Difference{{"/documents", "No longer accepted: residence permits and driving licences.", Stricter}}},
	{"one kind becomes another", "Documents", func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.Passport} },
		func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.IDCard} },
		[]Difference{{"/documents", "No longer accepted: passports.", Stricter}, {"/documents", "Now accepted: identity cards.", Looser}}},
	{"a visa is named beside all others", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = idv.DocumentKinds() },
		[]Difference{{"/documents", "Now accepted: visas.", Looser}}},
	{"every kind is named", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = idv.IdentityDocuments() },
		[]Difference{{"/documents", "Only the listed document types are accepted; types added in later releases are not.", Neither}}},
	{"one state goes, one comes", "Countries", func(w *idv.WorkflowVersion) { w.Countries = []string{"D", "AUT"} },
		func(w *idv.WorkflowVersion) { w.Countries = []string{"AUT", "FRA"} },
		[]Difference{
			{"/countries", "Documents from Germany (D) are no longer accepted.", Stricter}, {"/countries", "Documents from France (FRA) are now accepted.", Looser},
		}},
	{"every state becomes one", "Countries", nil, func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} },
		[]Difference{{"/countries", "Only documents from Germany (D) are accepted (was: all states).", Stricter}}},
	{"one state becomes every state", "Countries", func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} }, nil,
		[]Difference{{"/countries", "Documents from all states are accepted (was: Germany (D) only).", Looser}}},
	{"specimens are accepted", "AcceptSpecimens", nil, func(w *idv.WorkflowVersion) { w.AcceptSpecimens = true },
		[]Difference{{"/accept_specimens", "Specimens are accepted.", Looser}}},
	{"an age is asked for", "MinimumAge", nil, func(w *idv.WorkflowVersion) { w.MinimumAge = 18 },
		[]Difference{{"/minimum_age", "The minimum age is 18; there was none.", Stricter}}},
	{"the age goes down", "MinimumAge", func(w *idv.WorkflowVersion) { w.MinimumAge = 21 }, func(w *idv.WorkflowVersion) { w.MinimumAge = 18 },
		[]Difference{{"/minimum_age", "The minimum age is 18 (was 21).", Looser}}},
	{"liveness is not required", "Required", nil, func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckLiveness, idv.CheckReplay) },
		[]Difference{
			{
				"/required",
				"“Did a live person answer the challenge?” is no longer required. Nothing proves that a live person sent the selfie, and every report will say so.",
				Looser,
			},
			{"/required", "“Are the frames new?” is no longer required. It decides nothing on its own; rules can still use it.", Looser},
		}},
	{"a check is required", "Required", func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckDocumentOriginal) }, nil,
		[]Difference{{"/required", "“Is it the original, not a copy?” has to pass where it applies. If it cannot run, the session goes to review.", Stricter}}},
	{"a check is required that can be skipped unnoticed", "Required",
		func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckPortraitOriginal) }, nil,
		[]Difference{{
			"/required",
			"“Is the portrait original?” has to pass where it applies. If it cannot run, the session goes to review. It is skipped, without blocking approval, if " +
				"there is no portrait, or if the picture is too coarse and no second portrait was found.",
			Stricter,
		}}},
	{"faces have to be more alike", "FaceFMR", nil, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-3" },
		[]Difference{{
			"/face_fmr",
			"Face match: passes from a similarity of 0.42 (was 0.38). About 1 in 1\u202f000 strangers would pass (was 1 in 330), and " +
				"1.3\u00a0% of genuine applicants would not (was 0.4\u00a0%).",
			Stricter,
		}}},
	{"a rate that was not measured", "FaceFMR", nil, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-5" },
		[]Difference{{"/face_fmr", "Face match: about 1 in 100\u202f000 strangers would pass (was 1 in 330).", Stricter}}},
	{"a person looks at fewer", "FaceReferFMR", nil, func(w *idv.WorkflowVersion) { w.FaceReferFMR = "3e-3" },
		[]Difference{{"/face_refer_fmr", "Face match: about 1 in 330 strangers would go to review (was 1 in 100).", Stricter}}},
	{
		"more tries at a step", "StepAttempts", nil, func(w *idv.WorkflowVersion) { w.StepAttempts = 5 },
		[]Difference{{"/step_attempts", "Attempts per step: 5 (was 3).", Looser}},
	},
	{"fewer tries of a session", "SessionAttempts", nil, func(w *idv.WorkflowVersion) { w.SessionAttempts = 20 },
		[]Difference{{"/session_attempts", "Attempts per session: 20 (was 40).", Stricter}}},
	{"a link lives for a week", "LinkLife", nil, func(w *idv.WorkflowVersion) { w.LinkLife = 168 * time.Hour },
		[]Difference{{"/link_hours", "Links can be opened for: 7 days (was 48 hours).", Neither}}},
	{"a session lives for an hour", "SessionLife", nil, func(w *idv.WorkflowVersion) { w.SessionLife = time.Hour },
		[]Difference{{"/session_hours", "Time to finish after opening: 1 hour (was 24 hours).", Neither}}},
	{"other pages may embed it", "EmbedOrigins",
		func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"https://a.example", "https://b.example"} },
		func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"https://b.example", "https://c.example"} },
		[]Difference{
			{"/embed_origins", "Pages on https://c.example can now embed it.", Neither}, {"/embed_origins", "Pages on https://a.example can no longer embed " +
				"it.", Neither},
		}},
	{
		"a higher assurance level", "Assurance", nil, func(w *idv.WorkflowVersion) { w.Assurance = idv.AssuranceSubstantial },
		[]Difference{{"/assurance", "Automatic approval now needs the assurance level substantial (was low).", Stricter}},
	},
	{
		"a lower assurance level", "Assurance", func(w *idv.WorkflowVersion) { w.Assurance = idv.AssuranceSubstantial }, nil,
		[]Difference{{"/assurance", "Automatic approval now needs only the assurance level low (was substantial).", Looser}},
	},
	{
		"re-verification is no duplicate", "Seen.Again", nil, func(w *idv.WorkflowVersion) { w.Seen.Again = true },
		[]Difference{{"/seen/again", "The same person under the same reference no longer goes to review as a duplicate.", Looser}},
	},
	{
		"another kind of document is no duplicate", "Seen.Papers", nil, func(w *idv.WorkflowVersion) { w.Seen.Papers = true },
		[]Difference{{"/seen/papers", "The same person with another kind of document no longer goes to review as a duplicate.", Looser}},
	},
	{
		"a limit that is the default", "Seen.Velocity", nil, func(w *idv.WorkflowVersion) { w.Seen.Velocity.Document = 3 }, []Difference{},
	},
	{"a gallery of another name, that keeps faces longer", "Seen.Gallery", nil,
		func(w *idv.WorkflowVersion) { w.Seen.Gallery = idv.GallerySettings{Name: "shops", Months: 24} },
		[]Difference{
			{"/seen/gallery/name", `Faces are compared with the gallery "shops" (was "main").`, Neither},
			{"/seen/gallery/months", "Faces are kept for comparison for 24 months (was 12).", Neither},
		}},
	{"a gallery that may find more strangers, in other words", "Seen.Gallery", func(w *idv.WorkflowVersion) { w.Seen.Gallery.Consent = "One." },
		func(w *idv.WorkflowVersion) { w.Seen.Gallery = idv.GallerySettings{Consent: "Two.", FPIR: "1e-1"} },
		[]Difference{
			{"/seen/gallery/consent", "The consent text for comparing faces changed.", Neither},
			{"/seen/gallery/fpir", "A face search may find a stranger at a rate of 1e-1 (was 1e-2).", Stricter},
		}},
	{
		"a lower limit of velocity", "Seen.Velocity", nil, func(w *idv.WorkflowVersion) { w.Seen.Velocity.AddressHour = 2 },
		[]Difference{{"/seen/address_hour", "Sessions go to review if there are more than 2 from one network in an hour (was 5).", Stricter}},
	},
	{
		"people are screened for sanctions", "Screening.Topics", nil,
		func(w *idv.WorkflowVersion) { w.Screening.Topics = []idv.ScreeningTopic{idv.TopicSanctions} },
		[]Difference{{"/screening/topics", "People are screened against watchlists: sanctions.", Stricter}},
	},
	{
		"people are no longer screened for exposed people", "Screening.Topics",
		func(w *idv.WorkflowVersion) { w.Screening.Topics = []idv.ScreeningTopic{idv.TopicPEP} }, nil,
		[]Difference{{"/screening/topics", "People are no longer screened against watchlists: pep.", Looser}},
	},
	{
		"only strong matches refer", "Screening.From", nil, func(w *idv.WorkflowVersion) { w.Screening.From = idv.BandStrong },
		[]Difference{{"/screening/from", "Hits go to review if they are at least strong (was possible).", Looser}},
	},
	{
		"people are screened again", "Screening.Monitor", nil, func(w *idv.WorkflowVersion) { w.Screening.Monitor = true },
		[]Difference{{"/screening/monitor", "Approved people are screened again as the lists change.", Stricter}},
	},
	{
		"a wallet is offered", "Wallet", nil, func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletOffered },
		[]Difference{{"/wallet", "Wallet credentials: offered (was off).", Neither}},
	},
	{
		"a wallet is required", "Wallet", func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletOffered },
		func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletRequired },
		[]Difference{{"/wallet", "Wallet credentials: required (was offered).", Stricter}},
	},
	{
		"wallets are asked for something else", "WalletAsks", func(w *idv.WorkflowVersion) { w.WalletAsks = []idv.WalletAsk{idv.AskPID, idv.AskMDL} },
		func(w *idv.WorkflowVersion) { w.WalletAsks = []idv.WalletAsk{idv.AskAge} },
		[]Difference{{
			"/wallet_asks", "Requested from wallets: an age and nothing else (was personal identification data or a driving licence).", Neither,
		}},
	},
	{
		"wallets are asked for another credential", "WalletOthers.Type", nil, func(w *idv.WorkflowVersion) {
			w.WalletOthers = []idv.WalletOther{{Format: idv.WalletSDJWT, Type: "urn:example:membership:1", Claims: []idv.WalletClaim{
				{Path: []string{"level", "name"}}, {Path: []string{"since"}, Optional: true},
			}}}
		},
		[]Difference{{
			"/wallet_others", "Other credentials requested from wallets: urn:example:membership:1 (dc+sd-jwt: level/name, since (optional)) (was nothing).", Neither,
		}},
	},
	{
		"wallets are asked for another format of it", "WalletOthers.Format", membership(idv.WalletSDJWT, "a", "b"), membership(idv.WalletMDoc, "a", "b"),
		[]Difference{{"/wallet_others", "Other credentials requested from wallets: x (mso_mdoc: a/b) (was x (dc+sd-jwt: a/b)).", Neither}},
	},
	{
		"wallets are asked for another claim of it", "WalletOthers.Claims", membership(idv.WalletMDoc, "a", "b"), membership(idv.WalletMDoc, "a", "c"),
		[]Difference{{"/wallet_others", "Other credentials requested from wallets: x (mso_mdoc: a/c) (was x (mso_mdoc: a/b)).", Neither}},
	},
	{
		"a credential replaces photographs", "WalletInstead", nil, func(w *idv.WorkflowVersion) { w.WalletInstead = true },
		[]Difference{{"/wallet_instead", "A valid credential replaces photos of the document.", Looser}},
	},
	{
		"a credential no longer replaces them", "WalletInstead", func(w *idv.WorkflowVersion) { w.WalletInstead = true }, nil,
		[]Difference{{"/wallet_instead", "The document is photographed even if a valid credential is presented.", Stricter}},
	},
	{
		"a chip is offered", "Chip", nil, func(w *idv.WorkflowVersion) { w.Chip = idv.ChipOffered },
		[]Difference{{"/chip", "Document chip: offered (was off).", Neither}},
	},
	{
		"a chip is required", "Chip", func(w *idv.WorkflowVersion) { w.Chip = idv.ChipOffered },
		func(w *idv.WorkflowVersion) { w.Chip = idv.ChipRequired },
		[]Difference{{"/chip", "Document chip: required (was offered).", Stricter}},
	},
	{
		"a chip is no longer taken", "Chip", func(w *idv.WorkflowVersion) { w.Chip = idv.ChipRequired }, nil,
		[]Difference{{"/chip", "Document chip: off (was required).", Looser}},
	},
	{
		"sources settle a document without a zone", "SettledBy", nil, func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoSources },
		[]Difference{{"/settled_by", "Documents without a machine-readable zone or barcode are settled by two sources that agree (was a reviewer).", Looser}},
	},
	{
		"readers do no longer", "SettledBy", func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoReaders },
		func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoSources },
		[]Difference{{"/settled_by", "Documents without a machine-readable zone or barcode are settled by two sources that agree (was two readers that " +
			"agree).", Stricter}},
	},
	{
		"two persons", "TwoPersons", nil, func(w *idv.WorkflowVersion) { w.TwoPersons = true },
		[]Difference{{"/two_persons", "Manual approvals need a second person.", Stricter}},
	},
	{
		"one's own sessions", "NotByCreator", func(w *idv.WorkflowVersion) { w.NotByCreator = true }, nil,
		[]Difference{{"/not_by_creator", "Members can decide sessions that they created.", Looser}},
	},
	{
		"another document after a decline", "AnotherDocument", nil, func(w *idv.WorkflowVersion) { w.AnotherDocument = true },
		[]Difference{{"/another_document", "People declined because of their document can try once more with another one.", Looser}},
	},
	{
		"the camera alone", "LiveCapture", nil, func(w *idv.WorkflowVersion) { w.LiveCapture = true },
		[]Difference{{"/live_capture", "Document and selfie have to be photographed in the page; files are refused.", Stricter}},
	},
	{
		"without a face", "FaceOptional", nil, func(w *idv.WorkflowVersion) { w.FaceOptional = true },
		[]Difference{{"/face_optional", "People who decline biometrics continue without a selfie, and the session goes to review.", Neither}},
	},
	{"pictures are kept shorter", "Retention.Pictures", nil, func(w *idv.WorkflowVersion) { w.Retention.Pictures = 30 * 24 * time.Hour },
		[]Difference{{"/retention/pictures_hours", "Retention of pictures: 30 days (was the deployment's setting).", Neither}}},
	{"reports are kept shorter", "Retention.Report", nil, func(w *idv.WorkflowVersion) { w.Retention.Report = 36 * time.Hour },
		[]Difference{{"/retention/report_hours", "Retention of facts and reports: 36 hours (was the deployment's setting).", Neither}}},
	{"a rule is added and one removed", "Rules.Name", ruled(idv.Rule{Name: "old", When: "true", Then: idv.DecideRefer}), ruled(idv.Rule{
		Name: "new", When: "attempts > 3", Then: idv.DecideDecline, Reasons: []string{"document.specimen"},
	}),
		[]Difference{
			{"/rules", "Rule “new” was added: if “attempts > 3”, the session is declined (document.specimen).", Neither},
			{"/rules", "Rule “old” was removed: if “true”, the session was referred.", Neither},
		}},
	{"a rule is added before another", "Rules", ruled(idv.Rule{Name: "a"}), ruled(idv.Rule{Name: "new", When: "true", Then: idv.DecideRefer}, idv.Rule{Name: "a"}),
		[]Difference{{"/rules", "Rule “new” was added, evaluated first: if “true”, the session is referred.", Neither}}},
	{"a rule is added after another", "Rules", ruled(idv.Rule{Name: "a"}, idv.Rule{Name: "b"}), ruled(
		idv.Rule{Name: "a"}, idv.Rule{Name: "new", When: "true", Then: idv.DecideRefer}, idv.Rule{Name: "b"},
	),
		[]Difference{{"/rules", "Rule “new” was added, evaluated after “a”: if “true”, the session is referred.", Neither}}},
	{"a rule asks something else", "Rules.When", ruled(
		idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer},
	), ruled(idv.Rule{Name: "r", When: "false", Then: idv.DecideRefer}),
		[]Difference{{"/rules", "Rule “r” now tests “false” (was “true”).", Neither}}},
	{"a rule declines", "Rules.Then", ruled(
		idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer},
	), ruled(idv.Rule{Name: "r", When: "true", Then: idv.DecideDecline}),
		[]Difference{{"/rules", "If rule “r” applies, the session is declined (was referred).", Stricter}}},
	{"a rule has another reason", "Rules.Reasons", ruled(idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer}), ruled(idv.Rule{
		Name: "r", When: "true", Then: idv.DecideRefer, Reasons: []string{"document.specimen"},
	}),
		[]Difference{{"/rules", "Rule “r” gives the reasons document.specimen (was none).", Neither}}},
	{
		"another name", "Brand.Name", nil, branded(idv.Brand{Name: "Example Bank"}),
		[]Difference{{"/brand/name", "The display name is “Example Bank” (was the deployment's value).", Neither}},
	},
	{
		"another colour", "Brand.Colour", branded(idv.Brand{Colour: "#0f766e"}), branded(idv.Brand{Colour: "#c2185b"}),
		[]Difference{{"/brand/colour", "The colour is “#c2185b” (was “#0f766e”).", Neither}},
	},
	{"a logo", "Brand.Logo", nil, branded(idv.Brand{Logo: "aa"}), []Difference{{"/brand/logo", "The logo changed.", Neither}}},
	{
		"no logo any more", "Brand.Logo", branded(idv.Brand{Logo: "aa"}), nil,
		[]Difference{{"/brand/logo", "The version's own logo was removed; the deployment's is shown, if it has one.", Neither}},
	},
	{
		"help elsewhere", "Brand.Support", nil, branded(idv.Brand{Support: "https://bank.example/help"}),
		[]Difference{{"/brand/support", "The help link is “https://bank.example/help” (was the deployment's value).", Neither}},
	},
	{
		"a privacy notice less", "Brand.Privacy", branded(idv.Brand{Privacy: "https://bank.example/p"}), nil,
		[]Difference{{"/brand/privacy", "The privacy notice link is the deployment's value (was “https://bank.example/p”).", Neither}},
	},
	{"fewer languages", "Brand.Languages", branded(idv.Brand{Languages: []string{"de", "en"}}), branded(idv.Brand{Languages: []string{"en", "fr"}}),
		[]Difference{{"/brand/languages", "Languages no longer offered: de.", Neither}, {"/brand/languages", "Languages now offered: fr.", Neither}}},
	{
		"a sentence", "Brand.Hello", nil, branded(idv.Brand{Hello: []idv.BrandText{{Language: "en", Text: "Welcome."}}}),
		[]Difference{{"/brand/hello", "The welcome text (en) is now “Welcome.”.", Neither}},
	},
	{
		"no sentence", "Brand.Hello", branded(idv.Brand{Hello: []idv.BrandText{{Language: "en", Text: "Welcome."}}}), nil,
		[]Difference{{"/brand/hello", "The welcome text (en) is now empty.", Neither}},
	},
	{
		"a target of its own", "CaseTarget", nil, func(w *idv.WorkflowVersion) { w.CaseTarget = 24 * time.Hour },
		[]Difference{{"/case_hours", "Target for deciding a case: 24 hours (was the deployment's target).", Neither}},
	},
	{
		"a share for quality", "QualityShare", nil, func(w *idv.WorkflowVersion) { w.QualityShare = 5 },
		[]Difference{{"/quality_share", "5 % of approvals get a second look (was 0 %).", Neither}},
	},
	{"rules are asked in another order", "Rules", ruled(idv.Rule{Name: "a"}, idv.Rule{Name: "b"}), ruled(idv.Rule{Name: "b"}, idv.Rule{Name: "a"}),
		[]Difference{{"/rules", "The order of the rules changed; the first match decides: b and a.", Neither}}},
}

func branded(b idv.Brand) func(*idv.WorkflowVersion) {
	return func(w *idv.WorkflowVersion) { w.Brand = b }
}

func ruled(rules ...idv.Rule) func(*idv.WorkflowVersion) {
	return func(w *idv.WorkflowVersion) { w.Rules = rules }
}

func zoneless(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckMRZVerified) }

func TestRatesOfNoPeopleAreToldAsSuch(t *testing.T) {
	a, b, rates := plain(), plain(), scale()
	rates.OnPeople, a.FaceFMR, a.FaceReferFMR = false, "1e-3", "1e-3"
	b.FaceReferFMR = "3e-3"
	got := Compare(a, b, rates)
	if len(got) != 2 {
		t.Fatalf("got %v", got)
	}
	for _, d := range got {
		if !strings.Contains(d.Text, " (not measured on people).") {
			t.Errorf("%s: %s", d.Field, d.Text)
		}
	}
}

func TestWhatDiffersIsSaidInWords(t *testing.T) {
	for _, c := range differing {
		t.Run(c.name, func(t *testing.T) {
			a, b := plain(), plain()
			if c.before != nil {
				c.before(&a)
			}
			if c.after != nil {
				c.after(&b)
			}
			if diff := cmp.Diff(c.want, Compare(a, b, scale())); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := Compare(b, b, scale()); len(got) > 0 {
				t.Errorf("a version differs from itself: %v", got)
			}
		})
	}
}

// A field that is added to a version, or to a type in it, belongs in the table above.
func TestEveryFieldOfAVersionIsCompared(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range differing {
		field, part, _ := strings.Cut(c.field, ".")
		tried[field], tried[field+"."+part] = true, true
	}
	said := map[string]bool{}
	for _, s := range spoken {
		said[s.field] = true
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[idv.WorkflowVersion]()) {
		if slices.Contains(identity, f.Name) {
			continue
		}
		if !said[f.Name] || !tried[f.Name] {
			t.Errorf("%s is said: %v, tried: %v", f.Name, said[f.Name], tried[f.Name])
		}
		for _, part := range parts(f.Type) {
			if !tried[f.Name+"."+part] {
				t.Errorf("%s.%s is not tried", f.Name, part)
			}
		}
	}
}

// parts returns the names of the fields of a field's type.
func parts(t reflect.Type) []string {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return mapped(reflect.VisibleFields(t), func(f reflect.StructField) string { return f.Name })
}

func TestEveryCheckStepAndKindHasWords(t *testing.T) {
	steps, _ := Steps()
	for _, s := range steps {
		if asked[s] == "" {
			t.Errorf("step %s", s)
		}
	}
	for _, k := range idv.CheckKinds() {
		if k.Question() == "" {
			t.Errorf("check %s", k)
		}
	}
	for _, k := range idv.DocumentKinds() {
		if kinds[k] == "" {
			t.Errorf("kind %s", k)
		}
	}
}

func TestADraftIsComparedWithWhatIsPublished(t *testing.T) {
	at := func(n int, s idv.WorkflowState) Version {
		return Version{WorkflowVersion: idv.WorkflowVersion{Number: n, State: s}}
	}
	w := Workflow{Versions: []Version{at(4, idv.Draft), at(3, idv.Retired), at(2, idv.Published), at(1, idv.Retired)}}
	for number, want := range map[int]int{4: 2, 3: 2, 2: 1, 1: 0} {
		got, ok := w.before(w.Versions[4-number])
		if got.Number != want || ok != (want > 0) {
			t.Errorf("version %d is compared with %d, want %d", number, got.Number, want)
		}
	}
}
