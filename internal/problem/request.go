package problem

// Problems of requests and access.
var (
	// RequestMalformed: the body or a parameter cannot be read or breaks a stated limit.
	RequestMalformed = register(Kind{
		Code: "request.malformed", Status: 400, Reader: Integrator,
		Title: "The request cannot be read.", Remedy: "Compare the named field with the API reference.",
	})
	// RequestUnknownField: a JSON body has a field that the call does not know.
	RequestUnknownField = register(Kind{
		Code: "request.unknown_field", Status: 400, Reader: Integrator,
		Title: "The request has an unknown field.", Remedy: "Remove the named field or correct its spelling.",
	})
	// RequestTooLarge: the body, or a picture in it, is larger than the limit.
	RequestTooLarge = register(Kind{
		Code: "request.too_large", Status: 413, Severity: Retry, Reader: Applicant,
		Title: "The file is too large.", Remedy: "Send a picture of at most 15 MB.",
		Reviewer: "The upload was larger than the limit.",
	})
	// RequestTooSlow: the body arrives too slowly, or stopped arriving.
	RequestTooSlow = register(Kind{
		Code: "request.too_slow", Status: 408, Reader: Integrator,
		Title: "The request arrived too slowly.", Remedy: "Send it again over a faster connection; a large picture can be sent in parts.",
	})
	// RequestUnsupportedMedia: the request's media type is not one the call accepts.
	RequestUnsupportedMedia = register(Kind{
		Code: "request.unsupported_media", Status: 415, Reader: Integrator,
		Title: "This call does not accept that media type.", Remedy: "Use a media type listed in the API reference.",
	})
	// IdempotencyConflict: the key was used before with another body.
	IdempotencyConflict = register(Kind{
		Code: "request.idempotency_conflict", Status: 409, Reader: Integrator,
		Title: "This idempotency key was used with another request.", Remedy: "Use a new key for a new request.",
	})
	// AuthMissing: no credential was sent.
	AuthMissing = register(Kind{
		Code: "auth.missing", Status: 401, Reader: Integrator,
		Title: "This call needs a credential.", Remedy: "Send the API key as a bearer token, or sign in.",
	})
	// AuthInvalid: the credential is wrong, expired or revoked.
	AuthInvalid = register(Kind{
		Code: "auth.invalid", Status: 401, Reader: Integrator,
		Title: "The credential is not valid.", Remedy: "Check that it is complete, not expired and not revoked.",
	})
	// AuthSecondFactor: the password is right, and the member has a second factor that was not shown, or not rightly.
	AuthSecondFactor = register(Kind{
		Code: "auth.second_factor", Status: 401, Reader: Operator,
		Title: "A second factor is needed.", Remedy: "Send the current code from the authenticator app, or an unused recovery code.",
	})
	// AuthTooManyFailures: so many passwords or codes were wrong that the next is not looked at yet.
	AuthTooManyFailures = register(Kind{
		Code: "auth.too_many_failures", Status: 429, Reader: Operator,
		Title:  "Too many wrong passwords or codes.",
		Remedy: "Wait for the time in the Retry-After header, or sign in with a passkey or from a network you have signed in from before.",
	})
	// AuthPasskey: the answer of a passkey does not prove who answers: made for another place or member, used before, or too late.
	AuthPasskey = register(Kind{
		Code: "auth.passkey", Status: 401, Reader: Operator,
		Title: "The passkey was not accepted.", Remedy: "Try again, or sign in another way.",
	})
	// AuthStepUp: signing in was too long ago for what this call does.
	AuthStepUp = register(Kind{
		Code: "auth.step_up", Status: 403, Reader: Operator,
		Title: "Please confirm your identity.", Remedy: "Use a passkey, or your password and a code, then repeat the call.",
	})
	// AuthSSORefused: the identity provider did not vouch for somebody who may come in.
	AuthSSORefused = register(Kind{
		Code: "auth.sso_refused", Status: 403, Reader: Operator,
		Title: "Single sign-on did not let you in.", Remedy: "Try again. If it keeps failing, ask an owner or the administrator of your identity provider.",
	})
	// AuthSSOUnavailable: the identity provider does not answer, or not as it should.
	AuthSSOUnavailable = register(Kind{
		Code: "auth.sso_unavailable", Status: 503, Reader: Operator,
		Title: "The identity provider is not responding.", Remedy: "Try again in a moment, or sign in with a passkey or a password.",
	})
	// AuthForbidden: the credential is good but may not do this.
	AuthForbidden = register(Kind{
		Code: "auth.forbidden", Status: 403, Reader: Integrator,
		Title: "You do not have permission to do this.", Remedy: "Ask an owner for a role or key that has it.",
	})
	// RateLimited: too many requests in a window.
	RateLimited = register(Kind{
		Code: "rate.limited", Status: 429, Reader: Integrator,
		Title: "Too many requests.", Remedy: "Wait for the time in the Retry-After header.",
	})
	// NotFound: nothing is there, or the caller may not know that it is.
	NotFound = register(Kind{
		Code: "not_found", Status: 404, Reader: Integrator,
		Title: "Not found.", Remedy: "Check the URL and the ID.",
	})
	// Internal: a bug or an outage; the cause is in the server's log under the request id.
	Internal = register(Kind{
		Code: "internal", Status: 500, Reader: Operator,
		Title: "Something went wrong on our side.", Remedy: "Try again. If it keeps failing, give the operator the request ID.",
	})
	// Unavailable: the server is too busy or not ready.
	Unavailable = register(Kind{
		Code: "unavailable", Status: 503, Reader: Operator,
		Title: "The service is busy right now.", Remedy: "Try again in a moment.",
	})
	// EvidenceDamaged: something that is stored of a session cannot be read any more.
	EvidenceDamaged = register(Kind{
		Code: "evidence.damaged", Status: 500, Reader: Operator,
		Title:  "A stored picture of this session is damaged.",
		Remedy: "Restore it from a backup. The log names the session; nothing was returned.",
	})
	// WebhookTargetRefused: webhooks are not sent to that address.
	WebhookTargetRefused = register(Kind{
		Code: "webhook.target_refused", Status: 422, Reader: Integrator,
		Title:  "Webhooks cannot be sent to this address.",
		Remedy: "Use an https URL without credentials, on a public host. The operator can allow other networks with --webhook-network.",
	})
	// RequestMethod: the address is known, and takes other methods.
	RequestMethod = register(Kind{
		Code: "request.method_not_allowed", Status: 405, Reader: Integrator,
		Title: "This address does not take that method.", Remedy: "Use one of the methods that the Allow header names.",
	})
	// RequestVersion: there is no such version of the API.
	RequestVersion = register(Kind{
		Code: "request.unknown_version", Status: 400, Reader: Integrator,
		Title: "There is no such version of the API.", Remedy: "Send one of the versions that GET /v1/version lists, or none for the current one.",
	})
	// WebhookPaused: somebody paused the endpoint, and nothing is sent to it.
	WebhookPaused = register(Kind{
		Code: "webhook.paused", Status: 409, Reader: Integrator,
		Title: "The endpoint is paused.", Remedy: "Resume it, then send what you want to send.",
	})
	// WebhookStopped: the target answered that it is gone, and nothing is sent to it.
	WebhookStopped = register(Kind{
		Code: "webhook.stopped", Status: 409, Reader: Integrator,
		Title: "The endpoint is stopped because it responded 410 Gone.", Remedy: "Start it again once it accepts events, then resend.",
	})
	// MailOff: the deployment sends no mail.
	MailOff = register(Kind{
		Code: "mail.off", Status: 409, Reader: Integrator,
		Title: "This deployment sends no email.", Remedy: "Hand the link over yourself, or ask the operator to set up a mail server.",
	})
	// MailLimited: too many mails were asked for.
	MailLimited = register(Kind{
		Code: "mail.limited", Status: 429, Reader: Integrator,
		Title: "Too many emails were requested.", Remedy: "Wait an hour, then try again.",
	})
)
