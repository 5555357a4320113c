package account

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Role is what a member of the deployment is.
type Role string

// The roles (PRODUCT §6).
const (
	Owner          Role = "owner"
	Admin          Role = "admin"
	Reviewer       Role = "reviewer"
	SeniorReviewer Role = "senior_reviewer"
	Developer      Role = "developer"
	PrivacyOfficer Role = "privacy_officer"
	Auditor        Role = "auditor"
)

// Roles lists every role, most powerful first.
func Roles() []Role {
	return []Role{Owner, Admin, Reviewer, SeniorReviewer, Developer, PrivacyOfficer, Auditor}
}

// Permission is one thing that somebody may do.
type Permission string

// The permissions. A row lands with the first call that needs it.
const (
	SessionsRead   Permission = "sessions.read"   // see sessions and their facts
	SessionsWrite  Permission = "sessions.write"  // create and cancel sessions, make new links
	ReportsRead    Permission = "reports.read"    // see reports: claims, checks, decisions
	EvidenceRead   Permission = "evidence.read"   // open evidence pictures; each view is audited
	VerifyDirectly Permission = "verify"          // POST /v1/verify
	CasesRead      Permission = "cases.read"      // see the review queue
	CasesDecide    Permission = "cases.decide"    // claim, note, decide, ask to redo
	CasesOverrule  Permission = "cases.overrule"  // second approval; change a final decision; give cases to others
	TeamManage     Permission = "team.manage"     // members, their roles, invitations
	KeysRead       Permission = "keys.read"       // see API keys, never their secrets
	KeysWrite      Permission = "keys.write"      // make, rotate and revoke API keys
	WebhooksRead   Permission = "webhooks.read"   // see webhook endpoints and their deliveries
	WebhooksWrite  Permission = "webhooks.write"  // make, test, rotate and remove webhook endpoints, resend deliveries
	EventsRead     Permission = "events.read"     // read the feed of events
	SessionsSearch Permission = "sessions.search" // look for sessions by name, document number or metadata; audited
	LogsRead       Permission = "logs.read"       // see which calls were made with API keys
	SessionsErase  Permission = "sessions.erase"  // erase, hold, and settle how long data is kept
	AuditRead      Permission = "audit.read"      // read the audit log and its proofs
	InsightRead    Permission = "insight.read"    // see figures: counts, never a single session
	SystemRead     Permission = "system.read"     // see how the deployment stands: models, jobs, storage, versions
	SessionsExport Permission = "sessions.export" // everything that is kept of a person, with pictures; audited

	WorkflowsRead    Permission = "workflows.read"    // see workflows, their versions and rules
	WorkflowsWrite   Permission = "workflows.write"   // make workflows, change drafts, try them out on past decisions
	WorkflowsPublish Permission = "workflows.publish" // publish drafts, retire versions
)

// Grant says how far a role reaches with a permission.
type Grant string

// The grants.
const (
	Denied   Grant = ""
	TestOnly Grant = "test mode"
	Masked   Grant = "masked" // to see, with personal data masked; only by calls that mask their answers
	Granted  Grant = "yes"
)

// Rule is one row of the permission table.
type Rule struct {
	Permission Permission
	What       string // in words
	Roles      map[Role]Grant
	Key        bool // whether an API key can carry it as a scope
}

// rules is the permission table. Every answer of the API is checked against it, in one place.
var rules = []Rule{
	{SessionsRead, "see sessions (facts)", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted, Auditor: Masked,
	}, true},
	{SessionsWrite, "create and cancel sessions", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: Granted,
	}, true},
	{ReportsRead, "see reports", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted, Auditor: Masked,
	}, true},
	{EvidenceRead, "open evidence pictures (each view is audited)", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly,
	}, true},
	{CasesRead, "see cases and what was said about them", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted, Auditor: Masked,
	}, false},
	{CasesDecide, "claim, note, decide, ask to redo", map[Role]Grant{
		Owner: Granted, Reviewer: Granted, SeniorReviewer: Granted,
	}, false},
	{CasesOverrule, "second approval; change a final decision; assign cases", map[Role]Grant{
		Owner: Granted, SeniorReviewer: Granted,
	}, false},
	{SessionsSearch, "search sessions by name, document number or metadata (audited)", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted,
	}, true},
	{SessionsErase, "erase sessions, set and lift legal holds, settle how long data is kept", map[Role]Grant{
		Owner: Granted, PrivacyOfficer: Granted,
	}, true},
	{SessionsExport, "export what is kept of a person, with pictures (audited)", map[Role]Grant{
		Owner: Granted, PrivacyOfficer: Granted,
	}, true},
	{WorkflowsRead, "see workflows, their versions and rules", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: Granted, PrivacyOfficer: Granted, Auditor: Granted,
	}, true},
	{WorkflowsWrite, "make workflows, change drafts, simulate them", map[Role]Grant{
		Owner: Granted, Admin: Granted, SeniorReviewer: Granted, Developer: Granted,
	}, true},
	{WorkflowsPublish, "publish workflows, retire versions", map[Role]Grant{Owner: Granted, Admin: Granted}, false},
	{InsightRead, "see figures: overview and analytics", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted, Auditor: Granted,
	}, false},
	{SystemRead, "see how the deployment stands", map[Role]Grant{Owner: Granted, Admin: Granted}, false},
	{TeamManage, "team: invite, change roles, disable", map[Role]Grant{Owner: Granted, Admin: Granted}, false},
	{VerifyDirectly, "verify pictures in one call", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: TestOnly}, true},
	{KeysRead, "see API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, false},
	{KeysWrite, "make, rotate and revoke API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted}, false},
	{WebhooksRead, "see webhooks and their deliveries", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, true},
	{WebhooksWrite, "make, test, rotate and remove webhooks", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted}, true},
	{AuditRead, "audit log and its proof", map[Role]Grant{Owner: Granted, Admin: Granted, PrivacyOfficer: Granted, Auditor: Granted}, false},
	{LogsRead, "see which calls were made with API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, false},
	{EventsRead, "read the feed of events", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, true},
}

// Rules answers the permission table.
func Rules() []Rule { return slices.Clone(rules) }

// Scopes lists every permission that an API key can carry.
func Scopes() []Permission {
	var out []Permission
	for _, r := range rules {
		if r.Key {
			out = append(out, r.Permission)
		}
	}
	return out
}

// May reports whether somebody with these roles has permission p in a mode, without anything being masked.
func May(roles []Role, p Permission, mode idv.Mode) bool {
	return granted(roles, p, func(g Grant) bool { return g == Granted || (g == TestOnly && mode == idv.Test) })
}

// MayMasked reports whether somebody with these roles has permission p where the answer is masked for them, in either mode.
func MayMasked(roles []Role, p Permission) bool {
	return granted(roles, p, func(g Grant) bool { return g == Masked })
}

func granted(roles []Role, p Permission, enough func(Grant) bool) bool {
	for _, rule := range rules {
		if rule.Permission == p && slices.ContainsFunc(roles, func(r Role) bool { return enough(rule.Roles[r]) }) {
			return true
		}
	}
	return false
}

// Permissions lists what somebody with these roles may do, in at least one mode, masked or not.
func Permissions(roles []Role) []Permission {
	out := []Permission{}
	for _, rule := range rules {
		if May(roles, rule.Permission, idv.Test) || MayMasked(roles, rule.Permission) {
			out = append(out, rule.Permission)
		}
	}
	return out
}

// MaskedPermissions lists what somebody with these roles may do only masked, in at least one mode.
func MaskedPermissions(roles []Role) []Permission {
	out := []Permission{}
	for _, rule := range rules {
		if MayMasked(roles, rule.Permission) && !May(roles, rule.Permission, idv.Live) {
			out = append(out, rule.Permission)
		}
	}
	return out
}
