package idv

// Rule is a row that a workflow adds to the policy: if its condition holds, it decides. No rule approves.
type Rule struct {
	Name    string          `json:"name"` // unique in its version, and recorded with the decisions that the rule makes
	When    string          `json:"when"` // a CEL condition on the variables in policy.Variables
	Then    DecisionOutcome `json:"then"` // declined or referred
	Reasons []string        `json:"reasons"`
}

// CheckKinds returns every kind of check, in display order.
func CheckKinds() []CheckKind {
	return []CheckKind{
		CheckDocumentReadable, CheckDocumentAccepted, CheckMRZVerified, CheckDatesPlausible, CheckDocumentExpiry,
		CheckDocumentSpecimen, CheckDocumentOriginal, CheckPortraitOriginal, CheckDocumentEdits,
		CheckFactsAgree, CheckSidesBelong, CheckClaimsMatch, CheckAgeLimit,
		CheckSelfieQuality, CheckFaceMatch, CheckPassiveLiveness, CheckLiveness, CheckHead, CheckLight, CheckReplay,
		CheckChipAuthentic, CheckChipCopy, CheckChipRevocation, CheckChipZone,
		CheckWalletValid, CheckWalletHolder, CheckWalletRevocation,
		CheckSanctions, CheckPEP, CheckWatch,
		CheckDuplicateDocument, CheckDuplicatePerson, CheckDuplicatePicture, CheckDuplicateFace, CheckBlockList, CheckVelocity,
		CheckNetworkKnown, CheckNetworkCountry, CheckNetworkKind,
	}
}
