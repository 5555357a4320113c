package casefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// head says whose case it is and what was decided, before everything else.
func (p *paper) head(v view) {
	p.line("B", 18, ink, "%s", p.say("Case file"))
	about := string(v.Session.ID)
	if v.Session.Mode == idv.Test {
		about += " · " + p.say("test data")
	}
	p.line("", 9, soft, "%s", about)
	p.doc.Ln(2)
	if d := v.Newest; d != nil {
		p.line("B", 14, outcomes[d.Outcome], "%s", p.code("decision", d.Outcome))
		p.line("", 10, ink, p.say("On %s by %s. Rule: %s."), p.when(d.DecidedAt), p.by(d.By), p.rule(d.Rule))
		if d.Assurance.Level != "" {
			p.line("", 10, ink, p.say("Assurance level: %s."), p.code("assurance", d.Assurance.Level))
		}
	} else {
		p.line("B", 12, ink, "%s", p.say("No decision is on record."))
	}
	if v.Report != nil {
		for _, code := range v.Report.Notices {
			p.line("B", 9, ink, p.say("Note: %s"), p.notice(code))
		}
	}
	p.doc.Ln(2)
	p.table([]float64{0.2, 0.8}, nil, p.facts(v))
}

// facts are the lines that say what the session was.
func (p *paper) facts(v view) [][]cell {
	s := v.Session
	rows := [][]cell{
		{{note: p.say("Made")}, {text: fmt.Sprintf(p.say("%s by %s"), p.when(v.MadeAt), v.MadeBy)}},
		{{note: p.say("State")}, {text: p.code("state", s.State)}},
		{{note: p.say("Workflow")}, {text: fmt.Sprintf(p.say("%s, version %d"), s.Workflow.Name, s.Workflow.Number)}},
		{{note: p.say("Created")}, {text: p.when(s.CreatedAt), note: s.CreatedBy}},
	}
	if s.DocumentKind != "" {
		rows = append(rows, []cell{{note: p.say("Document")}, {text: p.code("kind", s.DocumentKind)}})
	}
	if s.ExternalReference != "" {
		rows = append(rows, []cell{{note: p.say("Reference")}, {text: s.ExternalReference}})
	}
	if s.ErasedAt != nil {
		rows = append(rows, []cell{{note: p.say("Erased")}, {text: p.when(*s.ErasedAt), note: p.say("Nothing personal is left.")}})
	}
	for _, key := range slices.Sorted(maps.Keys(s.Metadata)) {
		rows = append(rows, []cell{{note: key}, {text: s.Metadata[key]}})
	}
	return rows
}

func (p *paper) decisions(v view) {
	if len(v.Decisions) == 0 {
		return
	}
	p.heading(p.say("Decisions"))
	var rows [][]cell
	for _, d := range v.Decisions {
		why := list(d.Reasons, func(r idv.Reason) string { return p.reason(r.Code) })
		note := list(d.Reasons, func(r idv.Reason) string { return r.Code })
		if d.Note != "" {
			why += "\n" + p.quote(d.Note)
		}
		if d.ReportDigest != "" {
			note += "\n" + fmt.Sprintf(p.say("Report %s"), d.ReportDigest)
		}
		outcome := cell{text: p.code("decision", d.Outcome), note: p.rule(d.Rule)}
		rows = append(rows, []cell{{text: p.when(d.DecidedAt)}, outcome, {text: p.by(d.By)}, {text: why, note: note}})
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, p.all("When", "Outcome", "By", "Why"), rows)
}

func (p *paper) reviews(v view) {
	if len(v.Reviews) == 0 {
		return
	}
	p.heading(p.say("What reviewers said"))
	var rows [][]cell
	for _, r := range v.Reviews {
		said := list(r.Reasons, p.reason)
		if r.Note != "" {
			said += "\n" + p.quote(r.Note)
		}
		rows = append(rows, []cell{{text: p.when(r.At)}, {text: p.code("review", r.Kind)}, {text: r.By}, {text: said}})
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, p.all("When", "What", "By", "Why"), rows)
}

// links are what reviewers said of other sessions that have something in common with this one.
func (p *paper) links(v view) {
	if len(v.Links) == 0 {
		return
	}
	p.heading(p.say("Other sessions"))
	var rows [][]cell
	for _, l := range v.Links {
		shares := string(l.Session) + "\n" + list(l.Signs, func(s idv.SeenSign) string { return p.words(s) })
		rows = append(rows, p.said("link", l.Said, l.Decision, shares)...)
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, p.all("When", "What", "By", "Why"), rows)
}

// hits are what reviewers said of entries of watchlists.
func (p *paper) hits(v view) {
	if len(v.Hits) == 0 {
		return
	}
	p.heading(p.say("Entries of watchlists"))
	var rows [][]cell
	for _, h := range v.Hits {
		entry := h.Listed + "\n" + h.List + ", " + h.Entry
		if h.Until != nil {
			entry += "\n" + fmt.Sprintf(p.say("until %s"), p.when(*h.Until))
		}
		rows = append(rows, p.said("hit", h.Said, h.Decision, entry)...)
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, p.all("When", "What", "By", "Why"), rows)
}

// said are the rows of what reviewers said of one matter; the last has what it has come to, unless that is what was said.
func (p *paper) said(of string, all []Opinion, decision, about string) [][]cell {
	var rows [][]cell
	for i, o := range all {
		what := cell{text: p.code(of+".state", o.Decision)}
		if i == len(all)-1 && decision != o.Decision {
			what.note = p.code(of+".state", decision)
		}
		why := ""
		if o.Reason != "" {
			why = p.code(of+".reason", o.Reason)
		}
		if o.Note != "" {
			why += "\n" + p.quote(o.Note)
		}
		rows = append(rows, []cell{{text: p.when(o.At)}, what, {text: o.By}, {text: strings.TrimSpace(why), note: about}})
	}
	return rows
}

func (p *paper) verified(v view) {
	if v.Verified == nil {
		return
	}
	title := p.say("What would be verified")
	if v.Approved {
		title = p.say("Verified")
	}
	p.heading(title)
	var rows [][]cell
	for _, f := range v.Verified.Facts() {
		value := "–"
		if f.Value != nil {
			value = *f.Value
		}
		by := list(f.Sources, func(s idv.ClaimSource) string { return p.code("facts", s) })
		if len(f.Disagree) > 0 {
			by += "; " + p.say("not") + " " + list(f.Disagree, func(s idv.ClaimSource) string { return p.code("facts", s) })
		}
		rows = append(rows, []cell{{note: p.code("fact", f.Name)}, {text: value}, {text: by}, {text: p.words(f.Rule)}})
	}
	p.table([]float64{0.2, 0.32, 0.24, 0.24}, p.all("Fact", "Value", "Stated by", "Chosen by"), rows)
}

// sources writes each fact with what each source says of it.
func (p *paper) sources(v view) {
	if len(v.Facts) == 0 {
		return
	}
	p.heading(p.say("Facts by source"))
	widths, head := []float64{0.2}, p.all("Fact")
	for _, s := range v.Sources {
		widths, head = append(widths, 0.8/float64(len(v.Sources))), append(head, p.code("facts", s))
	}
	var rows [][]cell
	for _, f := range v.Facts {
		row := []cell{{note: p.code("fact", f.Name)}}
		for _, value := range f.Values {
			if value == "" {
				value = "–"
			}
			row = append(row, cell{text: value})
		}
		rows = append(rows, row)
	}
	p.table(widths, head, rows)
}

func (p *paper) checks(v view) {
	if v.Report == nil {
		return
	}
	p.heading(p.say("Checks"))
	var rows [][]cell
	for _, c := range v.Report.Checks {
		if c.Lifecycle == idv.CheckSuperseded {
			continue
		}
		row := []cell{{text: p.question(c.Kind), note: string(c.Kind)}, {text: p.found(c)}, {}}
		if !c.Required {
			row[1].note = p.say("not required")
		}
		if f := c.Finding; f != nil {
			row[2].text = list(f.Reasons, func(r idv.Reason) string { return p.reason(r.Code) })
			if f.Score != nil {
				row[2].note = fmt.Sprintf(p.say("Score %s, threshold %s."), p.number(f.Score), p.number(f.Threshold)) + " " + p.rates(f.Rates)
			}
		}
		rows = append(rows, row)
	}
	p.table([]float64{0.36, 0.16, 0.48}, p.all("Question", "Answer", "Reasons, score and error rates"), rows)
	p.line("", 8, soft, p.say("Report %s, %s."), v.Report.Digest, p.when(v.Report.MadeAt))
}

// history says what the person agreed to, and what happened.
func (p *paper) history(v view) {
	var consents [][]cell
	for _, c := range v.Consents {
		answer := p.say("Declined")
		if c.Given {
			answer = p.say("Given")
		}
		consents = append(consents, []cell{{text: p.when(c.At)}, {text: answer}, {text: fmt.Sprintf(p.say("Version %s, %s"), c.TextVersion, c.Locale)}})
	}
	if len(consents) > 0 {
		p.heading(p.say("Consents"))
		p.table([]float64{0.3, 0.3, 0.4}, p.all("When", "Answer", "Text"), consents)
	}
	var events [][]cell
	for _, e := range v.Timeline {
		events = append(events, []cell{{text: p.when(e.At)}, {text: p.code("event", e.Type)}, {text: p.code("actor", e.By)}})
	}
	if len(events) > 0 {
		p.heading(p.say("Timeline"))
		p.table([]float64{0.3, 0.45, 0.25}, p.all("When", "What", "By"), events)
	}
}
