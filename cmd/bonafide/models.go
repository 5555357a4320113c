package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/config"
)

// versionCommand says which version this is.
type versionCommand struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Run implements the command.
func (c *versionCommand) Run(s streams) error {
	b := buildinfo.Read()
	if c.JSON {
		return json.NewEncoder(s.Out).Encode(map[string]string{
			"version": b.Version, "commit": b.Commit, "date": b.Date, "platform": b.Platform, "go": b.Go,
		})
	}
	_, err := fmt.Fprintln(s.Out, "bonafide", b)
	return err
}

// modelsCommand shows the models that this binary carries.
type modelsCommand struct {
	List  modelsList  `cmd:"" default:"withargs" help:"Show every model: use, version, licence, origin, evaluation."`
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
	var undocumented []string
	for _, card := range set.Cards() {
		origin := "documented"
		if !card.Documented {
			origin, undocumented = "undocumented", append(undocumented, card.Name)
		}
		_, err := fmt.Fprintf(s.Out, "%s  %s\n", card.Name, card.Version)
		for _, row := range [][2]string{
			{"use", card.Use}, {"licence", card.Licence}, {"origin", origin}, {"provenance", card.Provenance},
			{"documents", strings.Join(card.Documents, "\n              ")}, {"evaluation", card.Evaluation},
			{"package", card.Package}, {"sha256", card.SHA256},
		} {
			if row[1] != "" && err == nil {
				_, err = fmt.Fprintf(s.Out, "  %-11s %s\n", row[0], row[1])
			}
		}
		if err != nil {
			return err
		}
	}
	if len(undocumented) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(
		s.Out, "\nOf undocumented origin: %s.\nTo put models of your own in their place, give --models DIR (models/README.md, \"Swap a model\").\n",
		strings.Join(undocumented, ", "),
	)
	return err
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
