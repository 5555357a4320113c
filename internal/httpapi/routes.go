package httpapi

import (
	"net/http"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// Routes is the table of every call.
func (s *Server) Routes() []edge.Route {
	return slices.Concat(s.integratorRoutes(), s.applicantRoutes(), s.consoleRoutes(), s.caseRoutes(), s.teamRoutes(), s.workflowRoutes(), s.doorRoutes(), s.developerRoutes(), s.sandboxRoutes(), s.auditRoutes(), s.listRoutes(), s.insightRoutes(), s.openRoutes())
}

const changedWords = " A key without `sessions.read` is answered the session's id, workflow, state, outcome, times and link, and nothing that was stated or read."

func (s *Server) integratorRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodPost, Path: "/v1/sessions", ID: "createSession", Who: edge.Integrator, May: account.SessionsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Create a session", Description: "Makes a session for one person and answers the link to send them. The mode is the key's.",
			Bind: edge.Call(s.createSession)},
		{Method: http.MethodGet, Path: "/v1/sessions", ID: "listSessions", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "List sessions", Description: "Newest first, in pages.", Bind: edge.Call(s.listSessions)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}", ID: "getSession", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "Read a session", Description: "Its state, who acts next, and the outcome once there is one.", Bind: edge.Call(s.getSession)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/cancel", ID: "cancelSession", Who: edge.Integrator, May: account.SessionsWrite, Sends: edge.JSON,
			Summary: "Cancel a session", Description: "Ends a session that has no verdict yet." + changedWords, Bind: edge.Call(s.cancelSession)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/link", ID: "newLink", Who: edge.Integrator, May: account.SessionsWrite, Sends: edge.JSON,
			Summary: "Make a new link", Description: "The old link stops working. Needed when a link was lost, expired, or opened on the wrong device." + changedWords, Bind: edge.Call(s.newLink)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/report", ID: "getReport", Who: edge.Integrator, May: account.ReportsRead,
			Summary: "Read the report", Description: "Every check and claim, frozen, and the decisions taken on it. `not_found` before the first decision.", Bind: edge.Call(s.getReport)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/evidence/{capture}", ID: "getEvidence", Who: edge.Integrator, May: account.EvidenceRead,
			Summary: "Open a picture", Description: "A picture as it was sent, turned upright and without metadata. Each view is audited.", Bind: edge.Call(s.getEvidence)},
		{Method: http.MethodPost, Path: "/v1/sessions/{id}/erase", ID: "eraseSession", Who: edge.Integrator, May: account.SessionsErase, Sends: edge.JSON,
			Summary: "Erase a session", Description: eraseWords, Bind: edge.Call(s.eraseSession)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/receipt", ID: "getReceipt", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "Read the receipt of an erasing", Description: receiptWords, Bind: edge.Call(s.getReceipt)},
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/export", ID: "exportSession", Who: edge.Integrator, May: account.SessionsExport,
			Summary: "Export what is kept of a person", Description: exportWords, Bind: edge.Call(s.exportSession)},
		{Method: http.MethodGet, Path: "/v1/workflows", ID: "listWorkflows", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "List workflows", Description: "What a session of the key's mode can follow, and what each asks for.", Bind: edge.Call(s.listWorkflows)},
		{Method: http.MethodPost, Path: "/v1/verify", ID: "verify", Who: edge.Integrator, May: account.VerifyDirectly, Sends: edge.Pictures,
			Summary:     "Verify pictures in one call",
			Description: "Pictures in, report out. Nothing is kept. There is no liveness challenge in this call, and the report says so. At most a few run at the same time; more are answered with `unavailable`.",
			Form:        verifyForm(), Bind: edge.Call(s.verify)},
	}
}

func (s *Server) applicantRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodPost, Path: "/v1/applicant/peek", ID: "peek", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Look at a link", Description: "What the start screen shows. Changes nothing, so that link previews are harmless.", Bind: edge.Call(s.peek)},
		{Method: http.MethodPost, Path: "/v1/applicant/open", ID: "open", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Open a session", Description: "Starts the session and binds it to this browser. A second browser gets `session.bound_elsewhere`. The link of a hand-off moves the session from the browser that made it; a second one gets `handoff.used`.", Bind: edge.Call(s.open)},
		{Method: http.MethodGet, Path: "/v1/applicant/task", ID: "getTask", Who: edge.Applicant,
			Summary: "What is next", Description: "The present task.", Bind: edge.Call(s.task)},
		{Method: http.MethodPost, Path: "/v1/applicant/consent", ID: "consent", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Answer the consent question", Description: "Declining ends the session where the workflow has no path without biometrics. Where it has one, the task asks for consent to the check of the document, a person decides in the end, and what was taken of the face is deleted; consent can be taken back that way while the session is with the person.", Bind: edge.Call(s.consent)},
		{Method: http.MethodPut, Path: "/v1/applicant/steps/choose", ID: "chooseDocument", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Choose the document", Description: "Its kind settles which sides will be asked for. What is read of the document counts, whatever was chosen; where the two differ the report says so.", Bind: edge.Call(s.choose)},
		{Method: http.MethodGet, Path: "/v1/applicant/countries", ID: "listIssuers", Who: edge.Applicant,
			Summary: "Countries that issue documents", Description: "Every one that a person may look for, and whether its documents are accepted in this session.", Bind: edge.Call(s.issuers)},
		{Method: http.MethodPut, Path: "/v1/applicant/steps/{step}", ID: "submitStep", Who: edge.Applicant, Sends: edge.Picture,
			Summary: "Send a picture or frames",
			Description: "What the task `takes`. The answer is the next task. A picture that cannot be used is refused at once with a reason and a remedy; the step stays. The same attempt with the same picture answers as before. " +
				"Frames answer the task's challenge, which is used up by it; whatever is wrong with a challenge, the answer is `challenge.expired`, and the task has another one.",
			Form: stepForm(), Bind: edge.Call(s.submit)},
		{Method: http.MethodPost, Path: "/v1/applicant/uploads", ID: "startUpload", Who: edge.Applicant, Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Send a picture or frames in parts",
			Description: "For slow and broken lines: what is there stays there for an hour, and the step names the upload instead of holding the bytes. Parts are no attempts. A session has at most three uploads; one more takes the place of the oldest.",
			Bind:        edge.Call(s.startUpload)},
		{Method: http.MethodGet, Path: "/v1/applicant/uploads/{upload}", ID: "getUpload", Who: edge.Applicant,
			Summary: "How much of an upload is there", Description: "After a broken connection: go on from `received`.", Bind: edge.Call(s.getUpload)},
		{Method: http.MethodPatch, Path: "/v1/applicant/uploads/{upload}", ID: "sendPart", Who: edge.Applicant, Sends: edge.Part,
			Summary:     "Send the next part",
			Description: "`application/partial-upload`, of at most `part_bytes`, with its first byte's place in `Upload-Offset`. Where the upload does not end there, the answer is `capture.upload_offset`, and nothing is kept.",
			Bind:        edge.Call(s.sendPart)},
		{Method: http.MethodDelete, Path: "/v1/applicant/uploads/{upload}", ID: "dropUpload", Who: edge.Applicant, Status: http.StatusNoContent,
			Summary: "Drop an upload", Description: "Removes what was sent of it. One that is left alone goes within an hour.", Bind: edge.Call(s.dropUpload)},
		{Method: http.MethodPost, Path: "/v1/applicant/liveness", ID: "chooseLiveness", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Choose how to show that you are there", Description: "At the selfie, where the workflow asks for liveness. The task has a new challenge afterwards, or takes one picture that a person looks at.", Bind: edge.Call(s.chooseLiveness)},
		{Method: http.MethodPost, Path: "/v1/applicant/handoff", ID: "handOver", Who: edge.Applicant, Sends: edge.JSON,
			Summary:     "Hand the session to another device",
			Description: "A link that works once, for 30 minutes, and its QR code. Whoever opens it takes the session over; this browser may only watch from then on. A link that was made before and not opened works no more.",
			Bind:        edge.Call(s.handOver)},
		{Method: http.MethodDelete, Path: "/v1/applicant/handoff", ID: "keepHere", Who: edge.Applicant,
			Summary: "Keep the session here", Description: "Takes back the link of a hand-off that nobody opened. Where it was opened, the answer is `session.bound_elsewhere`, and the other device can hand back.", Bind: edge.Call(s.keepHere)},
		{Method: http.MethodPost, Path: "/v1/applicant/handoff/back", ID: "handBack", Who: edge.Applicant, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Hand the session back", Description: "Returns the session to the browser that it came from, whose live updates then bring the task.", Bind: edge.Call(s.handBack)},
		{Method: http.MethodGet, Path: "/v1/applicant/events", ID: "applicantEvents", Who: edge.Applicant, Watch: true, Streams: true,
			Summary: "Live updates", Description: "Server-sent events: `task` with the present task, at once and whenever it changes. A browser that handed the session on gets `handoff` with how far it is, and nothing of what was sent. Takes Last-Event-ID; a browser may have four at a time.", Bind: edge.Call(s.applicantEvents)},
		{Method: http.MethodPost, Path: "/v1/applicant/withdraw", ID: "withdraw", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Withdraw", Description: "Ends the session at the person's wish.", Bind: edge.Call(s.withdraw)},
	}
}

func (s *Server) consoleRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/console/setup", ID: "getSetup", Who: edge.Anyone,
			Summary: "Is setup needed?", Description: "True until the first owner was made.", Bind: edge.Call(s.getSetup)},
		{Method: http.MethodPost, Path: "/v1/console/setup", ID: "setup", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Make the first owner", Description: "Takes the setup token that the server printed, once, and signs the owner in.", Bind: edge.Call(s.setup)},
		{Method: http.MethodPost, Path: "/v1/console/login", ID: "login", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Sign in", Description: "Answers a cookie. Ten tries in ten minutes for an account and address. A member with a second factor is answered `auth.second_factor` until the code is sent along.", Bind: edge.Call(s.login)},
		{Method: http.MethodPost, Path: "/v1/console/logout", ID: "logout", Who: edge.Console, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Sign out", Description: "Ends the console session.", Bind: edge.Call(s.logout)},
		{Method: http.MethodGet, Path: "/v1/console/me", ID: "me", Who: edge.Console,
			Summary: "Who am I?", Description: "The person who is signed in and what they may do.", Bind: edge.Call(s.me)},
		{Method: http.MethodGet, Path: "/v1/console/sessions", ID: "consoleListSessions", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary: "List sessions", Description: "Newest first, with the number in each state.", Bind: edge.Call(s.consoleListSessions)},
		{Method: http.MethodPost, Path: "/v1/console/sessions", ID: "consoleCreateSession", Who: edge.Console, May: account.SessionsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Create a session", Description: "As the integrator's call, with the mode in the body (test if left out).", Bind: edge.Call(s.consoleCreateSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}", ID: "consoleGetSession", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary: "Read a session's file", Description: "Everything on one page: report, decisions, pictures, what was found in them, timeline.", Bind: edge.Call(s.consoleGetSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/evidence/{capture}", ID: "consoleGetEvidence", Who: edge.Console, May: account.EvidenceRead,
			Summary: "Open a picture", Description: "A picture as it was sent, upright and without metadata. Each view is audited.", Bind: edge.Call(s.consoleGetEvidence)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/artifacts/{artifact}", ID: "consoleGetArtifact", Who: edge.Console, May: account.EvidenceRead,
			Summary: "Open a derived picture", Description: "A crop such as the portrait. Each view is audited.", Bind: edge.Call(s.consoleGetArtifact)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/erase", ID: "consoleEraseSession", Who: edge.Console, May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary: "Erase a session", Description: eraseWords, Bind: edge.Call(s.consoleEraseSession)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/receipt", ID: "consoleGetReceipt", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary: "Read the receipt of an erasing", Description: receiptWords, Bind: edge.Call(s.consoleGetReceipt)},
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/export", ID: "consoleExportSession", Who: edge.Console, May: account.SessionsExport, Fresh: true,
			Summary: "Export what is kept of a person", Description: exportWords, Bind: edge.Call(s.consoleExportSession)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/hold", ID: "consoleHoldSession", Who: edge.Console, May: account.SessionsErase, Sends: edge.JSON,
			Summary: "Set a legal hold", Description: "Nothing of the session is erased until the hold is lifted, by request or by time. Audited.", Bind: edge.Call(s.consoleHold)},
		{Method: http.MethodPost, Path: "/v1/console/sessions/{id}/lift-hold", ID: "consoleLiftHold", Who: edge.Console, May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary: "Lift a legal hold", Description: "What was due meanwhile is erased by the next run of the retention job. Audited.", Bind: edge.Call(s.consoleLiftHold)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention", ID: "getRetention", Who: edge.Console, May: account.SessionsErase,
			Summary: "How long is data kept?", Description: "The deployment's setting, the defaults and what workflows say of their own, in hours; what is due soon, and what the job that erases did last.", Bind: edge.Call(s.getRetention)},
		{Method: http.MethodPost, Path: "/v1/console/settings/retention", ID: "setRetention", Who: edge.Console, May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary: "Settle how long data is kept", Description: "Shortens the defaults for every session, also for those that are there. Workflows can shorten further. Audited.", Bind: edge.Call(s.setRetention)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention/preview", ID: "previewRetention", Who: edge.Console, May: account.SessionsErase,
			Summary: "What would a setting reach?", Description: "How many sessions and entries would go sooner than now, and how many would be due when. Changes nothing.", Bind: edge.Call(s.previewRetention)},
		{Method: http.MethodGet, Path: "/v1/console/settings/retention/holds", ID: "listHolds", Who: edge.Console, May: account.SessionsErase,
			Summary: "List the legal holds that are set", Description: "Of both modes, newest session first: who set each, why and since when, and when its data would be erased without it.", Bind: edge.Call(s.listHolds)},
		{Method: http.MethodGet, Path: "/v1/console/events", ID: "consoleEvents", Who: edge.Console, May: account.SessionsRead, Masks: true, Streams: true,
			Summary: "Live updates of a session", Description: "Server-sent events: `session` with the id, at once and on every event. Takes Last-Event-ID.", Bind: edge.Call(s.consoleEvents)},
	}
}

func (s *Server) openRoutes() []edge.Route {
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/catalogue", ID: "catalogue", Who: edge.Anyone,
			Summary: "Problems and reasons", Description: "Every row of the catalogue.", Bind: edge.Call(s.catalogue)},
		{Method: http.MethodGet, Path: "/healthz", ID: "health", Who: edge.Anyone,
			Summary: "Is the process alive?", Description: "Answers as long as the server runs.", Bind: edge.Call(s.health)},
		{Method: http.MethodGet, Path: "/readyz", ID: "ready", Who: edge.Anyone,
			Summary:     "Can it take requests?",
			Description: "Ready means that requests are accepted and the database answers. Models load in the background; until they are there, checks wait and `models` says so.", Bind: edge.Call(s.ready)},
	}
}
