package main

import (
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// file is a generated file, by its path from the root.
type file struct {
	path    string
	content []byte
}

// generate makes every generated file; root holds the records that some of them are made from.
func generate(root string) ([]file, error) {
	server, err := httpapi.New(nil, httpapi.Accounts{}, nil, httpapi.Stores{}, httpapi.Options{})
	if err != nil {
		return nil, err
	}
	api, err := server.OpenAPI()
	if err != nil {
		return nil, err
	}
	languages, err := readLanguages()
	if err != nil {
		return nil, err
	}
	consents, err := consentsGo(languages)
	if err != nil {
		return nil, err
	}
	configuration, err := configurationPage()
	if err != nil {
		return nil, err
	}
	accusations, err := accusationsPage(root)
	if err != nil {
		return nil, err
	}
	catalogue, err := catalogueJSON()
	if err != nil {
		return nil, err
	}
	sentences, err := sentencesJSON(root)
	if err != nil {
		return nil, err
	}
	words, err := paperWordsJSON(root)
	if err != nil {
		return nil, err
	}
	return []file{
		{"internal/casefile/words.json", words},
		{"web/src/api/openapi.json", api},
		{"docs/reference/errors.md", errorsPage()},
		{"docs/reference/states.md", statesPage()},
		{"docs/reference/permissions.md", permissionsPage(server.Routes())},
		{"docs/reference/limits.md", limitsPage()},
		{"docs/reference/events.md", eventsPage()},
		{"docs/reference/personas.md", personasPage()},
		{"docs/reference/assurance.md", assurancePage()},
		{"docs/reference/declines.md", declinesPage()},
		{"docs/reference/false-accusations.md", accusations},
		{"docs/reference/erasing.md", erasingPage()},
		{"docs/reference/configuration.md", configuration},
		{"docs/reference/attacks-on-the-server.md", attacksPage()},
		{"docs/reference/languages.md", languagesPage(languages)},
		{"web/src/i18n/languages.ts", languagesTS(languages)},
		{"web/src/i18n/problems.ts", problemsTS()},
		{"web/src/i18n/catalogue.json", catalogue},
		{"web/src/i18n/sentences.json", sentences},
		{"web/src/i18n/rows.ts", rowsTS()},
		{"web/src/i18n/states.ts", statesTS()},
		{"internal/brand/languages.go", languagesGo(languages)},
		{"internal/brand/consents.go", consents},
	}, nil
}

const made = "<!-- Made by `make gen` from the tables in the code. Change the table, not this page. -->\n\n"

// table writes a Markdown table.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", "\\|")
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

func errorsPage() []byte {
	var b strings.Builder
	b.WriteString("# Problems and reasons\n\n" + made +
		"Every problem answer (RFC 9457) and every reason of a check is a row of this table. The code never changes its meaning.\n" +
		"Severity says what a reason means for the verdict: *retry* (a better picture can fix it), *final* (a fact), *fraud* (a sign of fraud),\n" +
		"*suspect* (a sign that also appears in genuine documents and people), *refer* (needs review), *question* (a guess that the\n" +
		"applicant can confirm).\n")
	family := ""
	for _, k := range problem.All() {
		if f, _, _ := strings.Cut(k.Code, "."); f != family {
			family = f
			b.WriteString("\n## " + f + "\n")
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s %s\n\nStatus %d, %s, for the %s.", k.Code, k.Title, k.Remedy, k.Status, severity(k.Severity), k.Reader)
		if k.Reviewer != "" {
			b.WriteString(" To reviewers: " + k.Reviewer)
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}

func severity(s problem.Severity) string {
	if s == problem.None {
		return "never a reason"
	}
	return "severity *" + string(s) + "*"
}

func statesPage() []byte {
	var rows [][]string
	for _, from := range idv.SessionStates() {
		if from.Final() {
			rows = append(rows, []string{"`" + string(from) + "`", "none: final", ""})
			continue
		}
		for _, e := range idv.SessionEvents() {
			if to, ok := from.Next(e); ok {
				rows = append(rows, []string{"`" + string(from) + "`", string(e), "`" + string(to) + "`"})
			}
		}
	}
	return []byte("# States of a session\n\n" + made + "A move that is not listed is refused with `session.conflict`.\n\n" +
		table([]string{"from", "event", "to"}, rows))
}

func permissionsPage(routes []edge.Route) []byte {
	head := []string{"may", "permission"}
	for _, r := range account.Roles() {
		head = append(head, strings.ReplaceAll(string(r), "_", " "))
	}
	head = append(head, "API key")
	var rows [][]string
	for _, rule := range account.Rules() {
		row := []string{rule.What, "`" + string(rule.Permission) + "`"}
		for _, r := range account.Roles() {
			row = append(row, granted(rule.Roles[r]))
		}
		key := "–"
		if rule.Key {
			key = "scope"
		}
		rows = append(rows, append(row, key))
	}
	var calls [][]string
	for _, r := range routes {
		needs, fresh := "–", "–"
		if r.May != "" {
			needs = "`" + string(r.May) + "`"
		}
		if r.Fresh {
			fresh = "yes"
		}
		calls = append(calls, []string{"`" + r.Pattern() + "`", string(r.Who), needs, fresh})
	}
	return []byte("# Permissions\n\n" + made + "An API key has one mode and reaches only sessions of that mode.\n\n" +
		table(head, rows) + "\n## Calls\n\n" +
		fmt.Sprintf(
			"A fresh proof is signing in, or showing once more who one is, less than %d minutes ago. Without it the answer is `auth.step_up`.\n\n",
			int(signin.ProofLife.Minutes()),
		) +
		table([]string{"call", "credential", "needs", "fresh proof"}, calls))
}

func granted(g account.Grant) string {
	switch g {
	case account.Granted:
		return "✓"
	case account.Denied:
		return "–"
	default:
		return string(g)
	}
}

// sendingLimits are the limits of pictures on their way in.
func sendingLimits() [][]string {
	return [][]string{
		{"picture", fmt.Sprintf("%d MB, %d megapixels", edge.MaxPictureBytes>>20, imaging.DefaultMaxPixels/1_000_000)},
		{
			"upload in parts",
			fmt.Sprintf(
				"parts of at most %d KiB, %d of them, %d MB together; kept for %s; %d of one session", applicant.UploadPartBytes>>10,
				applicant.MostUploadParts, applicant.MostUploadBytes>>20, span(applicant.UploadLife), applicant.UploadsAtOnce,
			),
		},
		{
			"pictures being sent at once",
			fmt.Sprintf(
				"what fits into an eighth of the memory, 128 MB to 1 GB (`--picture-mb`), each counted %d times as it arrives; %d of one session, "+
					"which holds 1/%d of it at most, and one address 1/%d, but always one largest picture; %d calls wait a moment, then come back; more come back at once",
				edge.CopiesOfBody, edge.SendsAtOnce, edge.SessionShare, edge.AddressShare, edge.MostWaiting,
			),
		},
		{
			"time to send a body",
			fmt.Sprintf("%s; after %s no less than %d KiB a second on average", span(edge.BodyTime), span(edge.BodyGrace), edge.LeastBodyPace>>10),
		},
		{
			"pictures being looked at at once",
			fmt.Sprintf(
				"%d megapixels, %d MB of memory; %d calls wait up to %s, then come back; more come back at once", flow.DefaultPixels/1_000_000,
				flow.DefaultPixels*flow.BytesOfPixel/1_000_000, flow.DefaultLooks, span(flow.DefaultLookWait),
			),
		},
		{
			"calls being worked at once",
			"as many as are answered about as fast as one alone, 2 for each processor at least; 256 wait for their turn for 0.1 s, " +
				"then half as many as are worked; more come back",
		},
	}
}

func limitsPage() []byte {
	perMinute := func(r edge.Rate) string { return fmt.Sprintf("%d in %s", r.Calls, span(r.Window)) }
	rows := [][]string{
		{"session link life", span(idv.DefaultLinkLife)},
		{"session life after opening", span(idv.DefaultSessionLife)},
		{"tries per step", fmt.Sprint(idv.DefaultStepAttempts)},
		{"tries per session", fmt.Sprint(idv.DefaultSessionAttempts)},
	}
	rows = append(rows, sendingLimits()...)
	rows = append(rows, [][]string{
		{
			"frames of a liveness challenge",
			fmt.Sprintf(
				"%d to %d, %d MB together, over %d to %d seconds", idv.LeastFrames, idv.MostFrames, idv.MostFrameBytes>>20, idv.LeastFrameSpanMS/1000,
				idv.MostFrameSpanMS/1000,
			),
		},
		{"liveness challenge life", span(idv.ChallengeLife) + ", single use"},
		{
			"liveness challenges per try",
			fmt.Sprintf(
				"%d, for the same movements; the next one costs the try, and after the last try there is one picture, and a person",
				applicant.ChallengesPerTry,
			),
		},
		{"case claim", span(review.DefaultClaimLife) + ", renewed by activity"},
		{"case decided within", span(session.DefaultCaseTarget)},
		{"note of a reviewer", fmt.Sprintf("%d characters", review.MaxNote)},
		{"hand-off link life", span(idv.HandoffLife) + ", single use"},
		{"hand-offs per session", fmt.Sprintf("%d in %s", applicant.HandoffsAtOnce, span(idv.HandoffLife))},
		{"live updates open at a time", fmt.Sprintf("%d per applicant's browser, %d per session", edge.StreamsPerBrowser, edge.StreamsPerSession)},
		{"JSON body", fmt.Sprintf("%d KiB", edge.MaxJSONBytes>>10)},
		{"metadata", fmt.Sprintf("%d keys of %d characters, values of %d", session.MaxMetadataKeys, session.MaxMetadataKey, session.MaxMetadataValue)},
		{"claimed value", fmt.Sprintf("%d characters", session.MaxClaim)},
		{"calls per API key", perMinute(edge.KeyRate)},
		{"calls per applicant's session", perMinute(edge.ApplicantRate)},
		{"calls per person signed in", perMinute(edge.MemberRate)},
		{"calls per address without a credential", perMinute(edge.AddressRate)},
		{"logins per account and address", perMinute(edge.LoginRate)},
		{"password", fmt.Sprintf("%d to %d characters", password.MinLength, password.MaxLength)},
		{"console session, idle", span(edge.ConsoleIdle)},
		{"console session, total", span(edge.ConsoleTotal)},
		{"pictures and templates are kept", span(idv.DefaultRetention().Pictures) + " after the session's end; a workflow or a setting can shorten it"},
		{"facts, findings and reports are kept", span(idv.DefaultRetention().Report) + " after the session's end; a workflow or a setting can shorten it"},
		{"test sessions are kept", span(idv.TestRetention) + " after their end; a setting can shorten it"},
		{
			"entries of the audit log are kept",
			span(idv.AuditRetention) + "; a setting can shorten it to " + span(idv.LeastAuditRetention) + ". Their hashes stay",
		},
		{"reason of a legal hold", fmt.Sprintf("%d characters", retention.MaxHoldReason)},
		{"answers kept for an Idempotency-Key", span(edge.IdempotencyLife)},
		{"webhook endpoints of a mode", fmt.Sprint(webhook.MaxEndpoints)},
		{"webhook: time to answer", span(webhook.DefaultTimeout)},
		{"webhook: tries", fmt.Sprintf("%d over %d hours, each pause up to a tenth longer or shorter", webhook.MaxAttempts(), int(webhook.Span().Hours()+0.5))},
		{"webhook: of an answer is kept", fmt.Sprintf("%d bytes, for %s after its end", webhook.MaxExcerpt, span(webhook.LogLife))},
		{"webhook: both secrets sign after a rotation", span(webhook.SecretOverlap)},
		{"API key: the old one beside the new after a rotation", "at most " + span(apikey.MaxGrace)},
	}...)
	const shared = "Servers on one PostgreSQL share these rates; a server on SQLite counts them by itself.\n\n"
	return []byte("# Limits\n\n" + made + shared + table([]string{"what", "limit"}, rows))
}

func eventsPage() []byte {
	var rows [][]string
	for _, k := range webhook.Kinds() {
		data := "–"
		if len(k.Keys) > 0 {
			data = "`" + strings.Join(k.Keys, "`, `") + "`"
		}
		rows = append(rows, []string{"`" + k.Type + "`", k.When, data})
	}
	return []byte("# Events\n\n" + made + "What webhooks and `GET /v1/events` tell. Values are ids, codes and lists of them; nothing that " +
		"anybody typed, and nothing personal.\n\n" +
		table([]string{"type", "when", "data"}, rows))
}
