package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// doctorCommand checks what a server needs. It changes nothing but for a blob that it writes and removes,
// and keeps what it found of the database's pages.
type doctorCommand struct {
	config.Storage
	config.Listen
	config.Wallets
	config.Origins
	config.Engine
	config.Mail
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// symptom is one thing that was checked.
type symptom struct {
	What   string `json:"what"`
	Health string `json:"health"` // ok, warning or wrong
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"`
}

// The healths.
const (
	healthy = "ok"
	warning = "warning"
	wrong   = "wrong"
)

// Run answers 0 when nothing is wrong, 1 when something is.
func (c *doctorCommand) Run(ctx context.Context, s streams) error {
	var found []symptom
	found = append(found, c.examineEngine()...)
	found = append(found, examineSite())
	found = append(found, examineListen(c.Listen, c.Dev)...)
	found = append(found, examineWallets(c.Wallets, c.Listen, c.Dev))
	found = append(found, examineNetworks(c.Origins)...)
	found = append(found, c.examineData(ctx)...)
	found = append(found, examineMail(ctx, c.Mail), examineTraces(ctx, os.Getenv))
	if err := printSymptoms(s, found, c.JSON); err != nil {
		return err
	}
	for _, f := range found {
		if f.Health == wrong {
			return exitNo
		}
	}
	return nil
}

func printSymptoms(s streams, found []symptom, asJSON bool) error {
	if asJSON {
		out := json.NewEncoder(s.Out)
		out.SetIndent("", "  ")
		return out.Encode(found)
	}
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	marks := map[string]string{healthy: "● ok", warning: "◐ warning", wrong: "✕ wrong"}
	for _, f := range found {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", marks[f.Health], f.What, f.Found)
		if f.Remedy != "" {
			_, _ = fmt.Fprintf(table, "\t\t→ %s\n", f.Remedy)
		}
	}
	return table.Flush()
}

// collectorTime is how long the doctor waits for the collector of traces.
const collectorTime = 5 * time.Second

// examineTraces asks the collector, where the environment names one. Nothing else depends on it, so that it is never more
// than a warning once the settings can be read.
func examineTraces(ctx context.Context, environment func(string) string) symptom {
	const what = "traces"
	ctx, cancel := context.WithTimeout(ctx, collectorTime)
	defer cancel()
	asked, err := trace.Probe(ctx, environment)
	switch {
	case errors.Is(err, trace.ErrSetting):
		return judge(what, err, "", "A server does not start with these variables: docs/operate/traces.md lists them.")
	case err != nil:
		return symptom{What: what, Health: warning, Found: firstLine(err.Error()),
			Remedy: "The server works without its collector and drops traces. It takes OTLP over HTTP, mostly at port 4318; check the address, " +
				"OTEL_EXPORTER_OTLP_HEADERS and the certificate."}
	case !asked:
		return judge(what, nil, "off", "")
	}
	return judge(what, nil, "the collector takes them", "")
}

// judge is ok with a word, or wrong with an error and its remedy.
func judge(what string, err error, ok, remedy string) symptom {
	if err == nil {
		return symptom{What: what, Health: healthy, Found: ok}
	}
	return symptom{What: what, Health: wrong, Found: firstLine(err.Error()), Remedy: remedy}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// quiet is a log that nobody reads: what the doctor finds it says itself.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
