package problem

// Reasons and problems of the liveness challenge. What an applicant is told of a sign of deceit is one sentence for all of
// them: neither which sign it was nor how it was seen.
var (
	// ChallengeExpired: the answer is not to a challenge that is still open for this step. One row for a challenge that is
	// late, used, unknown, changed or of somebody else: whoever tries them learns nothing.
	ChallengeExpired = register(Kind{
		Code: "challenge.expired", Status: 409, Reader: Applicant,
		Title: "This recording can no longer be used.", Remedy: "Start the recording again and follow the movements.",
	})
	// LivenessChallengeMissed: the frames do not show the movements that were asked for, in their order and time.
	LivenessChallengeMissed = register(Kind{
		Code: "liveness.challenge_missed", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not follow your movements.", Remedy: "Find even light, keep your face in the oval and turn your head as shown, when it is shown.",
		Reviewer: "The head does not make the requested movements in that order and time. See the pose curve beside the challenge.",
	})
	// LivenessFailed: what was sent does not look like a person before a camera.
	LivenessFailed = register(Kind{
		Code: "liveness.failed", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "The signs of a live person are weak: the passive signal is low, or the frames do not vary as a camera's do. See the measurements.",
	})
	// LivenessWrongLight: what is seen does not answer the colours of the screen as a person before it does.
	LivenessWrongLight = register(Kind{
		Code: "liveness.wrong_light", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "The light on the face does not follow the screen's colours, or everything in the picture does. See the measurements.",
	})
	// LivenessNotAHead: what moves does not move as one head.
	LivenessNotAHead = register(Kind{
		Code: "liveness.not_a_head", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "The face does not move as one head does: parts of it, or what is above it, stay still where a turn would move them. See the measurements.",
	})
	// LivenessFacesDiffer: more than one face answered the challenge.
	LivenessFacesDiffer = register(Kind{
		Code: "liveness.faces_differ", Status: 422, Severity: Fraud, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "The face changes during the recording. Compare the frames.",
	})
	// LivenessReplayed: the frames were seen before, here or within the recording itself.
	LivenessReplayed = register(Kind{
		Code: "liveness.replayed", Status: 422, Severity: Fraud, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "Frames of this recording were sent to this deployment before, or repeat within it.",
	})
	// CaptureInjected: hints that the frames do not come from a camera in front of a person.
	CaptureInjected = register(Kind{
		Code: "capture.injected", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We could not confirm the picture.", Remedy: "Someone will review it.",
		Reviewer: "The browser or the frame timing suggests a virtual camera, an emulator or a script. This can be wrong, and never declines on its own.",
	})
)
