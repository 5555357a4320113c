package workflow

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// measured is a card of a face model whose measurement reaches one in a thousand.
func measured() (modelcard.Card, bool) {
	return modelcard.Card{Name: "face-template", SHA256: strings.Repeat("b", 64), Calibration: &modelcard.Calibration{Points: []modelcard.Point{
		{Threshold: 0, FMR: 0.5, FNMR: 0, Genuine: 100, Impostors: 1000}, {Threshold: 0.4, FMR: 1e-3, FNMR: 0.02, Genuine: 100, Impostors: 1000},
	}}}, true
}

func TestBuiltInWorkflowsCanBePublished(t *testing.T) {
	s := New(nil, Options{})
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		for _, w := range idv.BuiltInWorkflows(mode) {
			if issues := s.Issues(w); len(issues) > 0 {
				t.Errorf("%s, %s: %+v", w.Name, mode, issues)
			}
		}
	}
}

func TestWhatNoSessionCouldFollowIsNamedByItsPlace(t *testing.T) {
	drop := func(w *idv.WorkflowVersion, kinds ...idv.CheckKind) {
		w.Required = slices.DeleteFunc(slices.Clone(w.Required), func(k idv.CheckKind) bool { return slices.Contains(kinds, k) })
	}
	rule := func(change func(*idv.Rule)) func(*idv.WorkflowVersion) {
		return func(w *idv.WorkflowVersion) {
			r := idv.Rule{Name: "a rule", When: "true", Then: idv.DecideRefer, Reasons: []string{}}
			change(&r)
			w.Rules = []idv.Rule{r}
		}
	}
	for _, c := range []struct {
		name   string
		mode   idv.Mode
		change func(*idv.WorkflowVersion)
		want   []string
	}{
		{"a step that there is not", idv.Live, func(w *idv.WorkflowVersion) { w.Steps = append(slices.Clone(w.Steps), "dance") }, []string{"/steps/5"}},
		{"steps in another order", idv.Live, func(w *idv.WorkflowVersion) {
			w.Steps = []idv.Step{"choose", "consent", "document_front", "document_back", "selfie"}
		}, []string{"/steps/1"}},
		{"faces that are compared without a word to their people", idv.Live, func(w *idv.WorkflowVersion) {
			w.Required = append(w.Required, idv.CheckDuplicateFace)
			w.Seen.Gallery.Consent = " \n"
		}, []string{"/seen/gallery/consent"}},
		{"a gallery that nothing searches", idv.Live, func(w *idv.WorkflowVersion) { w.Seen.Gallery.Months = 3 }, []string{"/seen/gallery"}},
		{"settings of a gallery that there are not", idv.Live, func(w *idv.WorkflowVersion) {
			w.Required = append(w.Required, idv.CheckDuplicateFace)
			w.Seen.Gallery = idv.GallerySettings{Name: "My Shop", Consent: strings.Repeat("ä", 2001), FPIR: "0.5", Months: 37}
		}, []string{"/seen/gallery/consent", "/seen/gallery/name", "/seen/gallery/fpir", "/seen/gallery/months"}},
		{"a gallery that is in order", idv.Live, func(w *idv.WorkflowVersion) {
			w.Required = append(w.Required, idv.CheckDuplicateFace)
			w.Seen.Gallery = idv.GallerySettings{Name: "shop-2", Consent: strings.Repeat("ä", 2000), FPIR: "1e-3", Months: 36}
		}, nil},
		{"no consent", idv.Live, func(w *idv.WorkflowVersion) { w.Steps = w.Steps[1:] }, []string{"/steps"}},
		{"a kind that there is not, and one twice", idv.Live, func(w *idv.WorkflowVersion) {
			w.Documents = []idv.DocumentKind{"passport", "unknown", "passport"}
		}, []string{"/documents/1", "/documents/2"}},
		{
			"countries that issue nothing", idv.Live, func(w *idv.WorkflowVersion) { w.Countries = []string{"D", "UTO", "XXX", "ZZZ", "D"} },
			[]string{"/countries/1", "/countries/2", "/countries/3", "/countries/4"},
		},
		{"specimens of Utopia in test mode are good", idv.Test, func(w *idv.WorkflowVersion) { w.Countries, w.AcceptSpecimens = []string{"UTO"}, true }, nil},
		{"specimens in live mode", idv.Live, func(w *idv.WorkflowVersion) { w.AcceptSpecimens = true }, []string{"/accept_specimens"}},
		{"no check of what is accepted", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.CheckDocumentAccepted) }, []string{"/required"}},
		{"signals that are switched off are good", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.Signals()...) }, nil},
		{"a passive signal without a selfie", idv.Live, func(w *idv.WorkflowVersion) {
			w.Steps = w.Steps[:4]
			drop(w, idv.FaceChecks()...)
			w.Required = append([]idv.CheckKind{idv.CheckPassiveLiveness}, w.Required...)
			w.FaceFMR, w.FaceReferFMR = "", ""
		}, []string{"/required/0"}},
		{"a passive signal beside one picture is good", idv.Live, func(w *idv.WorkflowVersion) {
			drop(w, idv.CheckLiveness, idv.CheckReplay, idv.CheckHead)
		}, nil},
		{"a head that no challenge turns", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.CheckLiveness, idv.CheckReplay) }, []string{"/required"}},
		{"light beside a challenge is good", idv.Live, func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckLight) }, nil},
		{"light that no challenge shows", idv.Live, func(w *idv.WorkflowVersion) {
			drop(w, idv.CheckLiveness, idv.CheckReplay, idv.CheckHead)
			w.Required = append(w.Required, idv.CheckLight)
		}, []string{"/required"}},
		{
			"a check that there is not", idv.Live, func(w *idv.WorkflowVersion) { w.Required = append([]idv.CheckKind{"mood"}, w.Required...) },
			[]string{"/required/0"},
		},
		{"a chip that counts is good", idv.Live, func(w *idv.WorkflowVersion) {
			w.Chip, w.Assurance = idv.ChipOffered, idv.AssuranceHigh
			w.Required = append(w.Required, idv.ChipChecks()...)
		}, nil},
		{"a chip that does not count", idv.Live, func(w *idv.WorkflowVersion) {
			w.Chip = idv.ChipRequired
			w.Required = append(w.Required, idv.CheckChipAuthentic)
		}, []string{"/required"}},
		{"checks of a chip that is not taken", idv.Live, func(w *idv.WorkflowVersion) {
			w.Required = append([]idv.CheckKind{idv.CheckChipCopy}, w.Required...)
		}, []string{"/required/0"}},
		{"a use of chips that there is not", idv.Live, func(w *idv.WorkflowVersion) { w.Chip = "perhaps" }, []string{"/chip"}},
		{"a wallet that counts is good", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.WalletAsks, w.WalletInstead, w.Assurance = idv.WalletRequired, []idv.WalletAsk{idv.AskPID}, true, idv.AssuranceHigh
			w.Required = append(w.Required, idv.WalletChecks()...)
		}, nil},
		{"a wallet that does not count", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.WalletAsks = idv.WalletOffered, []idv.WalletAsk{idv.AskMDL}
			w.Required = append(w.Required, idv.CheckWalletValid)
		}, []string{"/required"}},
		{"a wallet that is asked for nothing", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.Required = idv.WalletOffered, append(w.Required, idv.WalletChecks()...)
		}, []string{"/wallet_asks"}},
		{"an age beside something else, and without a limit", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.WalletAsks = idv.WalletOffered, []idv.WalletAsk{idv.AskPID, idv.AskAge}
			w.Required = append(w.Required, idv.WalletChecks()...)
		}, []string{"/wallet_asks/1"}},
		{"an age that should replace a portrait", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.WalletAsks, w.WalletInstead, w.MinimumAge = idv.WalletOffered, []idv.WalletAsk{idv.AskAge}, true, 18
			w.Required = append(w.Required, idv.WalletChecks()...)
		}, []string{"/wallet_instead"}},
		{"credentials that no preset has are good", idv.Live, func(w *idv.WorkflowVersion) {
			w.Wallet, w.WalletOthers = idv.WalletOffered, []idv.WalletOther{
				{Format: idv.WalletSDJWT, Type: "urn:example:membership:1", Claims: []idv.WalletClaim{{Path: []string{"level", "name"}}}},
				{Format: idv.WalletMDoc, Type: "org.example.vehicle.1", Claims: []idv.WalletClaim{{Path: []string{"org.example.vehicle.1", "plate"}}}},
			}
			w.Required = append(w.Required, idv.WalletChecks()...)
		}, nil},
		{"credentials that cannot be asked for", idv.Live, func(w *idv.WorkflowVersion) {
			claim := idv.WalletClaim{Path: []string{"a"}}
			w.Wallet, w.WalletAsks, w.MinimumAge = idv.WalletOffered, []idv.WalletAsk{idv.AskAge}, 18
			w.WalletOthers = []idv.WalletOther{
				{Format: "jwt_vc", Type: "a", Claims: []idv.WalletClaim{claim}},
				{Format: idv.WalletSDJWT, Type: "a type", Claims: []idv.WalletClaim{claim, claim}},
				{Format: idv.WalletSDJWT, Type: "urn:eudi:pid:1", Claims: []idv.WalletClaim{{Path: []string{"a"}, Optional: true}}},
				{Format: idv.WalletMDoc, Type: "b", Claims: []idv.WalletClaim{claim}},
				{Format: idv.WalletMDoc, Type: "b", Claims: []idv.WalletClaim{{Path: []string{"b", "c\n"}}}},
				{Format: idv.WalletSDJWT, Type: "c", Claims: []idv.WalletClaim{{Path: []string{"a", "a", "a", "a", "a", "a", "a"}}}},
			}
			w.Required = append(w.Required, idv.WalletChecks()...)
		}, []string{
			"/wallet_others", "/wallet_others", "/wallet_others/0/format", "/wallet_others/1/type", "/wallet_others/1/claims/1", "/wallet_others/2/type",
			"/wallet_others/2/claims", "/wallet_others/3/claims/0", "/wallet_others/4/type", "/wallet_others/4/claims/0", "/wallet_others/5/claims/0",
		}},
		{"others without a wallet", idv.Live, func(w *idv.WorkflowVersion) {
			w.WalletOthers = []idv.WalletOther{{Format: idv.WalletSDJWT, Type: "a", Claims: []idv.WalletClaim{{Path: []string{"a"}}}}}
		}, []string{"/wallet"}},
		{"checks of a wallet that is not asked", idv.Live, func(w *idv.WorkflowVersion) {
			w.Required = append([]idv.CheckKind{idv.CheckWalletValid}, w.Required...)
		}, []string{"/required/0"}},
		{"presets without a wallet", idv.Live, func(w *idv.WorkflowVersion) { w.WalletAsks = []idv.WalletAsk{idv.AskPID} }, []string{"/wallet"}},
		{"a use of wallets that there is not", idv.Live, func(w *idv.WorkflowVersion) { w.Wallet = "perhaps" }, []string{"/wallet"}},
		{"a high level without a chip", idv.Live, func(w *idv.WorkflowVersion) { w.Assurance = idv.AssuranceHigh }, []string{"/assurance"}},
		{"liveness without finding repeats", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.CheckReplay) }, []string{"/required"}},
		{"liveness of nobody in particular", idv.Live, func(w *idv.WorkflowVersion) { drop(w, idv.CheckFaceMatch) }, []string{"/required", "/required"}},
		{"a selfie for nothing", idv.Live, func(w *idv.WorkflowVersion) {
			drop(w, append(idv.Signals(), idv.CheckFaceMatch, idv.CheckLiveness, idv.CheckReplay, idv.CheckSelfieQuality)...)
		}, []string{"/required"}},
		{"faces without a selfie", idv.Live, func(w *idv.WorkflowVersion) {
			w.Steps = w.Steps[:4]
			drop(w, idv.FaceChecks()...)
			w.Required = append(w.Required, idv.CheckSelfieQuality)
		}, []string{"/required/13"}},
		{"a document alone is good", idv.Live, func(w *idv.WorkflowVersion) {
			w.Steps = w.Steps[:4]
			drop(w, idv.FaceChecks()...)
			w.FaceFMR, w.FaceReferFMR = "", ""
		}, nil},
		{"a selfie that can be declined", idv.Live, func(w *idv.WorkflowVersion) { w.FaceOptional = true }, nil},
		{"a selfie that can be declined and is not asked for", idv.Live, func(w *idv.WorkflowVersion) {
			w.FaceOptional, w.Steps = true, w.Steps[:4]
			drop(w, idv.FaceChecks()...)
			w.FaceFMR, w.FaceReferFMR = "", ""
		}, []string{"/face_optional"}},
		{"an age that nothing checks", idv.Live, func(w *idv.WorkflowVersion) { w.MinimumAge = 18; drop(w, idv.CheckAgeLimit) }, []string{"/required"}},
		{"an age that nobody reaches", idv.Live, func(w *idv.WorkflowVersion) { w.MinimumAge = 121 }, []string{"/minimum_age"}},
		{"a rate of another spelling", idv.Live, func(w *idv.WorkflowVersion) { w.FaceFMR = "0.0001" }, []string{"/face_fmr"}},
		{"rates the wrong way round", idv.Live, func(w *idv.WorkflowVersion) { w.FaceFMR, w.FaceReferFMR = "1e-2", "1e-3" }, []string{"/face_refer_fmr"}},
		{
			"no tries, and more than anybody has patience for", idv.Live, func(w *idv.WorkflowVersion) { w.StepAttempts, w.SessionAttempts = 0, 201 },
			[]string{"/step_attempts", "/session_attempts"},
		},
		{
			"lives that are too short and too long", idv.Live, func(w *idv.WorkflowVersion) { w.LinkLife, w.SessionLife = 0, 8*24*time.Hour },
			[]string{"/link_hours", "/session_hours"},
		},
		{
			"keeping longer than the deployment does", idv.Live, func(w *idv.WorkflowVersion) { w.Retention = idv.Retention{Pictures: 91 * 24 * time.Hour} },
			[]string{"/retention/pictures_hours"},
		},
		{
			"pictures longer than the report", idv.Live, func(w *idv.WorkflowVersion) { w.Retention = idv.Retention{Pictures: 3 * time.Hour, Report: time.Hour} },
			[]string{"/retention/pictures_hours"},
		},
		{"a page that may embed it", idv.Live, func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"https://shop.example"} }, nil},
		{"pages that may not, and one twice", idv.Live, func(w *idv.WorkflowVersion) {
			w.EmbedOrigins = []string{"https://shop.example", "*", "http://localhost:3000", "https://shop.example"}
		}, []string{"/embed_origins/1", "/embed_origins/2", "/embed_origins/3"}},
		{"this machine in test mode", idv.Test, func(w *idv.WorkflowVersion) { w.EmbedOrigins = []string{"http://localhost:3000"} }, nil},
		{"more pages than anybody knows", idv.Live, func(w *idv.WorkflowVersion) { w.EmbedOrigins = make([]string, 21) }, []string{"/embed_origins"}},
		{
			"a whole brand", idv.Live,
			branded(idv.Brand{
				Name: "Example Bank", Colour: "#c2185b", Logo: strings.Repeat("a", 64), Support: "mailto:help@bank.example", Privacy: "https://bank.example/p",
				Languages: []string{"de", "en"}, Hello: []idv.BrandText{{Language: "de", Text: "Willkommen."}},
			}),
			nil,
		},
		{"a brand that would leave its place", idv.Live, branded(idv.Brand{
			Name: "a\u202eb", Colour: "red;}", Logo: "../x", Support: "javascript:alert(1)", Privacy: "data:text/html,x",
		}),
			[]string{"/brand/name", "/brand/colour", "/brand/support", "/brand/privacy", "/brand/logo"}},
		{"languages that there are not, and one twice", idv.Live, branded(idv.Brand{
			Languages: []string{"xx", "de", "de"},
			Hello:     []idv.BrandText{{Language: "xx", Text: "a"}, {Language: "de", Text: strings.Repeat("a", 201)}, {Language: "en", Text: "a\nb"}},
		}),
			[]string{"/brand/languages/0", "/brand/languages/2", "/brand/hello/0", "/brand/hello/1", "/brand/hello/2"}},
		{"a good rule", idv.Live, rule(func(*idv.Rule) {}), nil},
		{"a rule without a name", idv.Live, rule(func(r *idv.Rule) { r.Name = "" }), []string{"/rules/0/name"}},
		{"a rule that calls itself a person", idv.Live, rule(func(r *idv.Rule) { r.Name = "person" }), []string{"/rules/0/name"}},
		{"a rule of the default's name", idv.Live, rule(func(r *idv.Rule) { r.Name = "every required check passed" }), []string{"/rules/0/name"}},
		{"a rule that approves", idv.Live, rule(func(r *idv.Rule) { r.Then = idv.DecideApprove }), []string{"/rules/0/then"}},
		{"a rule that cannot be read", idv.Live, rule(func(r *idv.Rule) { r.When = "1 +" }), []string{"/rules/0/when"}},
		{"a rule that declines without a reason", idv.Live, rule(func(r *idv.Rule) { r.Then = idv.DecideDecline }), []string{"/rules/0/reasons"}},
		{"reasons that are none", idv.Live, rule(func(r *idv.Rule) {
			r.Reasons = []string{"made.up", "rate.limited", "document.expired", "document.expired"}
		}),
			[]string{"/rules/0/reasons/0", "/rules/0/reasons/1", "/rules/0/reasons/3"}},
		{
			"a reason to try again as one to decline", idv.Live,
			rule(func(r *idv.Rule) { r.Then, r.Reasons = idv.DecideDecline, []string{problem.CaptureBlurred.Code} }), []string{"/rules/0/reasons/0"},
		},
		{"two rules of one name", idv.Live, func(w *idv.WorkflowVersion) {
			w.Rules = []idv.Rule{{Name: "a", When: "true", Then: idv.DecideRefer}, {Name: "A", When: "true", Then: idv.DecideRefer}}
		}, []string{"/rules/1/name"}},
		{"more rules than anybody reads", idv.Live, func(w *idv.WorkflowVersion) { w.Rules = make([]idv.Rule, 51) }, []string{"/rules"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := idv.DefaultWorkflow(c.mode)
			c.change(&w)
			var got []string
			for _, i := range New(nil, Options{}).Check(c.mode, w) {
				got = append(got, i.Field)
				if i.Message == "" || i.Rule != strings.HasSuffix(i.Field, "/when") {
					t.Errorf("issue %+v", i)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestOnlyMeasuredRatesCanBeChosen(t *testing.T) {
	s := New(nil, Options{Face: measured})
	w := idv.DefaultWorkflow(idv.Live)
	w.FaceFMR, w.FaceReferFMR = "1e-3", "1e-2"
	if issues := s.Issues(w); len(issues) > 0 {
		t.Errorf("rates that were measured: %+v", issues)
	}
	w.FaceFMR = "1e-4"
	if issues := s.Issues(w); len(issues) != 1 || issues[0].Field != "/face_fmr" {
		t.Errorf("a rate that 1 000 pairs do not reach: %+v", issues)
	}
	r := s.FaceRates()
	if len(r.Points) != 3 || r.Points[2].FMR != "1e-3" || r.Points[2].Matches != 1 || r.Points[2].Refused != 2 {
		t.Errorf("points: %+v", r.Points)
	}
}
