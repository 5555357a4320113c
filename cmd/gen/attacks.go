package main

import "strings"

// attack is something that somebody tries, and the tests that show that it fails.
type attack struct {
	what  string
	tests []string // "package: Test", or the path of a test of the web
}

// attacks is the table of attacks on the server and the console. A test checks that every test in it exists.
var attacks = []attack{
	{"Ids of others: of the other mode, of another session, made up", []string{
		"internal/httpapi: TestNobodyReachesASessionThatIsNotTheirs", "internal/httpapi: TestEveryConsoleRouteKeepsToThePermissionTable",
		"internal/httpapi: TestViewsAreOnesOwn",
	}},
	{"A call without a credential, or with one of another kind", []string{"internal/httpapi: TestNoRouteAnswersAStranger"}},
	{"A key beyond its scopes, or beyond the member who made it", []string{
		"internal/httpapi: TestAKeyReachesOnlyWhatItsScopesAllow", "internal/httpapi: TestAKeyIsNeverMoreThanWhoeverMadeIt",
		"internal/httpapi: TestAKeyThatMayOnlySearchReadsNothingElse",
	}},
	{"Mass assignment: a field that a call does not know", []string{"internal/httpapi: TestNoCallTakesAWordThatItDidNotAskFor"}},
	{"A reviewer who raises their own role", []string{
		"internal/httpapi: TestAReviewerDoesNotRaiseTheirRole", "internal/account/team: TestNobodyGivesWhatTheyMayNotGive",
	}},
	{"An auditor who looks for what is masked", []string{
		"internal/httpapi: TestNoAnswerToAnAuditorHoldsWhatIsPersonal", "internal/httpapi/wire: TestSomebodySaidOfEveryFieldWhetherItIsPersonal",
	}},
	{"CSRF: a page of another origin that writes", []string{
		"internal/httpapi: TestPagesOfOtherOriginsMayNotWrite", "internal/httpapi: TestTheAnswerOfTheProviderBelongsToOneBrowserOnce",
	}},
	{"XSS: scripts in what an applicant, a document or an integrator writes", []string{
		"web/test/hostile.test.tsx", "internal/httpapi: TestNastyTextsAreDataAndNothingElse",
		"internal/httpapi: TestPagesAreServedWithAStrictPolicy", "internal/casefile: TestThePageEscapesWhatSomebodyWrote",
	}},
	{"Formulas in a CSV file", []string{"internal/httpapi: TestTheSheetHoldsTheListAndNoFormula"}},
	{"SSRF: a webhook to a private address, written as decimal, hexadecimal, octal, mapped or translated IPv6", []string{
		"internal/webhook: TestATargetIsRefusedByItsFormAndItsAddresses", "internal/webhook: TestOnlyPublicAddressesAreOpen",
		"internal/httpapi: TestATargetInsideIsRefused",
	}},
	{"SSRF: a redirect to one", []string{"internal/webhook: TestATrySaysWhatTheTargetAnswered"}},
	{"SSRF: a name that changes its address between check and connection (DNS rebinding)", []string{
		"internal/webhook: TestAHostThatChangesItsAddressBetweenCheckAndConnectionIsNotReached",
		"internal/webhook: TestTheConnectionItselfIsChecked",
	}},
	{"Session fixation: a cookie planted before signing in", []string{"internal/httpapi: TestACookieFromBeforeSigningInOpensNothingAfterwards"}},
	{"A browser that somebody left open", []string{
		"internal/httpapi: TestWhatABorrowedBrowserMustNotDoNeedsAFreshProof", "internal/httpapi: TestAProofLastsTenMinutes",
		"internal/httpapi: TestAProofBySingleSignOnIsFreshOrNone",
	}},
	{"Replay of a token: setup, invitation, hand-off, challenge, one-time code, passkey, single sign-on", []string{
		"internal/account/team: TestTheFirstOwnerIsMadeOnceByTheToken", "internal/httpapi: TestAnInvitedPersonJoinsOnceWithTheRolesThatWereChosen",
		"internal/httpapi: TestAHundredPhonesOpenOneHandoffAndOneHasIt", "internal/httpapi: TestEveryChallengeButTheOpenOneIsRefusedAlike",
		"internal/account/signin: TestACodeOfTheSecondFactorWorksOnce", "internal/httpapi: TestAPasskeyThatDoesNotProveWhoAnswersIsRefused",
		"internal/httpapi: TestTheAnswerOfTheProviderBelongsToOneBrowserOnce",
	}},
	{"Telling accounts apart by the answer, or by the time of a login", []string{
		"internal/account/signin: TestALoginSaysTheSameForEveryReason", "internal/account/signin: TestAnUnknownAddressCostsAsMuchAsAWrongPassword",
		"internal/account/password: TestAnEmptyHashCostsAsMuchAsAnyOther",
	}},
	{"Brute force", []string{
		"internal/httpapi: TestLoginSaysTheSameForEveryReasonAndIsSlowedDown", "internal/httpapi: TestGuessingWithPasskeysIsSlowed",
		"internal/httpapi: TestTheRateOfAKeyIsLimited",
	}},
	{"Open redirect by a return address, or by where to go after signing in", []string{
		"internal/httpapi: TestBadRequestsAreRefusedByPlaceAndNeverRepeated", "internal/httpapi: TestNobodyIsSentElsewhereAfterSigningIn",
	}},
	{"Path traversal", []string{
		"internal/httpapi: TestTheDocumentationIsServedUnderAStrictPolicy", "internal/httpapi: TestPagesAreServedWithAStrictPolicy",
		"internal/vault: TestABlobIsEncryptedAndBoundToItsName",
	}},
	{"An address that a client claims in a header", []string{"internal/httpapi/edge: TestOnlyATrustedProxyIsBelieved"}},
	{"A body without end, or fifty large ones at once", []string{
		"internal/httpapi: TestABodyOf40MBIsRefusedAndNeverBuffered", "e2e: TestFiftyLargePicturesAtOnceStayWithinTheMemoryForThem",
	}},
	{"Bodies that arrive slowly, or never, to keep others from sending", []string{
		"internal/httpapi: TestSlowSendersDoNotKeepOthersFromSending", "internal/httpapi: TestWhoSendsTooSlowlyIsEndedAndItsRoomIsFree",
		"internal/httpapi/edge: TestWhoDoesNotGoOnSendingLosesTheClaim", "internal/httpapi/edge: TestABodyOfUnknownSizeHoldsWhatArrived",
		"internal/httpapi/edge: TestOneAddressHoldsAPartOfTheRoom",
	}},
	{"A flood of pictures of 50 megapixels", []string{
		"internal/httpapi: TestAFloodOfLargePicturesIsAnsweredAndLeavesTheRoomEmpty",
		"internal/flow: TestAHundredLargePicturesAtOnceAreOpenedTwoAtATimeAndAllAnswered",
		"internal/httpapi/edge: TestOneMoreThanMayWaitIsRefusedAtOnce", "e2e: TestAHundredPicturesOf50MegapixelsAtOnceAreAnswered",
	}},
	{"More calls than the server can bear", []string{
		"e2e/attacks: TestACrowdIsRefusedEarlyAndNothingAcceptedIsLost",
		"internal/httpapi/edge: TestAtFiveTimesWhatIsBorneSomeAreRefusedAtOnceAndTheOthersAreAnsweredSoon",
		"internal/httpapi/edge: TestATurnIsNotHeldByWhoeverDoesNotSendOrRead",
	}},
	{"Personal data in a log or an error", []string{"internal/httpapi: TestNothingPersonalReachesTheLog", "e2e: TestNothingPersonalIsPrinted"}},
	{"An act that leaves no audit entry", []string{"internal/store: recordOrNothing"}},
}

func attacksPage() []byte {
	var rows [][]string
	for _, a := range attacks {
		var tests []string
		for _, name := range a.tests {
			tests = append(tests, "`"+name+"`")
		}
		rows = append(rows, []string{a.what, strings.Join(tests, "<br>")})
	}
	return []byte("# Attacks on the server and the console, and the tests of each\n\n" + made +
		"Attacks on the camera and on the liveness challenge are on pages of their own, with their outcomes: [attacks on the challenge](attacks.md),\n" +
		"[attacks before the camera](attacks-before-the-camera.md).\n\n" + table([]string{"what somebody tries", "tests that show that it fails"}, rows))
}
