package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/bonafide-id/bonafide/internal/config"
)

// modelsCommand shows the models that this binary carries.
type modelsCommand struct {
	List  modelsList  `cmd:"" default:"withargs" help:"Show every model: use, version, licence, provenance."`
	Check modelsCheck `cmd:"" help:"Read every model and compare its digest with its card."`
}

type modelsList struct {
	config.Engine
	JSON bool `name:"json" help:"Print the cards, with their calibration, as JSON."`
}

type modelsCheck struct{ config.Engine }

// Run prints the cards.
func (c *modelsList) Run(s streams) error {
	set, err := openModels(c.Engine)
	if err != nil {
		return err
	}
	if c.JSON {
		out := json.NewEncoder(s.Out)
		out.SetIndent("", "  ")
		return out.Encode(set.Cards())
	}
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "NAME\tVERSION\tLICENCE\tUSE\tPROVENANCE")
	for _, card := range set.Cards() {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", card.Name, card.Version, card.Licence, card.Use, card.Provenance)
	}
	return table.Flush()
}

// Run compares every file with its card: 0 all right, 1 something is wrong.
func (c *modelsCheck) Run(s streams) error {
	set, err := openModels(c.Engine)
	if err != nil {
		return err
	}
	wrong := 0
	for _, status := range set.Check() {
		word := "ok"
		if status.Err != nil {
			word, wrong = status.Err.Error(), wrong+1
		}
		if _, err := fmt.Fprintf(s.Out, "%-16s %s\n", status.Card.Name, word); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return exitNo
	}
	return nil
}
