package screening

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// fixed is a source that always answers the same.
type fixed struct{ s *Snapshot }

func (f fixed) Snapshot(context.Context) (*Snapshot, error) { return f.s, nil }

func TestCase20ANumberIsTheSameWithSpacesDashesAndTheLetterO(t *testing.T) {
	t.Parallel()
	listed := entry("s1", "sanction", "Zahran Ilyan Yusufovich")
	listed.Documents = []watchlist.Document{{Number: watchlist.FoldNumber("P0-12 3450")}}
	s := snapshot(t, nil, listed)
	for _, number := range []string{"P0123450", "PO12345O", "p0 123 450", "P-012-3450"} {
		p, _, err := Typed("Elian Sahrann", "", "", nil, []string{number}, today)
		must(t, err)
		found, why := Find(s, p, idv.TopicSanctions, all(), today)
		if !slices.Equal(why, []string{problem.ScreeningStrongMatch.Code}) || found.Hits[0].Number != string(names.Agrees) {
			t.Errorf("%q: got %v, %+v, want a strong match", number, why, found.Hits)
		}
	}
	p, _, err := Typed("Elian Sahrann", "", "", nil, []string{"P0123451"}, today)
	must(t, err)
	if _, why := Find(s, p, idv.TopicSanctions, all(), today); slices.Contains(why, problem.ScreeningStrongMatch.Code) {
		t.Errorf("with another number: got %v", why)
	}
}

func TestCase36AnExposedPersonRefersOnlyWhereTheWorkflowAsks(t *testing.T) {
	t.Parallel()
	source := fixed{snapshot(t, nil, entry("p1", "role.pep", "Quentin Oglethorpe"))}
	claims := []idv.Claim{
		{Name: idv.FamilyName, Value: "Oglethorpe", Source: idv.FromPrinted, Confidence: 1},
		{Name: idv.GivenNames, Value: "Quentin", Source: idv.FromPrinted, Confidence: 1},
	}
	for name, tt := range map[string]struct {
		topics []idv.ScreeningTopic
		want   []string
	}{
		"asked for sanctions alone":        {[]idv.ScreeningTopic{idv.TopicSanctions}, nil},
		"asked for exposed people as well": {[]idv.ScreeningTopic{idv.TopicSanctions, idv.TopicPEP}, []string{problem.ScreeningPEP.Code}},
	} {
		var got []string
		for _, c := range Checkers(source) {
			f, err := c.Check(t.Context(), idv.Evidence{
				Claims: claims, Workflow: idv.WorkflowVersion{Screening: idv.ScreeningSettings{Topics: tt.topics}}, Now: today,
			})
			must(t, err)
			if f.Outcome == idv.Fail {
				t.Errorf("%s: %s declines", name, c.Kind())
			}
			for _, r := range f.Reasons {
				got = append(got, r.Code)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
	for _, k := range []problem.Kind{problem.ScreeningPEP, problem.ScreeningPEPAssociate} {
		if k.Severity != problem.Refer {
			t.Errorf("%s is %q, want that it refers", k.Code, k.Severity)
		}
	}
}

// building is a source whose lists are being compiled.
type building struct{}

func (building) Snapshot(context.Context) (*Snapshot, error) { return nil, ErrNotReady }

func TestASessionWaitsForTheListsAndIsReferredAtLast(t *testing.T) {
	t.Parallel()
	ev := idv.Evidence{Workflow: idv.WorkflowVersion{Screening: all()}, Now: today}
	for _, c := range Checkers(building{}) {
		if f, err := c.Check(job.WithAttempt(t.Context(), job.Attempt{Number: 1, Max: 3}), ev); !errors.Is(err, ErrNotReady) {
			t.Errorf("%s, first try: got %+v, %v, want that it is tried again", c.Kind(), f, err)
		}
		f, err := c.Check(job.WithAttempt(t.Context(), job.Attempt{Number: 3, Max: 3}), ev)
		if err != nil || f.Outcome != idv.Inconclusive || len(f.Reasons) != 1 || f.Reasons[0].Code != problem.ScreeningBroken.Code {
			t.Errorf("%s, last try: got %+v, %v, want %s", c.Kind(), f, err, problem.ScreeningBroken.Code)
		}
	}
}

func TestWhatIsTypedIsAPersonOrIsRefused(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"D": "DEU", "DEU": "DEU", "de": "DEU", "Germany": "DEU", "RUS": "RUS"} {
		p, ok, err := Typed("Ottoline Wraxall", "", "", []string{code}, nil, today)
		if err != nil || !ok || !slices.Equal(p.Nationalities, []string{want}) {
			t.Errorf("nationality %q: got %v, %v, want %s", code, p.Nationalities, err, want)
		}
	}
	for _, code := range []string{"XX", "XQX", "Atlantis", ""} {
		if p, _, err := Typed("Ottoline Wraxall", "", "", []string{code}, nil, today); !errors.Is(err, ErrNationality) {
			t.Errorf("nationality %q: got %v, %v, want %v", code, p.Nationalities, err, ErrNationality)
		}
	}
	for _, name := range []string{"", "--", "…", "Ottoline\x00Wraxall", "Ottoline\nWraxall"} {
		if _, ok, err := Typed(name, "", "", nil, nil, today); ok || err != nil {
			t.Errorf("%q is taken for a name, %v", name, err)
		}
	}
}

func TestTwoRowsOfOneIDAreBothSearched(t *testing.T) {
	t.Parallel()
	s := snapshot(t, nil, entry("d1", "sanction", "Quentin Oglethorpe"), entry("d1", "sanction", "Zoltan Querbaum"))
	for _, name := range []string{"Quentin Oglethorpe", "Zoltan Querbaum"} {
		p, _, err := Typed(name, "", "", nil, nil, today)
		must(t, err)
		found, _ := Find(s, p, idv.TopicSanctions, all(), today)
		if found.Alarms != 1 || len(found.Hits) != 1 || found.Hits[0].Entry != "d1" || found.Hits[0].Listed != name {
			t.Errorf("%s: got %d alarms, %+v", name, found.Alarms, found.Hits)
		}
	}
}

// proof is a test that proves a case.
type proof struct{ dir, test string }

// proved are the cases that screening, the search for duplicates and the counts of sessions have to answer, by number, with the test that
// shows it. Those that are open are named below, with the reason.
var proved = map[int][]proof{
	1: nameCase, 2: nameCase, 3: nameCase, 4: nameCase, 5: nameCase, 6: nameCase, 7: nameCase, 8: nameCase, 9: nameCase, 10: nameCase,
	11: nameCase, 12: {{"nameindex", "TestCasesOfNamesThatHaveToAlarm"}, {"names", "TestALookAlikeLetterIsSaid"}}, 13: nameCase, 14: nameCase,
	15: factCase, 16: factCase, 17: {{"nameindex", "TestCasesOfFactsBesideTheName"}, {"names", "TestDatesOfBirth"}}, 18: factCase, 19: factCase,
	20: {{"screening", "TestCase20ANumberIsTheSameWithSpacesDashesAndTheLetterO"}, {"nameindex", "TestCasesOfFactsBesideTheName"}},
	21: factCase, 22: factCase, 23: {{"screening", "TestOfTwoReadingsOfANameEitherAlarms"}},
	24: {{"httpapi", "TestANewEntryFindsSomebodyWhoWasApprovedBefore"}},
	25: {{"httpapi", "TestAHitIsReviewedDecidedAndComesBackOnlyWhenItsEntryChanges"}, {"store", "hitsDecided"}},
	26: {{"store", "hitsDecided"}},
	27: otherCase, 28: factCase, 29: {{"screening", "TestManyNamesakesAreOneFinding"}},
	30: {{"nameindex", "TestCase30AnotherSexAndNationalityTakeAFuzzyNameToDistant"}}, 31: otherCase, 32: otherCase, 33: factCase,
	34: {{"watchlist", "TestCase34WhoIsNoLongerListedIsNotRead"}, {"watchlist", "TestCase34AnEntryThatTheNextVersionHasNotIsRemoved"}},
	35: otherCase, 36: {{"screening", "TestCase36AnExposedPersonRefersOnlyWhereTheWorkflowAsks"}},
	37: {{"checker", "TestTheSameDocumentInAnotherSession"}, {"httpapi", "TestADocumentThatIsShownWithAnotherFaceGoesToReview"}},
	38: faceCase,
	39: {{"checker", "TestTheSameDocumentInAnotherSession"}},
	40: {{"checker", "TestTheSameDocumentInAnotherSession"}},
	41: {{"checker", "TestCase41APassportAndAnIdentityCardOfOnePersonAreRecorded"}},
	42: faceCase, 43: {{"store", "seenDuplicates"}}, 44: {{"store", "seenDuplicates"}, {"session", "TestCase44NumbersOfSpecimensLinkNobody"}},
	45: {{"checker", "TestAFaceThatIsInAnotherSessionRefers"}, {"store/galleries", "TestAGalleryThatIsBeingReadIsAFaultAndNoAnswer"}, {"store", "galleryRefers"}},
	46: {{"checker", "TestWhoDoesNotAgreeIsNotCompared"}, {"httpapi", "TestAFaceIsComparedWithThoseOfOthersIfItsPersonAgrees"}},
	47: {{"gallery", "TestErasingIsDeleting"}, {"store", "galleryErased"}},
	48: {{"store", "seenDuplicates"}, {"httpapi", "TestADocumentThatIsShownWithAnotherFaceGoesToReview"}},
	49: countCase, 50: {{"checker", "TestVelocityRefersAboveTheLimitAndNeverDeclines"}, {"store", "seenVelocity"}}, 51: countCase,
	52: {{"checker", "TestVelocityRefersAboveTheLimitAndNeverDeclines"}, {"store", "seenVelocity"}},
	53: {{"httpapi/edge", "TestOnlyATrustedProxyIsBelieved"}}, 54: {{"store", "seenVelocity"}},
	55: {{"origin", "TestCase55WhatCannotBeAskedIsAGap"}, {"checker", "TestANetworkRefersOrPassesByWhatIsKnownOfIt"}},
	56: {
		{"watchlist", "TestFilesThatAreRefused"}, {"watchlist", "TestCase56TheGuardsOfAVersion"}, {"store", "watchlistsHeld"},
		{"store", "watchlistsFetched"}, {"screening", "TestWhatKeepsItFromLookingIsNeverAPass"},
	},
	57: {{"watchlist", "TestCase57FilesThatAreAccepted"}},
	58: {
		{"watchlist", "TestCase58FilesThatAreRefused"}, {"watchlist", "TestCase58AFileEndsAtTwoGibibytes"}, {"watchlist", "TestFilesThatAreRefused"},
		{"store", "watchlistsFetched"},
	},
	59: {{"nameindex", "TestCase59KillingACompilerLeavesTheIndexFromBefore"}, {"nameindex", "TestADamagedIndexIsNotUsed"}, {"store", "watchlistsKilled"}},
	60: {{"store", "watchlistsAgree"}},
	61: {{"nameindex", "TestCase61APanicOverOneEntryIsAnErrorAndNoAnswer"}, {"screening", "TestWhatKeepsItFromLookingIsNeverAPass"}},
	62: {{"policy", "TestEveryReasonOfScreeningRefersWhateverTheRulesSay"}},
}

// open are the cases that nothing proves yet, by number, with the reason.
var open = map[int]string{}

// badInput are the inputs that are refused, or answered in a way of their own, with the test that shows it.
var badInput = map[string][]proof{
	"a screening without a usable name":               typedCase,
	"a birth in the future, before 1880, 31 February": typedCase,
	"a year or a month alone as a birth":              typedCase,
	"a nationality":                                   append([]proof{{"screening", "TestWhatIsTypedIsAPersonOrIsRefused"}}, typedCase...),
	"more hits than are shown": {
		{"screening", "TestManyNamesakesAreOneFinding"}, {"httpapi", "TestWhateverKeepsAScreeningFromLookingRefersForItsOwnReason"},
	},
	"a hit that two people decide":                                    decidedCase,
	"a decision without a reason, or for too long":                    decidedCase,
	"an own list with an unknown column, or rows that cannot be read": {{"httpapi", "TestBadFilesOfAnOwnListAreRefusedOrHeld"}},
	// The specification has the last of two rows of one id win. Here both are searched: a row that is hidden by a mistake would be a person who
	// is not found.
	"two rows of one id":                       {{"screening", "TestTwoRowsOfOneIDAreBothSearched"}},
	"a file of more than two gibibytes":        {{"watchlist", "TestCase58AFileEndsAtTwoGibibytes"}},
	"another content than the suffix says":     {{"httpapi", "TestBadFilesOfAnOwnListAreRefusedOrHeld"}, {"httpapi", "TestWatchlistsRefuseByTheirOwnCode"}},
	"a search while the lists are compiled":    append([]proof{{"screening", "TestASessionWaitsForTheListsAndIsReferredAtLast"}}, typedCase...),
	"the block list and an erased session":     decidedCase,
	"a gallery in a workflow without its text": {{"httpapi", "TestAFaceIsComparedWithThoseOfOthersIfItsPersonAgrees"}},
}

// proofs that several cases share.
var (
	nameCase    = []proof{{"nameindex", "TestCasesOfNamesThatHaveToAlarm"}}
	factCase    = []proof{{"nameindex", "TestCasesOfFactsBesideTheName"}}
	otherCase   = []proof{{"nameindex", "TestCasesOfNamesThatMustNotAlarm"}}
	faceCase    = []proof{{"checker", "TestAFaceThatIsInAnotherSessionRefers"}}
	typedCase   = []proof{{"httpapi", "TestAScreeningOfBadInputNamesTheFieldAndNotWhatItHolds"}}
	decidedCase = []proof{{"httpapi", "TestBadDecisionsAboutHitsAndEntriesAreRefused"}}

	countCase = []proof{{"checker", "TestVelocityRefersAboveTheLimitAndNeverDeclines"}}
)

// tables are tests whose cases begin with the numbers that they prove.
var tables = []string{"TestCasesOfNamesThatHaveToAlarm", "TestCasesOfFactsBesideTheName", "TestCasesOfNamesThatMustNotAlarm"}

func TestEveryCaseIsProvedByATestThatThereIs(t *testing.T) {
	t.Parallel()
	found := map[string]map[string][]string{} // by folder and function: what the texts in it begin with
	look := func(p proof) (begins []string, ok bool) {
		if found[p.dir] == nil {
			found[p.dir] = testsOf(t, p.dir)
		}
		begins, ok = found[p.dir][p.test]
		return begins, ok
	}
	for input, all := range badInput {
		for _, p := range all {
			if _, ok := look(p); !ok {
				t.Errorf("%s: there is no %s in internal/%s", input, p.test, p.dir)
			}
		}
	}
	for number, all := range proved {
		for _, p := range all {
			begins, ok := look(p)
			if !ok {
				t.Errorf("case %d: there is no %s in internal/%s", number, p.test, p.dir)
			} else if slices.Contains(tables, p.test) && !slices.Contains(begins, strconv.Itoa(number)) {
				t.Errorf("case %d: no case of %s begins with it", number, p.test)
			}
		}
	}
	for number := 1; number <= 62; number++ {
		if _, ok := proved[number]; ok == (open[number] != "") {
			t.Errorf("case %d: got proved %v and open for %q, want one of both", number, ok, open[number])
		}
	}
}

// testsOf are the functions in the test files of a folder, each with the first words of the texts in it.
func testsOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*_test.go"))
	must(t, err)
	out := map[string][]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		must(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				out[fn.Name.Name] = firstWords(fn)
			}
		}
	}
	return out
}

// firstWords are the first words of the texts in a function.
func firstWords(fn *ast.FuncDecl) []string {
	out := []string{}
	ast.Inspect(fn, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				word, _, _ := strings.Cut(text, " ")
				out = append(out, word)
			}
		}
		return true
	})
	return out
}
