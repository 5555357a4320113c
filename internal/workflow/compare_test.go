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
		[]Difference{{"/steps", "A selfie is no longer asked for. Nothing compares the person with the document.", Looser}}},
	{"a back is asked for", "Steps", func(w *idv.WorkflowVersion) { w.Steps = []idv.Step{"consent", "choose", "document_front", "selfie"} }, nil,
		[]Difference{{"/steps", "The back of cards is asked for.", Stricter}}},
	{"a back is left out while the zone has to be read", "Steps", nil, func(w *idv.WorkflowVersion) { w.Steps = difference(w.Steps, []idv.Step{"document_back"}) },
		[]Difference{{
			"/steps",
			"The back of cards is no longer asked for. Nothing on it is read. A card whose machine-readable zone is on the back then has none to read, and " +
				"goes to a person after its tries.",
			Neither,
		}}},
	{"a back is left out, and no zone has to be read", "Steps", zoneless,
		func(w *idv.WorkflowVersion) { zoneless(w); w.Steps = difference(w.Steps, []idv.Step{"document_back"}) },
		[]Difference{{"/steps", "The back of cards is no longer asked for. Nothing on it is read.", Looser}}},
	{"all kinds become two", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.Passport, idv.IDCard} },
		[]Difference{{"/documents", "No longer accepted: residence permits and driving licences.", Stricter}}},
	{"one kind becomes another", "Documents", func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.Passport} },
		func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.IDCard} },
		[]Difference{{"/documents", "No longer accepted: passports.", Stricter}, {"/documents", "Now accepted: identity cards.", Looser}}},
	{"a visa is named beside all others", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = idv.DocumentKinds() },
		[]Difference{{"/documents", "Now accepted: visas.", Looser}}},
	{"every kind is named", "Documents", nil, func(w *idv.WorkflowVersion) { w.Documents = idv.IdentityDocuments() },
		[]Difference{{"/documents", "The kinds of document are named one by one: one that a later release adds is not accepted.", Neither}}},
	{"one state goes, one comes", "Countries", func(w *idv.WorkflowVersion) { w.Countries = []string{"D", "AUT"} },
		func(w *idv.WorkflowVersion) { w.Countries = []string{"AUT", "FRA"} },
		[]Difference{
			{"/countries", "Documents of Germany (D) are no longer accepted.", Stricter}, {"/countries", "Documents of France (FRA) are now accepted.", Looser},
		}},
	{"every state becomes one", "Countries", nil, func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} },
		[]Difference{{"/countries", "Only documents of Germany (D) are accepted, instead of those of every state.", Stricter}}},
	{"one state becomes every state", "Countries", func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} }, nil,
		[]Difference{{"/countries", "Documents of every state are accepted, instead of those of Germany (D) only.", Looser}}},
	{"specimens are accepted", "AcceptSpecimens", nil, func(w *idv.WorkflowVersion) { w.AcceptSpecimens = true },
		[]Difference{{"/accept_specimens", "Specimens are accepted.", Looser}}},
	{"an age is asked for", "MinimumAge", nil, func(w *idv.WorkflowVersion) { w.MinimumAge = 18 },
		[]Difference{{"/minimum_age", "The minimum age is 18; there was none.", Stricter}}},
	{"the age goes down", "MinimumAge", func(w *idv.WorkflowVersion) { w.MinimumAge = 21 }, func(w *idv.WorkflowVersion) { w.MinimumAge = 18 },
		[]Difference{{"/minimum_age", "The minimum age is 18 instead of 21.", Looser}}},
	{"liveness is not required", "Required", nil, func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckLiveness, idv.CheckReplay) },
		[]Difference{
			{
				"/required",
				"“Did a live person answer the challenge?” no longer has to pass. Nothing proves any more that a live person sent the selfie: every verdict says so.",
				Looser,
			},
			{"/required", "“Are the frames new?” no longer has to pass. It decides nothing by itself; rules can still ask for it.", Looser},
		}},
	{"a check is required", "Required", func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckDocumentOriginal) }, nil,
		[]Difference{{"/required", "“Is it the original, not a copy?” has to pass where it applies. Where it cannot run, a person looks.", Stricter}}},
	{"a check is required that can be skipped unnoticed", "Required",
		func(w *idv.WorkflowVersion) { w.Required = without(w.Required, idv.CheckPortraitOriginal) }, nil,
		[]Difference{{
			"/required",
			"“Is the portrait original?” has to pass where it applies. Where it cannot run, a person looks. Where there is no portrait, or the picture is too " +
				"coarse and no second portrait was found, it is skipped and does not stand in the way.",
			Stricter,
		}}},
	{"faces have to be more alike", "FaceFMR", nil, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-3" },
		[]Difference{{
			"/face_fmr",
			"Faces: a similarity of 0.42 passes instead of 0.38: about 1 in 1\u202f000 strangers would pass instead of 1 in 330, and of the right people " +
				"1.3\u00a0% would not instead of 0.4\u00a0%.",
			Stricter,
		}}},
	{"a rate that was not measured", "FaceFMR", nil, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-5" },
		[]Difference{{"/face_fmr", "Faces: about 1 in 100\u202f000 strangers would pass instead of 1 in 330.", Stricter}}},
	{"a person looks at fewer", "FaceReferFMR", nil, func(w *idv.WorkflowVersion) { w.FaceReferFMR = "3e-3" },
		[]Difference{{"/face_refer_fmr", "Faces: a person looks where about 1 in 330 strangers would come to them instead of 1 in 100.", Stricter}}},
	{
		"more tries at a step", "StepAttempts", nil, func(w *idv.WorkflowVersion) { w.StepAttempts = 5 },
		[]Difference{{"/step_attempts", "Tries at a step: 5 instead of 3.", Looser}},
	},
	{"fewer tries of a session", "SessionAttempts", nil, func(w *idv.WorkflowVersion) { w.SessionAttempts = 20 },
		[]Difference{{"/session_attempts", "Tries of a session: 20 instead of 40.", Stricter}}},
	{"a link lives for a week", "LinkLife", nil, func(w *idv.WorkflowVersion) { w.LinkLife = 168 * time.Hour },
		[]Difference{{"/link_hours", "A link can be opened for 7 days instead of 48 hours.", Neither}}},
	{"a session lives for an hour", "SessionLife", nil, func(w *idv.WorkflowVersion) { w.SessionLife = time.Hour },
		[]Difference{{"/session_hours", "After opening the link a person has 1 hour instead of 24 hours.", Neither}}},
	{"other pages may embed it", "EmbedOrigins",
		func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"https://a.example", "https://b.example"} },
		func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"https://b.example", "https://c.example"} },
		[]Difference{
			{"/embed_origins", "Pages of https://c.example may embed it.", Neither}, {"/embed_origins", "Pages of https://a.example may no longer embed it.", Neither},
		}},
	{
		"a higher assurance level", "Assurance", nil, func(w *idv.WorkflowVersion) { w.Assurance = idv.AssuranceSubstantial },
		[]Difference{{"/assurance", "An approval by the policy needs the assurance level substantial; low was enough.", Stricter}},
	},
	{
		"a lower assurance level", "Assurance", func(w *idv.WorkflowVersion) { w.Assurance = idv.AssuranceSubstantial }, nil,
		[]Difference{{"/assurance", "The assurance level low is enough for an approval by the policy; it needed substantial.", Looser}},
	},
	{
		"re-verification is no duplicate", "Seen.Again", nil, func(w *idv.WorkflowVersion) { w.Seen.Again = true },
		[]Difference{{"/seen/again", "The same person under the same reference does not refer as a duplicate.", Looser}},
	},
	{
		"another kind of document is no duplicate", "Seen.Papers", nil, func(w *idv.WorkflowVersion) { w.Seen.Papers = true },
		[]Difference{{"/seen/papers", "The same person with another kind of document does not refer as a duplicate.", Looser}},
	},
	{
		"a limit that is the default", "Seen.Velocity", nil, func(w *idv.WorkflowVersion) { w.Seen.Velocity.Document = 3 }, []Difference{},
	},
	{"a gallery of another name, that keeps faces longer", "Seen.Gallery", nil,
		func(w *idv.WorkflowVersion) { w.Seen.Gallery = idv.GallerySettings{Name: "shops", Months: 24} },
		[]Difference{
			{"/seen/gallery/name", `Faces are compared with those of the gallery "shops" instead of "main".`, Neither},
			{"/seen/gallery/months", "Faces are kept to compare for 24 months instead of 12.", Neither},
		}},
	{"a gallery that may find more strangers, in other words", "Seen.Gallery", func(w *idv.WorkflowVersion) { w.Seen.Gallery.Consent = "One." },
		func(w *idv.WorkflowVersion) { w.Seen.Gallery = idv.GallerySettings{Consent: "Two.", FPIR: "1e-1"} },
		[]Difference{
			{"/seen/gallery/consent", "The text that asks applicants to agree to the comparison of their face changed.", Neither},
			{"/seen/gallery/fpir", "A search of faces may find a stranger at a rate of 1e-1 instead of 1e-2.", Stricter},
		}},
	{
		"a lower limit of velocity", "Seen.Velocity", nil, func(w *idv.WorkflowVersion) { w.Seen.Velocity.AddressHour = 2 },
		[]Difference{{"/seen/address_hour", "More than 2 sessions from one network in an hour refer, instead of 5.", Stricter}},
	},
	{
		"people are screened for sanctions", "Screening.Topics", nil,
		func(w *idv.WorkflowVersion) { w.Screening.Topics = []idv.ScreeningTopic{idv.TopicSanctions} },
		[]Difference{{"/screening/topics", "People are looked for on watchlists: sanctions.", Stricter}},
	},
	{
		"people are no longer screened for exposed people", "Screening.Topics",
		func(w *idv.WorkflowVersion) { w.Screening.Topics = []idv.ScreeningTopic{idv.TopicPEP} }, nil,
		[]Difference{{"/screening/topics", "People are no longer looked for on watchlists: pep.", Looser}},
	},
	{
		"only strong matches refer", "Screening.From", nil, func(w *idv.WorkflowVersion) { w.Screening.From = idv.BandStrong },
		[]Difference{{"/screening/from", "A person looks at hits that are at least strong instead of possible.", Looser}},
	},
	{
		"people are screened again", "Screening.Monitor", nil, func(w *idv.WorkflowVersion) { w.Screening.Monitor = true },
		[]Difference{{"/screening/monitor", "Approved people are screened again as the lists change.", Stricter}},
	},
	{
		"a wallet is offered", "Wallet", nil, func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletOffered },
		[]Difference{{"/wallet", "A credential from a wallet is offered instead of off.", Neither}},
	},
	{
		"a wallet is required", "Wallet", func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletOffered },
		func(w *idv.WorkflowVersion) { w.Wallet = idv.WalletRequired },
		[]Difference{{"/wallet", "A credential from a wallet is required instead of offered.", Stricter}},
	},
	{
		"wallets are asked for something else", "WalletAsks", func(w *idv.WorkflowVersion) { w.WalletAsks = []idv.WalletAsk{idv.AskPID, idv.AskMDL} },
		func(w *idv.WorkflowVersion) { w.WalletAsks = []idv.WalletAsk{idv.AskAge} },
		[]Difference{{
			"/wallet_asks", "Wallets are asked for an age and nothing else instead of personal identification data or a driving licence.", Neither,
		}},
	},
	{
		"wallets are asked for another credential", "WalletOthers.Type", nil, func(w *idv.WorkflowVersion) {
			w.WalletOthers = []idv.WalletOther{{Format: idv.WalletSDJWT, Type: "urn:example:membership:1", Claims: []idv.WalletClaim{
				{Path: []string{"level", "name"}}, {Path: []string{"since"}, Optional: true},
			}}}
		},
		[]Difference{{
			"/wallet_others", "Besides, wallets are asked for urn:example:membership:1 (dc+sd-jwt: level/name, since (optional)) instead of nothing.", Neither,
		}},
	},
	{
		"wallets are asked for another format of it", "WalletOthers.Format", membership(idv.WalletSDJWT, "a", "b"), membership(idv.WalletMDoc, "a", "b"),
		[]Difference{{"/wallet_others", "Besides, wallets are asked for x (mso_mdoc: a/b) instead of x (dc+sd-jwt: a/b).", Neither}},
	},
	{
		"wallets are asked for another claim of it", "WalletOthers.Claims", membership(idv.WalletMDoc, "a", "b"), membership(idv.WalletMDoc, "a", "c"),
		[]Difference{{"/wallet_others", "Besides, wallets are asked for x (mso_mdoc: a/c) instead of x (mso_mdoc: a/b).", Neither}},
	},
	{
		"a credential replaces photographs", "WalletInstead", nil, func(w *idv.WorkflowVersion) { w.WalletInstead = true },
		[]Difference{{"/wallet_instead", "A good credential replaces the photographs of a document.", Looser}},
	},
	{
		"a credential no longer replaces them", "WalletInstead", func(w *idv.WorkflowVersion) { w.WalletInstead = true }, nil,
		[]Difference{{"/wallet_instead", "A document is photographed even with a good credential.", Stricter}},
	},
	{
		"a chip is offered", "Chip", nil, func(w *idv.WorkflowVersion) { w.Chip = idv.ChipOffered },
		[]Difference{{"/chip", "The chip of the document is offered instead of off.", Neither}},
	},
	{
		"a chip is required", "Chip", func(w *idv.WorkflowVersion) { w.Chip = idv.ChipOffered },
		func(w *idv.WorkflowVersion) { w.Chip = idv.ChipRequired },
		[]Difference{{"/chip", "The chip of the document is required instead of offered.", Stricter}},
	},
	{
		"a chip is no longer taken", "Chip", func(w *idv.WorkflowVersion) { w.Chip = idv.ChipRequired }, nil,
		[]Difference{{"/chip", "The chip of the document is off instead of required.", Looser}},
	},
	{
		"sources settle a document without a zone", "SettledBy", nil, func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoSources },
		[]Difference{{"/settled_by", "A document without zone and barcode is settled by two sources that agree instead of a person.", Looser}},
	},
	{
		"readers do no longer", "SettledBy", func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoReaders },
		func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoSources },
		[]Difference{{"/settled_by", "A document without zone and barcode is settled by two sources that agree instead of two readers that agree.", Stricter}},
	},
	{
		"two persons", "TwoPersons", nil, func(w *idv.WorkflowVersion) { w.TwoPersons = true },
		[]Difference{{"/two_persons", "A person's approval needs a second person's.", Stricter}},
	},
	{
		"one's own sessions", "NotByCreator", func(w *idv.WorkflowVersion) { w.NotByCreator = true }, nil,
		[]Difference{{"/not_by_creator", "Members may decide sessions that they created.", Looser}},
	},
	{
		"another document after a decline", "AnotherDocument", nil, func(w *idv.WorkflowVersion) { w.AnotherDocument = true },
		[]Difference{{"/another_document", "People who are declined for their document may begin once more with another one.", Looser}},
	},
	{
		"the camera alone", "LiveCapture", nil, func(w *idv.WorkflowVersion) { w.LiveCapture = true },
		[]Difference{{"/live_capture", "Document and selfie are photographed in the page; pictures from files are refused.", Stricter}},
	},
	{
		"without a face", "FaceOptional", nil, func(w *idv.WorkflowVersion) { w.FaceOptional = true },
		[]Difference{{"/face_optional", "People who decline biometrics continue without a selfie, and a person decides.", Neither}},
	},
	{"pictures are kept shorter", "Retention.Pictures", nil, func(w *idv.WorkflowVersion) { w.Retention.Pictures = 30 * 24 * time.Hour },
		[]Difference{{"/retention/pictures_hours", "Pictures are kept for 30 days instead of as long as the deployment says.", Neither}}},
	{"reports are kept shorter", "Retention.Report", nil, func(w *idv.WorkflowVersion) { w.Retention.Report = 36 * time.Hour },
		[]Difference{{"/retention/report_hours", "Facts and reports are kept for 36 hours instead of as long as the deployment says.", Neither}}},
	{"a rule is added and one removed", "Rules.Name", ruled(idv.Rule{Name: "old", When: "true", Then: idv.DecideRefer}), ruled(idv.Rule{
		Name: "new", When: "attempts > 3", Then: idv.DecideDecline, Reasons: []string{"document.specimen"},
	}),
		[]Difference{
			{"/rules", "Rule “new” is added: where “attempts > 3”, the session is declined (document.specimen).", Neither},
			{"/rules", "Rule “old” is removed: where “true”, the session was referred.", Neither},
		}},
	{"a rule is added before another", "Rules", ruled(idv.Rule{Name: "a"}), ruled(idv.Rule{Name: "new", When: "true", Then: idv.DecideRefer}, idv.Rule{Name: "a"}),
		[]Difference{{"/rules", "Rule “new” is added, asked first: where “true”, the session is referred.", Neither}}},
	{"a rule is added after another", "Rules", ruled(idv.Rule{Name: "a"}, idv.Rule{Name: "b"}), ruled(
		idv.Rule{Name: "a"}, idv.Rule{Name: "new", When: "true", Then: idv.DecideRefer}, idv.Rule{Name: "b"},
	),
		[]Difference{{"/rules", "Rule “new” is added, asked after “a”: where “true”, the session is referred.", Neither}}},
	{"a rule asks something else", "Rules.When", ruled(
		idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer},
	), ruled(idv.Rule{Name: "r", When: "false", Then: idv.DecideRefer}),
		[]Difference{{"/rules", "Rule “r” asks “false” instead of “true”.", Neither}}},
	{"a rule declines", "Rules.Then", ruled(
		idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer},
	), ruled(idv.Rule{Name: "r", When: "true", Then: idv.DecideDecline}),
		[]Difference{{"/rules", "Where rule “r” applies, the session is declined instead of referred.", Stricter}}},
	{"a rule has another reason", "Rules.Reasons", ruled(idv.Rule{Name: "r", When: "true", Then: idv.DecideRefer}), ruled(idv.Rule{
		Name: "r", When: "true", Then: idv.DecideRefer, Reasons: []string{"document.specimen"},
	}),
		[]Difference{{"/rules", "Rule “r” names document.specimen as its reasons instead of none.", Neither}}},
	{
		"another name", "Brand.Name", nil, branded(idv.Brand{Name: "Example Bank"}),
		[]Difference{{"/brand/name", "The name shown is “Example Bank” instead of what the deployment says.", Neither}},
	},
	{
		"another colour", "Brand.Colour", branded(idv.Brand{Colour: "#0f766e"}), branded(idv.Brand{Colour: "#c2185b"}),
		[]Difference{{"/brand/colour", "The colour is “#c2185b” instead of “#0f766e”.", Neither}},
	},
	{"a logo", "Brand.Logo", nil, branded(idv.Brand{Logo: "aa"}), []Difference{{"/brand/logo", "The logo is another one.", Neither}}},
	{
		"no logo any more", "Brand.Logo", branded(idv.Brand{Logo: "aa"}), nil,
		[]Difference{{"/brand/logo", "The logo is the deployment's, if it has one, instead of one of its own.", Neither}},
	},
	{
		"help elsewhere", "Brand.Support", nil, branded(idv.Brand{Support: "https://bank.example/help"}),
		[]Difference{{"/brand/support", "The link to help is “https://bank.example/help” instead of what the deployment says.", Neither}},
	},
	{
		"a privacy notice less", "Brand.Privacy", branded(idv.Brand{Privacy: "https://bank.example/p"}), nil,
		[]Difference{{"/brand/privacy", "The link to the privacy notice is what the deployment says instead of “https://bank.example/p”.", Neither}},
	},
	{"fewer languages", "Brand.Languages", branded(idv.Brand{Languages: []string{"de", "en"}}), branded(idv.Brand{Languages: []string{"en", "fr"}}),
		[]Difference{{"/brand/languages", "Languages no longer offered: de.", Neither}, {"/brand/languages", "Languages now offered: fr.", Neither}}},
	{
		"a sentence", "Brand.Hello", nil, branded(idv.Brand{Hello: []idv.BrandText{{Language: "en", Text: "Welcome."}}}),
		[]Difference{{"/brand/hello", "The sentence on the first screen (en) is “Welcome.”.", Neither}},
	},
	{
		"no sentence", "Brand.Hello", branded(idv.Brand{Hello: []idv.BrandText{{Language: "en", Text: "Welcome."}}}), nil,
		[]Difference{{"/brand/hello", "The sentence on the first screen (en) is gone.", Neither}},
	},
	{
		"a target of its own", "CaseTarget", nil, func(w *idv.WorkflowVersion) { w.CaseTarget = 24 * time.Hour },
		[]Difference{{"/case_hours", "A case should be decided within 24 hours instead of the deployment's target.", Neither}},
	},
	{
		"a share for quality", "QualityShare", nil, func(w *idv.WorkflowVersion) { w.QualityShare = 5 },
		[]Difference{{"/quality_share", "5 % of approvals get a second look instead of 0 %.", Neither}},
	},
	{"rules are asked in another order", "Rules", ruled(idv.Rule{Name: "a"}, idv.Rule{Name: "b"}), ruled(idv.Rule{Name: "b"}, idv.Rule{Name: "a"}),
		[]Difference{{"/rules", "Rules are in another order; the first that applies decides: b and a.", Neither}}},
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
