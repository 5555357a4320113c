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
	p.line("B", 18, ink, "Case file")
	about := string(v.Session.ID)
	if v.Session.Mode == idv.Test {
		about += " · test data"
	}
	p.line("", 9, soft, "%s", about)
	p.doc.Ln(2)
	if d := v.Newest; d != nil {
		p.line("B", 14, outcomes[d.Outcome], "%s", words(d.Outcome))
		p.line("", 10, ink, "On %s by %s. Rule: %s.", when(d.DecidedAt), d.By, words(d.Rule))
		if d.Assurance.Level != "" {
			p.line("", 10, ink, "Assurance level: %s.", d.Assurance.Level)
		}
	} else {
		p.line("B", 12, ink, "No decision is on record.")
	}
	if v.Report != nil {
		for _, code := range v.Report.Notices {
			p.line("B", 9, ink, "Note: %s", notice(code))
		}
	}
	p.doc.Ln(2)
	p.table([]float64{0.2, 0.8}, nil, p.facts(v))
}

// facts are the lines that say what the session was.
func (p *paper) facts(v view) [][]cell {
	s := v.Session
	rows := [][]cell{
		{{note: "Made"}, {text: when(v.MadeAt) + " by " + v.MadeBy}},
		{{note: "State"}, {text: words(s.State)}},
		{{note: "Workflow"}, {text: fmt.Sprintf("%s, version %d", s.Workflow.Name, s.Workflow.Number)}},
		{{note: "Created"}, {text: when(s.CreatedAt), note: s.CreatedBy}},
	}
	if s.DocumentKind != "" {
		rows = append(rows, []cell{{note: "Document"}, {text: words(s.DocumentKind)}})
	}
	if s.ExternalReference != "" {
		rows = append(rows, []cell{{note: "Reference"}, {text: s.ExternalReference}})
	}
	if s.ErasedAt != nil {
		rows = append(rows, []cell{{note: "Erased"}, {text: when(*s.ErasedAt), note: "Nothing personal is left."}})
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
	p.heading("Decisions")
	var rows [][]cell
	for _, d := range v.Decisions {
		why := list(d.Reasons, func(r idv.Reason) string { return reasonText(r.Code) })
		note := list(d.Reasons, func(r idv.Reason) string { return r.Code })
		if d.Note != "" {
			why += "\n“" + d.Note + "”"
		}
		if d.ReportDigest != "" {
			note += "\nReport " + string(d.ReportDigest)
		}
		rows = append(rows, []cell{{text: when(d.DecidedAt)}, {text: words(d.Outcome), note: words(d.Rule)}, {text: d.By}, {text: why, note: note}})
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, []string{"When", "Outcome", "By", "Why"}, rows)
}

func (p *paper) reviews(v view) {
	if len(v.Reviews) == 0 {
		return
	}
	p.heading("What reviewers said")
	var rows [][]cell
	for _, r := range v.Reviews {
		said := list(r.Reasons, reasonText)
		if r.Note != "" {
			said += "\n“" + r.Note + "”"
		}
		rows = append(rows, []cell{{text: when(r.At)}, {text: words(r.Kind)}, {text: r.By}, {text: said}})
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, []string{"When", "What", "By", "Why"}, rows)
}

// links are what reviewers said of other sessions that have something in common with this one.
func (p *paper) links(v view) {
	if len(v.Links) == 0 {
		return
	}
	p.heading("Other sessions")
	var rows [][]cell
	for _, l := range v.Links {
		shares := string(l.Session) + "\n" + list(l.Signs, func(s idv.SeenSign) string { return words(s) })
		rows = append(rows, said(l.Said, l.Decision, shares)...)
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, []string{"When", "What", "By", "Why"}, rows)
}

// hits are what reviewers said of entries of watchlists.
func (p *paper) hits(v view) {
	if len(v.Hits) == 0 {
		return
	}
	p.heading("Entries of watchlists")
	var rows [][]cell
	for _, h := range v.Hits {
		entry := h.Listed + "\n" + h.List + ", " + h.Entry
		if h.Until != nil {
			entry += "\nuntil " + when(*h.Until)
		}
		rows = append(rows, said(h.Said, h.Decision, entry)...)
	}
	p.table([]float64{0.16, 0.16, 0.2, 0.48}, []string{"When", "What", "By", "Why"}, rows)
}

// said are the rows of what reviewers said of one matter; the last has what it has come to, unless that is what was said.
func said(all []Opinion, decision, about string) [][]cell {
	var rows [][]cell
	for i, o := range all {
		what := cell{text: words(o.Decision)}
		if i == len(all)-1 && decision != o.Decision {
			what.note = words(decision)
		}
		why := ""
		if o.Reason != "" {
			why = words(o.Reason)
		}
		if o.Note != "" {
			why += "\n“" + o.Note + "”"
		}
		rows = append(rows, []cell{{text: when(o.At)}, what, {text: o.By}, {text: strings.TrimSpace(why), note: about}})
	}
	return rows
}

func (p *paper) verified(v view) {
	if v.Verified == nil {
		return
	}
	title := "What would be verified"
	if v.Approved {
		title = "Verified"
	}
	p.heading(title)
	var rows [][]cell
	for _, f := range v.Verified.Facts() {
		value := "–"
		if f.Value != nil {
			value = *f.Value
		}
		by := list(f.Sources, func(s idv.ClaimSource) string { return words(s) })
		if len(f.Disagree) > 0 {
			by += "; not " + list(f.Disagree, func(s idv.ClaimSource) string { return words(s) })
		}
		rows = append(rows, []cell{{note: words(f.Name)}, {text: value}, {text: by}, {text: words(f.Rule)}})
	}
	p.table([]float64{0.2, 0.32, 0.24, 0.24}, []string{"Fact", "Value", "Stated by", "Chosen by"}, rows)
}

// sources writes each fact with what each source says of it.
func (p *paper) sources(v view) {
	if len(v.Facts) == 0 {
		return
	}
	p.heading("Facts by source")
	widths, head := []float64{0.2}, []string{"Fact"}
	for _, s := range v.Sources {
		widths, head = append(widths, 0.8/float64(len(v.Sources))), append(head, words(s))
	}
	var rows [][]cell
	for _, f := range v.Facts {
		row := []cell{{note: words(f.Name)}}
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
	p.heading("Checks")
	var rows [][]cell
	for _, c := range v.Report.Checks {
		if c.Lifecycle == idv.CheckSuperseded {
			continue
		}
		row := []cell{{text: question(c.Kind), note: string(c.Kind)}, {text: found(c)}, {}}
		if !c.Required {
			row[1].note = "not required"
		}
		if f := c.Finding; f != nil {
			row[2].text = list(f.Reasons, func(r idv.Reason) string { return reasonText(r.Code) })
			if f.Score != nil {
				row[2].note = "Score " + number(f.Score) + ", threshold " + number(f.Threshold) + ". " + rates(f.Rates)
			}
		}
		rows = append(rows, row)
	}
	p.table([]float64{0.36, 0.16, 0.48}, []string{"Question", "Answer", "Reasons, score and error rates"}, rows)
	p.line("", 8, soft, "Report %s, %s.", v.Report.Digest, when(v.Report.MadeAt))
}

// history says what the person agreed to, and what happened.
func (p *paper) history(v view) {
	var consents [][]cell
	for _, c := range v.Consents {
		answer := "Declined"
		if c.Given {
			answer = "Given"
		}
		consents = append(consents, []cell{{text: when(c.At)}, {text: answer}, {text: "Version " + c.TextVersion + ", " + c.Locale}})
	}
	if len(consents) > 0 {
		p.heading("Consents")
		p.table([]float64{0.3, 0.3, 0.4}, []string{"When", "Answer", "Text"}, consents)
	}
	var events [][]cell
	for _, e := range v.Timeline {
		events = append(events, []cell{{text: when(e.At)}, {text: words(e.Type)}, {text: words(e.By)}})
	}
	if len(events) > 0 {
		p.heading("Timeline")
		p.table([]float64{0.3, 0.45, 0.25}, []string{"When", "What", "By"}, events)
	}
}
