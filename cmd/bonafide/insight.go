package main

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// newInsight makes the use cases of figures, with what this process knows of itself.
func (c *serveCommand) newInsight(d *deployment) *insight.Service {
	return insight.New(d.store, insight.Options{System: insight.System{
		Build: buildinfo.Read(), Started: time.Now().UTC(), Engine: d.models.String,
		Models:   sync.OnceValue(func() []insight.Model { return modelsOf(d.engine.Set) }),
		Findings: func(ctx context.Context) []insight.Finding { return c.findings(ctx, d) },
	}})
}

// findings are those of the doctor that a running server can look for without stopping for long. They name no directory: an
// admin of the console need not be the operator of the machine.
func (c *serveCommand) findings(ctx context.Context, d *deployment) []insight.Finding {
	found := examineListen(c.Listen, c.Dev)
	found = append(found, examineStore(ctx, d.store)...)
	found = append(found, examinePages(d.store.Engine(), d.store.Pages())...)
	bucket := judge("blobs", nil, "reachable", "")
	if d.blobs.Check(ctx) != nil {
		bucket = symptom{What: "blobs", Health: wrong, Found: "picture storage is unreachable", Remedy: "Ask the operator to run bonafide doctor, which says why."}
	}
	found = append(found, bucket)
	if path, isFile := keyFile(c.Storage); isFile && !c.Dev && beside(path, places(c.Storage)) {
		found = append(found, symptom{
			What: "master key", Health: warning, Found: "it is stored beside the data",
			Remedy: "Anyone who copies the data also copies the key. Keep it elsewhere.",
		})
	}
	if c.Dev {
		found = append(found, symptom{
			What: "mode of running", Health: warning, Found: "--dev: the master key is stored beside the data",
			Remedy: "Never for real people. Give --database, --blobs and --master-key instead.",
		})
	}
	for _, p := range places(c.Storage) {
		found = append(found, examineSpace(p.what, p.dir))
	}
	out := []insight.Finding{}
	for _, f := range found {
		out = append(out, insight.Finding{What: f.What, Health: f.Health, Found: f.Found, Remedy: f.Remedy})
	}
	return out
}

// modelsOf reads every file once: what it answers holds for as long as the process runs.
func modelsOf(set *modelcard.Set) []insight.Model {
	out := []insight.Model{}
	for _, s := range set.Check() {
		m := insight.Model{
			Name: s.Card.Name, Version: s.Card.Version, Use: s.Card.Use, Licence: s.Card.Licence, SHA256: s.Card.SHA256,
			Provenance: s.Card.Provenance, Documented: s.Card.Documented, Evaluation: s.Card.Evaluation,
		}
		if s.Err != nil {
			m.Fault = "the file is missing or does not match its model card"
		}
		if c := s.Card.Calibration; c != nil {
			m.Calibration = &insight.Calibration{DataSet: c.DataSet}
			for _, fmr := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
				if at, ok := c.ThresholdAt(fmr); ok {
					m.Calibration.Rates = append(m.Calibration.Rates, insight.Rate{Threshold: at, FMR: c.FMRAt(at), FNMR: c.FNMRAt(at)})
				}
			}
		}
		out = append(out, m)
	}
	return out
}
