package main

import (
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// personasPage lists the test personas from the table that plays them.
func personasPage() []byte {
	var verdicts, reasons [][]string
	for _, p := range persona.All() {
		if k, ok := problem.Lookup(p.Name); ok {
			check := "–"
			if p.Check != "" {
				check = "`" + string(p.Check) + "`"
			}
			reasons = append(reasons, []string{"`" + p.Number() + "`", string(k.Severity), check, p.What, "`" + string(p.Ends) + "`"})
			continue
		}
		verdicts = append(verdicts, []string{"`" + p.Number() + "`", p.What, "`" + string(p.Ends) + "`"})
	}
	return []byte("# Test personas\n\n" + made +
		"Send one of these as `claimed.document_number` when you create a session in test mode. How it works: [test mode](../integrate/test-mode.md).\n\n" +
		"## Verdicts\n\n" + table([]string{"document number", "what becomes of it", "ends"}, verdicts) +
		"\n## One for each reason\n\nThe name is the code of the [catalogue](errors.md). Where a workflow does not require the check, the persona is approved.\n\n" +
		table([]string{"document number", "severity", "check", "what becomes of it", "ends"}, reasons))
}
