package account

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Role is what a member of the deployment works as. A member has at least one.
type Role string

// The roles. What each may do is in the table of Rules.
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

// Permission names one thing that members and keys may be allowed to do. Its value is also the scope of a key.
type Permission string

// The permissions.
const (
	SessionsRead    Permission = "sessions.read"    // see sessions and their facts
	SessionsWrite   Permission = "sessions.write"   // create and cancel sessions, make new links
	ReportsRead     Permission = "reports.read"     // see reports: claims, checks, decisions
	EvidenceRead    Permission = "evidence.read"    // open evidence pictures; each view is audited
	VerifyDirectly  Permission = "verify"           // POST /v1/verify
	CasesRead       Permission = "cases.read"       // see the review queue
	CasesDecide     Permission = "cases.decide"     // claim, note, decide, ask to redo
	CasesOverrule   Permission = "cases.overrule"   // second approval; change a final decision; give cases to others
	TeamManage      Permission = "team.manage"      // members, their roles, invitations
	KeysRead        Permission = "keys.read"        // see API keys, never their secrets
	KeysWrite       Permission = "keys.write"       // make, rotate and revoke API keys
	WebhooksRead    Permission = "webhooks.read"    // see webhook endpoints and their deliveries
	WebhooksWrite   Permission = "webhooks.write"   // make, test, rotate and remove webhook endpoints, resend deliveries
	EventsRead      Permission = "events.read"      // read the feed of events
	SessionsSearch  Permission = "sessions.search"  // look for sessions by name, document number or metadata; audited
	LogsRead        Permission = "logs.read"        // see which calls were made with API keys
	SessionsErase   Permission = "sessions.erase"   // erase, hold, and set how long data is kept
	AuditRead       Permission = "audit.read"       // read the audit log and its proofs
	InsightRead     Permission = "insight.read"     // see figures: counts, never a single session
	SystemRead      Permission = "system.read"      // see the state of the deployment: models, jobs, storage, versions
	TrustRead       Permission = "trust.read"       // see whom the deployment trusts for chips and wallets
	TrustWrite      Permission = "trust.write"      // upload, accept and undo what is trusted
	SessionsExport  Permission = "sessions.export"  // everything that is kept of a person, with pictures; audited
	WatchlistsRead  Permission = "watchlists.read"  // see the watchlists, and how screening again goes
	WatchlistsWrite Permission = "watchlists.write" // upload, activate and retire watchlists, screen everybody again
	BlocklistRead   Permission = "blocklist.read"   // see the block list, which names nobody
	BlocklistWrite  Permission = "blocklist.write"  // add, confirm and remove entries of the block list

	WorkflowsRead    Permission = "workflows.read"    // see workflows, their versions and rules
	WorkflowsWrite   Permission = "workflows.write"   // make workflows, change drafts, try them out on past decisions
	WorkflowsPublish Permission = "workflows.publish" // publish drafts, retire versions
)

// Grant says in which mode, and how much of the answer, a role gets with a permission.
type Grant string

// The grants.
const (
	Denied   Grant = ""
	TestOnly Grant = "test mode"
	Masked   Grant = "masked" // read with personal data masked; only through calls that mask their answers
	Granted  Grant = "yes"
)

// Rule is one row of the permission table.
type Rule struct {
	Permission Permission
	What       string // description, as printed in the reference
	Roles      map[Role]Grant
	Key        bool // whether an API key can carry it as a scope
}

// rules is the permission table. Every call of the API is checked against it.
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
	}, true},
	{SystemRead, "see the state of the deployment", map[Role]Grant{Owner: Granted, Admin: Granted}, false},
	{TrustRead, "see whom the deployment trusts for chips and wallets", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: Granted, PrivacyOfficer: Granted, Auditor: Granted,
	}, false},
	{TrustWrite, "upload, accept and undo what is trusted for chips and wallets", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: TestOnly}, false},
	{WatchlistsRead, "see the watchlists and how screening goes, no person", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: Granted, PrivacyOfficer: Granted, Auditor: Granted,
	}, true},
	{WatchlistsWrite, "upload, activate and retire watchlists; screen everybody again", map[Role]Grant{Owner: Granted, Admin: Granted}, true},
	{BlocklistRead, "see the block list, which names nobody", map[Role]Grant{
		Owner: Granted, Admin: Granted, Reviewer: Granted, SeniorReviewer: Granted, Developer: TestOnly, PrivacyOfficer: Granted, Auditor: Granted,
	}, true},
	{BlocklistWrite, "add, confirm and remove entries of the block list", map[Role]Grant{
		Owner: Granted, Reviewer: Granted, SeniorReviewer: Granted, PrivacyOfficer: Granted, Developer: TestOnly,
	}, true},
	{TeamManage, "team: invite, change roles, disable", map[Role]Grant{Owner: Granted, Admin: Granted}, false},
	{VerifyDirectly, "verify pictures in one call", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: TestOnly}, true},
	{KeysRead, "see API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, false},
	{KeysWrite, "make, rotate and revoke API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted}, false},
	{WebhooksRead, "see webhooks and their deliveries", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, true},
	{WebhooksWrite, "make, test, rotate and remove webhooks", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted}, true},
	{AuditRead, "audit log and its proof", map[Role]Grant{Owner: Granted, Admin: Granted, PrivacyOfficer: Granted, Auditor: Granted}, true},
	{LogsRead, "see which calls were made with API keys", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, false},
	{EventsRead, "read the feed of events", map[Role]Grant{Owner: Granted, Admin: Granted, Developer: Granted, Auditor: Granted}, true},
}

// Rules returns the permission table.
func Rules() []Rule { return slices.Clone(rules) }

// Scopes returns every permission that an API key can carry.
func Scopes() []Permission {
	var out []Permission
	for _, r := range rules {
		if r.Key {
			out = append(out, r.Permission)
		}
	}
	return out
}

// May reports whether one of the roles has permission p in a mode, unmasked.
func May(roles []Role, p Permission, mode idv.Mode) bool {
	return anyRule(roles, p, func(g Grant) bool { return g == Granted || (g == TestOnly && mode == idv.Test) })
}

// MayMasked reports whether one of the roles has permission p, in either mode, where the answer is masked.
func MayMasked(roles []Role, p Permission) bool {
	return anyRule(roles, p, func(g Grant) bool { return g == Masked })
}

// anyRule reports whether one of the roles has a grant for p that is enough.
func anyRule(roles []Role, p Permission, enough func(Grant) bool) bool {
	for _, rule := range rules {
		if rule.Permission == p && slices.ContainsFunc(roles, func(r Role) bool { return enough(rule.Roles[r]) }) {
			return true
		}
	}
	return false
}

// Permissions returns what one of the roles may do in at least one mode, masked or not.
func Permissions(roles []Role) []Permission {
	out := []Permission{}
	for _, rule := range rules {
		if May(roles, rule.Permission, idv.Test) || MayMasked(roles, rule.Permission) {
			out = append(out, rule.Permission)
		}
	}
	return out
}

// MaskedPermissions returns what the roles may do only masked in at least one mode.
func MaskedPermissions(roles []Role) []Permission {
	out := []Permission{}
	for _, rule := range rules {
		if MayMasked(roles, rule.Permission) && !May(roles, rule.Permission, idv.Live) {
			out = append(out, rule.Permission)
		}
	}
	return out
}
