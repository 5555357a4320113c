package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// verifyCommand runs a whole verification on files.
type verifyCommand struct {
	config.Engine
	Document        string            `required:"" placeholder:"FILE" help:"The page with the portrait."`
	Back            string            `placeholder:"FILE" help:"The back of a card."`
	Selfie          string            `placeholder:"FILE" help:"A picture of the person. Without it faces cannot be compared and the best outcome is referred."`
	Claim           map[string]string `placeholder:"NAME=VALUE" help:"Claimed facts about the person: ${claims}."`
	MinAge          int               `placeholder:"YEARS" help:"Decline below this age."`
	SettledBy       idv.Settling      `enum:"machine,two_sources,two_readers" default:"machine" help:"What confirms print alone: ${settlings}."`
	AcceptSpecimens bool              `help:"Do not decline published specimens and documents of Utopia. Use it only for trials."`
	JSON            bool              `name:"json" help:"Print the report and the decision as JSON."`
}

// verification is what the command answers.
type verification struct {
	Outcome string             `json:"outcome"`
	Rule    string             `json:"rule"`
	Reasons []reasonView       `json:"reasons"`
	Report  *idv.Report        `json:"report"`
	Broken  map[string]string  `json:"not_run,omitempty"` // why a check could not run
	Timings map[string]float64 `json:"timings_ms"`
	Problem *problemView       `json:"problem"`
}

type reasonView struct {
	idv.Reason
	Title string `json:"title"`
}

// Run verifies and answers 0 approved, 1 declined, 4 referred.
func (c *verifyCommand) Run(ctx context.Context, s streams) error {
	request, err := c.request()
	if err != nil {
		return c.answer(s, verification{Outcome: "none", Reasons: []reasonView{}, Problem: viewProblem(err, s.Err)}, exitNoAnswer)
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	res, err := e.Flow.Verify(ctx, request)
	if err != nil {
		return c.answer(s, verification{Outcome: "none", Reasons: []reasonView{}, Problem: viewProblem(err, s.Err)}, exitNoAnswer)
	}
	codes := map[idv.DecisionOutcome]exit{idv.DecideApprove: exitYes, idv.DecideDecline: exitNo}
	code, ok := codes[res.Verdict.Outcome]
	if !ok {
		code = exitUndecided
	}
	return c.answer(s, viewResult(res), code)
}

func (c *verifyCommand) request() (flow.Request, error) {
	q := flow.Request{Mode: idv.Live, Now: time.Now(), Workflow: idv.PictureWorkflow(idv.Live), Claimed: map[idv.ClaimName]string{}}
	q.Workflow.MinimumAge, q.Workflow.AcceptSpecimens, q.Workflow.SettledBy = c.MinAge, c.AcceptSpecimens, c.SettledBy
	for name, value := range c.Claim {
		if !slices.Contains(idv.ClaimableNames(), idv.ClaimName(name)) {
			return q, problem.New(problem.RequestUnknownField).At(name)
		}
		q.Claimed[idv.ClaimName(name)] = value
	}
	for _, picture := range []struct {
		file string
		into *[]byte
	}{{c.Document, &q.Document}, {c.Back, &q.Back}, {c.Selfie, &q.Selfie}} {
		if picture.file == "" {
			continue
		}
		raw, err := readPicture(picture.file)
		if err != nil {
			return q, err
		}
		*picture.into = raw
	}
	return q, nil
}

func viewResult(res flow.Result) verification {
	v := verification{
		Outcome: string(res.Verdict.Outcome), Rule: res.Verdict.Rule, Reasons: []reasonView{}, Report: &res.Report,
		Broken: map[string]string{}, Timings: map[string]float64{},
	}
	for _, r := range res.Verdict.Reasons {
		k, _ := problem.Lookup(r.Code)
		v.Reasons = append(v.Reasons, reasonView{Reason: r, Title: k.Title})
	}
	for k, err := range res.Broken {
		v.Broken[string(k)] = err.Error()
	}
	for stage, d := range res.Timings {
		v.Timings[stage] = milliseconds(d)
	}
	return v
}

// answer prints the verification and ends with the given code.
func (c *verifyCommand) answer(s streams, v verification, code exit) error {
	if c.JSON {
		if err := encode(s.Out, "  ", v); err != nil {
			return err
		}
	} else if _, err := io.WriteString(s.Out, v.text()); err != nil {
		return err
	}
	if code == exitYes {
		return nil
	}
	return code
}

func (v verification) text() string {
	var b strings.Builder
	if v.Problem != nil {
		fmt.Fprintf(&b, "%s %s (%s)\n", v.Problem.Title, v.Problem.Remedy, v.Problem.Code)
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s\n", strings.ToUpper(v.Outcome), v.Rule)
	for _, r := range v.Reasons {
		fmt.Fprintf(&b, "  %s (%s)\n", r.Title, r.Code)
	}
	fmt.Fprintln(&b)
	for _, c := range v.Report.Checks {
		fmt.Fprintf(&b, "  %-20s %s\n", c.Kind, describeCheck(c, v.Broken))
	}
	fmt.Fprintln(&b)
	for _, c := range v.Report.Claims {
		fmt.Fprintf(&b, "  %-20s %-30s %s\n", c.Name, c.Value, c.Source)
	}
	for _, notice := range v.Report.Notices {
		fmt.Fprintf(&b, "\n%s\n", noticeText[notice])
	}
	return b.String()
}

// noticeText says what a verdict does not rest on.
var noticeText = map[string]string{
	"face_not_compared": "Not checked: whether the document belongs to the person who showed it. This workflow takes no selfie, so no face was compared.",
	"liveness_not_required": "Not checked: whether a live person took the selfie. This workflow requires no liveness challenge; the passive " +
		"signal is recorded and decides nothing.",
	"specimens_accepted": "Specimens were accepted, so this says nothing about a genuine document.",
}

func describeCheck(c idv.Check, broken map[string]string) string {
	switch {
	case c.Lifecycle == idv.CheckBroken:
		return "○ not run: " + broken[string(c.Kind)]
	case c.Lifecycle == idv.CheckSkipped:
		return "○ does not apply: " + c.Finding.Note
	case c.Finding == nil:
		return "○ " + string(c.Lifecycle)
	}
	mark := map[idv.Outcome]string{idv.Pass: "● pass", idv.Fail: "✕ fail", idv.Inconclusive: "◐ inconclusive"}[c.Finding.Outcome]
	for _, r := range c.Finding.Reasons {
		mark += " " + r.Code
	}
	if f := c.Finding; f.Score != nil && f.Threshold != nil {
		mark += fmt.Sprintf("  score %.3f, threshold %.3f", *f.Score, *f.Threshold)
		if f.Rates != nil && f.Rates.FMR != nil {
			mark += fmt.Sprintf(" (FMR %.0e on %s)", *f.Rates.FMR, f.Rates.DataSet)
		}
		if f.ReferBelow != nil {
			mark += fmt.Sprintf(", undecided below %.3f", *f.ReferBelow)
		}
	}
	if !c.Required {
		mark += "  (recorded only)"
	}
	return mark
}

// claimNames lists the facts that --claim takes.
func claimNames() string {
	names := idv.ClaimableNames()
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}

// settlingHelp says what --settled-by can be.
const settlingHelp = "machine (nothing: it goes to review), two_sources (both sides state it, or a number encodes it), or two_readers (that, or two " +
	"readers read a numbered field alike)"
