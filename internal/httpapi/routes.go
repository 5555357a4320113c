package httpapi

import (
	"net/http"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
)

// Routes is the table of every call.
func (s *Server) Routes() []Route {
	return slices.Concat(s.integratorRoutes(), s.applicantRoutes(), s.consoleRoutes(), s.caseRoutes(), s.teamRoutes(), s.workflowRoutes(), s.doorRoutes(), s.developerRoutes(), s.sandboxRoutes(), s.auditRoutes(), s.listRoutes(), s.insightRoutes(), s.openRoutes())
}

const changedWords = " A key without `sessions.read` is answered the session's id, workflow, state, outcome, times and link, and nothing that was stated or read."

func (s *Server) integratorRoutes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: "/v1/sessions", ID: "createSession", Who: Integrator, May: account.SessionsWrite, Sends: JSON, Status: http.StatusCreated,
			Summary: "Create a session", Description: "Makes a session for one person and answers the link to send them. The mode is the key's.",
			bind: call(s, s.createSession)},
		{Method: http.MethodGet, Path: "/v1/sessions", ID: "listSessions", Who: Integrator, May: account.SessionsRead,
			Summary: "List sessions", Description: "Newest first, in pages.", bind: call(s, s.listSessions)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}", ID: "getSession", Who: Integrator, May: account.SessionsRead,
			Summary: "Read a session", Description: "Its state, who acts next, and the outcome once there is one.", bind: call(s, s.getSession)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/cancel", ID: "cancelSession", Who: Integrator, May: account.SessionsWrite, Sends: JSON,
			Summary: "Cancel a session", Description: "Ends a session that has no verdict yet." + changedWords, bind: call(s, s.cancelSession)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/link", ID: "newLink", Who: Integrator, May: account.SessionsWrite, Sends: JSON,
			Summary: "Make a new link", Description: "The old link stops working. Needed when a link was lost, expired, or opened on the wrong device." + changedWords, bind: call(s, s.newLink)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/report", ID: "getReport", Who: Integrator, May: account.ReportsRead,
			Summary: "Read the report", Description: "Every check and claim, frozen, and the decisions taken on it. `not_found` before the first decision.", bind: call(s, s.getReport)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/evidence/{capture}", ID: "getEvidence", Who: Integrator, May: account.EvidenceRead,
			Summary: "Open a picture", Description: "A picture as it was sent, turned upright and without metadata. Each view is audited.", bind: call(s, s.getEvidence)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/erase", ID: "eraseSession", Who: Integrator, May: account.SessionsErase, Sends: JSON,
			Summary: "Erase a session", Description: eraseWords, bind: call(s, s.eraseSession)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/receipt", ID: "getReceipt", Who: Integrator, May: account.SessionsRead,
			Summary: "Read the receipt of an erasing", Description: receiptWords, bind: call(s, s.getReceipt)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/export", ID: "exportSession", Who: Integrator, May: account.SessionsExport,
			Summary: "Export what is kept of a person", Description: exportWords, bind: call(s, s.exportSession)},
		{Method: http.MethodGet, Path: "/v1/workflows", ID: "listWorkflows", Who: Integrator, May: account.SessionsRead,
			Summary: "List workflows", Description: "What a session of the key's mode can follow, and what each asks for.", bind: call(s, s.listWorkflows)},
		{Method: http.MethodPost, Path: "/v1/verify", ID: "verify", Who: Integrator, May: account.VerifyDirectly, Sends: Pictures,
			Summary:     "Verify pictures in one call",
			Description: "Pictures in, report out. Nothing is kept. There is no liveness challenge in this call, and the report says so. At most a few run at the same time; more are answered with `unavailable`.",
			form:        verifyForm(), bind: call(s, s.verify)},
	}
}

func (s *Server) applicantRoutes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: "/v1/applicant/peek", ID: "peek", Who: Anyone, Sends: JSON,
			Summary: "Look at a link", Description: "What the start screen shows. Changes nothing, so that link previews are harmless.", bind: call(s, s.peek)},
		{Method: http.MethodPost, Path: "/v1/applicant/open", ID: "open", Who: Anyone, Sends: JSON,
			Summary: "Open a session", Description: "Starts the session and binds it to this browser. A second browser gets `session.bound_elsewhere`. The link of a hand-off moves the session from the browser that made it; a second one gets `handoff.used`.", bind: call(s, s.open)},
		{Method: http.MethodGet, Path: "/v1/applicant/task", ID: "getTask", Who: Applicant,
			Summary: "What is next", Description: "The present task.", bind: call(s, s.task)},
		{Method: http.MethodPost, Path: "/v1/applicant/consent", ID: "consent", Who: Applicant, Sends: JSON,
			Summary: "Answer the consent question", Description: "Declining ends the session where the workflow has no path without biometrics. Where it has one, the task asks for consent to the check of the document, a person decides in the end, and what was taken of the face is deleted; consent can be taken back that way while the session is with the person.", bind: call(s, s.consent)},
		{Method: http.MethodPut, Path: "/v1/applicant/steps/choose", ID: "chooseDocument", Who: Applicant, Sends: JSON,
			Summary: "Choose the document", Description: "Its kind settles which sides will be asked for. What is read of the document counts, whatever was chosen; where the two differ the report says so.", bind: call(s, s.choose)},
		{Method: http.MethodGet, Path: "/v1/applicant/countries", ID: "listIssuers", Who: Applicant,
			Summary: "Countries that issue documents", Description: "Every one that a person may look for, and whether its documents are accepted in this session.", bind: call(s, s.issuers)},
		{Method: http.MethodPut, Path: "/v1/applicant/steps/{step}", ID: "submitStep", Who: Applicant, Sends: Picture,
			Summary: "Send a picture or frames",
			Description: "What the task `takes`. The answer is the next task. A picture that cannot be used is refused at once with a reason and a remedy; the step stays. The same attempt with the same picture answers as before. " +
				"Frames answer the task's challenge, which is used up by it; whatever is wrong with a challenge, the answer is `challenge.expired`, and the task has another one.",
			form: stepForm(), bind: call(s, s.submit)},
		{Method: http.MethodPost, Path: "/v1/applicant/uploads", ID: "startUpload", Who: Applicant, Sends: JSON, Status: http.StatusCreated,
			Summary:     "Send a picture or frames in parts",
			Description: "For slow and broken lines: what is there stays there for an hour, and the step names the upload instead of holding the bytes. Parts are no attempts. A session has at most three uploads; one more takes the place of the oldest.",
			bind:        call(s, s.startUpload)},
		{Method: http.MethodGet, Path: "/v1/applicant/uploads/{upload}", ID: "getUpload", Who: Applicant,
			Summary: "How much of an upload is there", Description: "After a broken connection: go on from `received`.", bind: call(s, s.getUpload)},
		{Method: http.MethodPatch, Path: "/v1/applicant/uploads/{upload}", ID: "sendPart", Who: Applicant, Sends: Part,
			Summary:     "Send the next part",
			Description: "`application/partial-upload`, of at most `part_bytes`, with its first byte's place in `Upload-Offset`. Where the upload does not end there, the answer is `capture.upload_offset`, and nothing is kept.",
			bind:        call(s, s.sendPart)},
		{Method: http.MethodDelete, Path: "/v1/applicant/uploads/{upload}", ID: "dropUpload", Who: Applicant, Status: http.StatusNoContent,
			Summary: "Drop an upload", Description: "Removes what was sent of it. One that is left alone goes within an hour.", bind: call(s, s.dropUpload)},
		{Method: http.MethodPost, Path: "/v1/applicant/liveness", ID: "chooseLiveness", Who: Applicant, Sends: JSON,
			Summary: "Choose how to show that you are there", Description: "At the selfie, where the workflow asks for liveness. The task has a new challenge afterwards, or takes one picture that a person looks at.", bind: call(s, s.chooseLiveness)},
		{Method: http.MethodPost, Path: "/v1/applicant/handoff", ID: "handOver", Who: Applicant, Sends: JSON,
			Summary:     "Hand the session to another device",
			Description: "A link that works once, for 30 minutes, and its QR code. Whoever opens it takes the session over; this browser may only watch from then on. A link that was made before and not opened works no more.",
			bind:        call(s, s.handOver)},
		{Method: http.MethodDelete, Path: "/v1/applicant/handoff", ID: "keepHere", Who: Applicant,
			Summary: "Keep the session here", Description: "Takes back the link of a hand-off that nobody opened. Where it was opened, the answer is `session.bound_elsewhere`, and the other device can hand back.", bind: call(s, s.keepHere)},
		{Method: http.MethodPost, Path: "/v1/applicant/handoff/back", ID: "handBack", Who: Applicant, Sends: JSON, Status: http.StatusNoContent,
			Summary: "Hand the session back", Description: "Returns the session to the browser that it came from, whose live updates then bring the task.", bind: call(s, s.handBack)},
		{Method: http.MethodGet, Path: "/v1/applicant/events", ID: "applicantEvents", Who: Applicant, Watch: true, Streams: true,
			Summary: "Live updates", Description: "Server-sent events: `task` with the present task, at once and whenever it changes. A browser that handed the session on gets `handoff` with how far it is, and nothing of what was sent. Takes Last-Event-ID; a browser may have four at a time.", bind: call(s, s.applicantEvents)},
		{Method: http.MethodPost, Path: "/v1/applicant/withdraw", ID: "withdraw", Who: Applicant, Sends: JSON,
			Summary: "Withdraw", Description: "Ends the session at the person's wish.", bind: call(s, s.withdraw)},
	}
}

func (s *Server) consoleRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/v1/console/setup", ID: "getSetup", Who: Anyone,
			Summary: "Is setup needed?", Description: "True until the first owner was made.", bind: call(s, s.getSetup)},
		{Method: http.MethodPost, Path: "/v1/console/setup", ID: "setup", Who: Anyone, Sends: JSON,
			Summary: "Make the first owner", Description: "Takes the setup token that the server printed, once, and signs the owner in.", bind: call(s, s.setup)},
		{Method: http.MethodPost, Path: "/v1/console/login", ID: "login", Who: Anyone, Sends: JSON,
			Summary: "Sign in", Description: "Answers a cookie. Ten tries in ten minutes for an account and address. A member with a second factor is answered `auth.second_factor` until the code is sent along.", bind: call(s, s.login)},
		{Method: http.MethodPost, Path: "/v1/console/logout", ID: "logout", Who: Console, Sends: JSON, Status: http.StatusNoContent,
			Summary: "Sign out", Description: "Ends the console session.", bind: call(s, s.logout)},
		{Method: http.MethodGet, Path: "/v1/console/me", ID: "me", Who: Console,
			Summary: "Who am I?", Description: "The person who is signed in and what they may do.", bind: call(s, s.me)},
		{Method: http.MethodGet, Path: "/v1/console/sessions", ID: "consoleListSessions", Who: Console, May: account.SessionsRead, Masks: true,
			Summary: "List sessions", Description: "Newest first, with the number in each state.", bind: call(s, s.consoleListSessions)},
		{Method: http.MethodPost, Path: "/v1/console/sessions", ID: "consoleCreateSession", Who: Console, May: account.SessionsWrite, Sends: JSON, Status: http.StatusCreated,
			Summary: "Create a session", Description: "As the integrator's call, with the mode in the body (test if left out).", bind: call(s, s.consoleCreateSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}", ID: "consoleGetSession", Who: Console, May: account.SessionsRead, Masks: true,
			Summary: "Read a session's file", Description: "Everything on one page: report, decisions, pictures, what was found in them, timeline.", bind: call(s, s.consoleGetSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/evidence/{capture}", ID: "consoleGetEvidence", Who: Console, May: account.EvidenceRead,
			Summary: "Open a picture", Description: "A picture as it was sent, upright and without metadata. Each view is audited.", bind: call(s, s.consoleGetEvidence)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/artifacts/{artifact}", ID: "consoleGetArtifact", Who: Console, May: account.EvidenceRead,
			Summary: "Open a derived picture", Description: "A crop such as the portrait. Each view is audited.", bind: call(s, s.consoleGetArtifact)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/erase", ID: "consoleEraseSession", Who: Console, May: account.SessionsErase, Fresh: true, Sends: JSON,
			Summary: "Erase a session", Description: eraseWords, bind: call(s, s.consoleEraseSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/receipt", ID: "consoleGetReceipt", Who: Console, May: account.SessionsRead, Masks: true,
			Summary: "Read the receipt of an erasing", Description: receiptWords, bind: call(s, s.consoleGetReceipt)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/export", ID: "consoleExportSession", Who: Console, May: account.SessionsExport, Fresh: true,
			Summary: "Export what is kept of a person", Description: exportWords, bind: call(s, s.consoleExportSession)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/hold", ID: "consoleHoldSession", Who: Console, May: account.SessionsErase, Sends: JSON,
			Summary: "Set a legal hold", Description: "Nothing of the session is erased until the hold is lifted, by request or by time. Audited.", bind: call(s, s.consoleHold)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/lift-hold", ID: "consoleLiftHold", Who: Console, May: account.SessionsErase, Fresh: true, Sends: JSON,
			Summary: "Lift a legal hold", Description: "What was due meanwhile is erased by the next run of the retention job. Audited.", bind: call(s, s.consoleLiftHold)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention", ID: "getRetention", Who: Console, May: account.SessionsErase,
			Summary: "How long is data kept?", Description: "The deployment's setting, the defaults and what workflows say of their own, in hours; what is due soon, and what the job that erases did last.", bind: call(s, s.getRetention)},
		{Method: http.MethodPost, Path: "/v1/console/settings/retention", ID: "setRetention", Who: Console, May: account.SessionsErase, Fresh: true, Sends: JSON,
			Summary: "Settle how long data is kept", Description: "Shortens the defaults for every session, also for those that are there. Workflows can shorten further. Audited.", bind: call(s, s.setRetention)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention/preview", ID: "previewRetention", Who: Console, May: account.SessionsErase,
			Summary: "What would a setting reach?", Description: "How many sessions and entries would go sooner than now, and how many would be due when. Changes nothing.", bind: call(s, s.previewRetention)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention/holds", ID: "listHolds", Who: Console, May: account.SessionsErase,
			Summary: "List the legal holds that are set", Description: "Of both modes, newest session first: who set each, why and since when, and when its data would be erased without it.", bind: call(s, s.listHolds)},
		{Method: http.MethodGet, Path: "/v1/console/events", ID: "consoleEvents", Who: Console, May: account.SessionsRead, Masks: true, Streams: true,
			Summary: "Live updates of a session", Description: "Server-sent events: `session` with the id, at once and on every event. Takes Last-Event-ID.", bind: call(s, s.consoleEvents)},
	}
}

func (s *Server) openRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/v1/catalogue", ID: "catalogue", Who: Anyone,
			Summary: "Problems and reasons", Description: "Every row of the catalogue.", bind: call(s, s.catalogue)},
		{Method: http.MethodGet, Path: "/healthz", ID: "health", Who: Anyone,
			Summary: "Is the process alive?", Description: "Answers as long as the server runs.", bind: call(s, s.health)},
		{Method: http.MethodGet, Path: "/readyz", ID: "ready", Who: Anyone,
			Summary:     "Can it take requests?",
			Description: "Ready means that requests are accepted and the database answers. Models load in the background; until they are there, checks wait and `models` says so.", bind: call(s, s.ready)},
	}
}
