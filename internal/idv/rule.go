package idv

// Rule is one row that a workflow adds to the policy: where its condition holds, it decides. No rule approves.
type Rule struct {
	Name    string          `json:"name"` // unique in its version; it stands beside the decisions that it takes
	When    string          `json:"when"` // a condition in CEL over what policy.Variables lists
	Then    DecisionOutcome `json:"then"` // declined or referred
	Reasons []string        `json:"reasons"`
}

// CheckKinds returns every question that can be asked, in the order in which they are shown.
func CheckKinds() []CheckKind {
	return []CheckKind{
		CheckDocumentReadable, CheckDocumentAccepted, CheckMRZVerified, CheckDatesPlausible, CheckDocumentExpiry,
		CheckDocumentSpecimen, CheckDocumentOriginal, CheckPortraitOriginal, CheckDocumentEdits,
		CheckFactsAgree, CheckSidesBelong, CheckClaimsMatch, CheckAgeLimit,
		CheckSelfieQuality, CheckFaceMatch, CheckPassiveLiveness, CheckLiveness, CheckHead, CheckLight, CheckReplay,
		CheckChipAuthentic, CheckChipCopy, CheckChipRevocation, CheckChipZone,
	}
}
