package problem

// Problems of a session's life.
var (
	// SessionConflict: the move is not in the table, or somebody else moved first.
	SessionConflict = register(Kind{
		Code: "session.conflict", Status: 409, Reader: Integrator,
		Title: "The session is not in a state that allows this.", Remedy: "Read the session again and act on its current state.",
	})
	// SessionExpired: the link or the session ran out of time.
	SessionExpired = register(Kind{
		Code: "session.expired", Status: 410, Reader: Applicant,
		Title: "This link has expired.", Remedy: "Ask whoever sent it to you for a new one.",
		Reviewer: "The applicant did not finish in time.",
	})
	// SessionFinished: nothing more can be sent to this session.
	SessionFinished = register(Kind{
		Code: "session.finished", Status: 409, Reader: Applicant,
		Title: "This verification is already complete.", Remedy: "You can close this page.",
	})
	// SessionBoundElsewhere: another browser has opened this session.
	SessionBoundElsewhere = register(Kind{
		Code: "session.bound_elsewhere", Status: 409, Reader: Applicant,
		Title: "This verification was started on another device or browser.", Remedy: "Go on there, or ask for a new link.",
	})
	// CodeWrong: the code that was mailed is another one.
	CodeWrong = register(Kind{
		Code: "code.wrong", Status: 403, Reader: Applicant,
		Title: "That code is not right.", Remedy: "Check the digits in the newest email and try again.",
	})
	// CodeExpired: there is no code that works.
	CodeExpired = register(Kind{
		Code: "code.expired", Status: 403, Reader: Applicant,
		Title: "This code no longer works.", Remedy: "Ask for a new one.",
	})
	// SessionContinued: another tab or browser took this session over, with its key or its link.
	SessionContinued = register(Kind{
		Code: "session.continued", Status: 409, Reader: Applicant,
		Title: "This check continues in another tab or browser.", Remedy: "Go on there, or continue here instead.",
	})
	// HandoffUsed: a hand-off link works once.
	HandoffUsed = register(Kind{
		Code: "handoff.used", Status: 409, Reader: Applicant,
		Title: "This code was already used.", Remedy: "Continue where it was opened, or create a new code on the device that showed it.",
	})
	// HandoffExpired: a hand-off link ran out of time, was replaced by another, or was taken back.
	HandoffExpired = register(Kind{
		Code: "handoff.expired", Status: 410, Reader: Applicant,
		Title: "This code no longer works.", Remedy: "Make a new code on the device that showed it.",
	})
	// AttemptsExhausted: the step, or the session, has no tries left.
	AttemptsExhausted = register(Kind{
		Code: "session.attempts_exhausted", Status: 409, Severity: Refer, Reader: Applicant,
		Title: "You have no tries left for this step.", Remedy: "Someone will review what you sent.",
		Reviewer: "The applicant used all attempts for this step.",
	})
	// SessionErased: the session's personal data is gone.
	SessionErased = register(Kind{
		Code: "session.erased", Status: 410, Reader: Integrator,
		Title: "The personal data of this session was erased.", Remedy: "It cannot be recovered. Create a new session.",
	})
	// SessionLegalHold: somebody with the permission said that nothing of the session is erased for now.
	SessionLegalHold = register(Kind{
		Code: "session.legal_hold", Status: 409, Reader: Operator,
		Title: "This session is on legal hold, so nothing in it can be erased.", Remedy: "Lift the hold first, if you have permission.",
	})
	// CheckNotRun: a required check could not run.
	CheckNotRun = register(Kind{
		Code: "check.not_run", Status: 422, Severity: Refer, Reader: Operator,
		Title: "A check could not run.", Remedy: "See the system page or `bonafide doctor` for what is missing.",
		Reviewer: "This check did not run, so it says nothing either way.",
	})
	// CaseConflict: somebody else has the case, or did something to it first.
	CaseConflict = register(Kind{
		Code: "case.conflict", Status: 409, Reader: Operator,
		Title: "Someone else has changed this case.", Remedy: "See what they did, then act on the current case.",
	})
	// WorkflowNotPublished: the named workflow has no published version.
	WorkflowNotPublished = register(Kind{
		Code: "workflow.not_published", Status: 422, Reader: Integrator,
		Title: "There is no published workflow with that name.", Remedy: "Name a published workflow, or leave the field out for the default.",
	})
	// WorkflowConflict: somebody else changed the workflow first.
	WorkflowConflict = register(Kind{
		Code: "workflow.conflict", Status: 409, Reader: Operator,
		Title: "The workflow has changed since you loaded it.", Remedy: "Reload it and make your change again.",
	})
	// WorkflowInvalid: a draft holds something that no session could follow.
	WorkflowInvalid = register(Kind{
		Code: "workflow.invalid", Status: 422, Reader: Operator,
		Title: "The draft has problems and cannot be published.", Remedy: "Fix the named field. Validating the draft lists all problems.",
	})
	// WorkflowInvalidRule: the condition of a rule cannot be read.
	WorkflowInvalidRule = register(Kind{
		Code: "workflow.invalid_rule", Status: 422, Reader: Operator,
		Title: "A rule in the draft is not valid.", Remedy: "Fix it at the given position. The rule reference lists what is available.",
	})
	// WorkflowRule: a rule of the workflow decided, and names no reason of its own.
	WorkflowRule = register(Kind{
		Code: "workflow.rule", Status: 422, Severity: Refer, Reader: Operator,
		Title: "A workflow rule applies.", Remedy: "Decide the case: the rule sends it to review.",
		Reviewer: "A workflow rule applies. It is named with the decision.",
	})
	// AssuranceShort: every check passed, but the evidence is worth less than the workflow asks for.
	AssuranceShort = register(Kind{
		Code: "assurance.short", Status: 422, Severity: Refer, Reader: Operator,
		Title: "The evidence does not reach the assurance level that the workflow requires.", Remedy: "See what is missing, then decide or request it.",
		Reviewer: "Every check passed, but the evidence does not reach the required assurance level. What is missing is listed with the level.",
	})
	// WorkflowRuleFailed: a rule of the workflow could not be evaluated.
	WorkflowRuleFailed = register(Kind{
		Code: "workflow.rule_failed", Status: 422, Severity: Refer, Reader: Operator,
		Title: "A workflow rule could not be evaluated.", Remedy: "Decide without it. In the rule, first test whether the value it needs is known.",
		Reviewer: "A workflow rule uses a value that is unknown for this session, so it is neither true nor false. It is named with the decision.",
	})
	// ConsentDeclined: the applicant declined the use of biometrics and the workflow has no other path.
	ConsentDeclined = register(Kind{
		Code: "consent.declined", Status: 409, Severity: Final, Reader: Applicant,
		Title: "You declined, so nothing was decided and no picture is kept.", Remedy: "Ask whoever sent the link for another way.",
		Reviewer: "The applicant declined biometric processing.",
	})
	// BiometricsDeclined: the applicant declined the use of biometrics, and goes on with the document alone.
	BiometricsDeclined = register(Kind{
		Code: "consent.biometrics_declined", Status: 422, Severity: Refer, Reader: Operator,
		Title: "The applicant declined face comparison.", Remedy: "Decide on the document alone, or verify the person another way.",
		Reviewer: "The applicant did not agree to biometrics: no face was compared with the document.",
	})
	// ConsentMissing: a step that needs consent was sent before consent was given.
	ConsentMissing = register(Kind{
		Code: "consent.missing", Status: 409, Reader: Applicant,
		Title: "We need your consent first.", Remedy: "Read the consent page and choose.",
	})
)
