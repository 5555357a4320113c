package main

import (
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// assurancePage says what each assurance level asks for.
func assurancePage() []byte {
	rows := [][]string{{"`low`", "–", "An approval, whatever it rests on."}}
	for _, r := range policy.AssuranceTable() {
		rows = append(rows, []string{"`" + string(r.Level) + "`", "`" + string(r.Proof) + "`", r.Asks})
	}
	known := liveness.Calibration()
	which, worst := known.Worst()
	state := "stays under it"
	if worst.Upper() > policy.AttackBound {
		state = "does not stay under it, so no session that this version decides reaches `substantial`"
	}
	return []byte("# Assurance levels\n\n" + made +
		"Every decision has an assurance level. It says how hard it is to be approved with somebody else's identity. A level requires all its rows and those of " +
		"the levels below it. The evidence alone sets the level; who decided does not matter. For integrators: [assurance](../integrate/assurance.md).\n\n" +
		table([]string{"level", "proof", "what it asks for"}, rows) +
		fmt.Sprintf("\nThe worst known attack on the liveness challenge is \"%s\": %d of %d were accepted, at most %.1f %% (95 %% interval). "+
			"The bound is %.0f %%; the attack %s.%s\n", which, worst.Count, worst.Of, 100*worst.Upper(), 100*policy.AttackBound, state, tried(known, which)))
}

// tried says of an attack from outside of bench that no command measures it.
func tried(known liveness.Measured, which string) string {
	if !known.IsOutside(which) {
		return ""
	}
	return " It was tried by hand on fixtures against the running program (`internal/liveness/outside.json`); no command repeats it yet."
}

// confirmedBy is each confirmation in words.
var confirmedBy = map[idv.Confirmation]string{
	idv.BySignature:   "the issuing state signed it, in the chip",
	idv.ByCheckDigits: "the check digits of the machine-readable zone are right, and two readers read it alike",
	idv.ByBarcode:     "a barcode states it, whose error correction leaves no doubt",
	idv.ByTwoSources:  "two sources, or both sides, state the same, and none states anything else",
	idv.ByNumber:      "a number on the document encodes it: a personal number with check digits, or a driver number that agrees with name and birth",
	idv.ByTwoReaders:  "two readers that share neither weights nor training data read the field and its printed number alike",
}

// declinesPage says what the default policy may decline on, and what confirms it.
func declinesPage() []byte {
	confirmations := ""
	for _, c := range idv.Confirmations() {
		if c.Declines() {
			confirmations += "* `" + string(c) + "`: " + confirmedBy[c] + "\n"
		}
	}
	var rows [][]string
	for _, p := range persona.All() {
		k, ok := problem.Lookup(p.Name)
		if !ok || p.Check == "" {
			continue
		}
		code, check := "`"+k.Code+"`", "`"+string(p.Check)+"`"
		switch {
		case k.Code == problem.FaceMismatch.Code:
			similarity := "below the threshold of the workflow's lower false match rate, also on the extra try, and the portrait is signed or the page does not " +
				"seem a copy"
			rows = append(rows, []string{code, check, similarity, "the extra try, then a person"})
		case k.Severity == problem.Final:
			rows = append(rows, []string{code, check, "something confirms the reading", "a person"})
		case k.Severity == problem.Fraud:
			limit := fmt.Sprintf("the check's false-alarm rate was measured on real people and is at most %.0f %%; no check's was yet", 100*policy.FraudFalseAlarmLimit)
			rows = append(rows, []string{code, check, limit, "a person"})
		}
	}
	return []byte("# What may decline on what\n\n" + made +
		"One doubtful reading declines nobody. The default policy declines for the reasons below, each under its condition; otherwise the session goes where the " +
		"last column says. Every other reason asks for a better picture or for a person. A workflow's rule that declines on what was read from " +
		"the document (`document.*`, `person.*` and the checks of both) refers where nothing confirms the reading.\n\n" +
		table([]string{"reason", "check", "declines where", "otherwise"}, rows) +
		"\n## What confirms a reading\n\n" + confirmations +
		"\nWhat an applicant or an integrator says confirms nothing. A signature will, once chips and wallets are read.\n" + settlingPart())
}

// settlingPart says what settles a document that has neither a zone nor a barcode.
func settlingPart() string {
	var names []string
	for _, n := range idv.SettlingFacts() {
		names = append(names, "`"+string(n)+"`")
	}
	var rows [][]string
	for _, c := range idv.Confirmations() {
		row := []string{"`" + string(c) + "`", confirmedBy[c]}
		for _, s := range idv.Settlings() {
			accepts := "no"
			if s.Accepts(c) {
				accepts = "yes"
			}
			row = append(row, accepts)
		}
		rows = append(rows, row)
	}
	head := []string{"confirmed by", "which is"}
	for _, s := range idv.Settlings() {
		head = append(head, "`"+string(s)+"`")
	}
	return "\n## What settles a document without zone and barcode\n\nEach of " + strings.Join(names, ", ") +
		" has to be confirmed, and nothing on the document may contradict it; otherwise `document.facts` is inconclusive and a person decides. The workflow's " +
		"`settled_by` chooses what counts; where it is left out it is `machine`. Two readers of the same print never decline.\n\n" + table(head, rows)
}
