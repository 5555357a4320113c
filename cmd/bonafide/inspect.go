package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// inspectCommand reads document pictures, without judging them.
type inspectCommand struct {
	config.Engine
	Files []string `arg:"" name:"file" help:"Pictures of documents (JPEG, PNG, WebP)."`
	JSON  bool     `name:"json" help:"One JSON object a file, one a line."`
}

// inspection is what was found in one file.
type inspection struct {
	File     string             `json:"file"`
	Document inspectedDocument  `json:"document"`
	Quality  *idv.Quality       `json:"quality"`
	Faces    []idv.Face         `json:"faces"`
	Timings  map[string]float64 `json:"timings_ms"`
	Problem  *problemView       `json:"problem"`
}

type inspectedDocument struct {
	Kind    idv.DocumentKind `json:"kind"`
	Issuer  string           `json:"issuer"`
	MRZ     inspectedMRZ     `json:"mrz"`
	Barcode *idv.Barcode     `json:"barcode"`
	Claims  []idv.Claim      `json:"claims"`
	LookAt  []idv.Claim      `json:"look_at"` // what is likely printed, not surely enough to be claimed
}

// inspectedMRZ is an idv.MRZ whose format is null when there is none.
type inspectedMRZ struct {
	Format *string `json:"format"`
	idv.MRZ
}

// problemView is a problem for people and programs at a command line.
type problemView struct {
	Code   string `json:"code"`
	Title  string `json:"title"`
	Remedy string `json:"remedy"`
}

// Run reads every file and answers the highest of their exit codes.
func (c *inspectCommand) Run(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	worst := exitYes
	for _, file := range c.Files {
		found, code := inspectFile(ctx, e.Flow, file, s.Err)
		worst = max(worst, code)
		if err := printInspection(s.Out, found, c.JSON); err != nil {
			return err
		}
	}
	if worst == exitYes {
		return nil
	}
	return worst
}

func inspectFile(ctx context.Context, engine *flow.Engine, file string, warn io.Writer) (inspection, exit) {
	found := inspection{File: file, Faces: []idv.Face{}, Timings: map[string]float64{}}
	found.Document.Kind, found.Document.Claims = idv.UnknownKind, []idv.Claim{}
	found.Document.LookAt = []idv.Claim{}
	found.Document.MRZ = inspectedMRZ{MRZ: idv.MRZ{Lines: []string{}, PrintedZone: idv.PrintedNotOnPage}}
	start := time.Now()
	raw, err := readPicture(file)
	if err == nil {
		err = fill(ctx, engine, raw, &found)
	}
	found.Timings["total"] = milliseconds(time.Since(start))
	if err != nil {
		found.Problem = viewProblem(err, warn)
		return found, exitNoAnswer
	}
	if found.Problem != nil {
		return found, exitNo
	}
	return found, exitYes
}

// fill extracts what is in the picture. Where nothing was found the inspection's problem says so.
func fill(ctx context.Context, engine *flow.Engine, raw []byte, found *inspection) error {
	x, err := engine.Extract(ctx, idv.Capture{Kind: idv.DocumentImage, Step: idv.StepDocumentFront, Side: idv.Front, Bytes: raw, Size: int64(len(raw))})
	if err != nil {
		return err
	}
	for stage, d := range x.Timings {
		found.Timings[stage] = milliseconds(d)
	}
	if x.Claims != nil {
		found.Document.Claims = x.Claims
	}
	for _, a := range x.Artifacts {
		if err := found.add(a); err != nil {
			return err
		}
	}
	if found.Document.MRZ.Format == nil && found.Document.Barcode == nil && len(found.Document.Claims) == 0 && found.Problem == nil {
		found.Problem = viewOf(problem.DocumentUnreadable)
	}
	return nil
}

func (found *inspection) add(a idv.Artifact) error {
	if !a.Present {
		if k, ok := problem.Lookup(a.Absent); ok && a.Kind == idv.ArtifactPage {
			found.Problem = viewOf(k)
		}
		return nil
	}
	var err error
	switch a.Kind {
	case idv.ArtifactPage:
		var page idv.Page
		if page, err = idv.ValueOf[idv.Page](a); err == nil {
			found.Document.Kind, found.Document.Issuer, found.Quality = page.Kind, page.Issuer, &page.Quality
			found.Faces = append(found.Faces, page.Faces...)
			found.Document.LookAt = append(found.Document.LookAt, page.LookAt...)
		}
	case idv.ArtifactMRZ:
		var zone idv.MRZ
		if zone, err = idv.ValueOf[idv.MRZ](a); err == nil {
			found.Document.MRZ = inspectedMRZ{Format: &zone.Format, MRZ: zone}
		}
	case idv.ArtifactBarcode:
		var code idv.Barcode
		if code, err = idv.ValueOf[idv.Barcode](a); err == nil {
			found.Document.Barcode = &code
		}
	}
	return err
}

// readPicture reads a file, but never more than a picture may have.
func readPicture(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(raw) > maxPicture {
		return nil, problem.New(problem.RequestTooLarge)
	}
	return raw, nil
}

// maxPicture is the size limit of a picture's file in bytes.
const maxPicture = 15 << 20

// viewProblem shows a catalogue problem as it is; anything else goes to the operator, who sits at this terminal.
func viewProblem(err error, warn io.Writer) *problemView {
	if p, ok := problem.As(err); ok {
		return viewOf(p.Kind)
	}
	_, _ = fmt.Fprintf(warn, "bonafide: %v\n", err)
	if errors.Is(err, fs.ErrNotExist) {
		return viewOf(problem.NotFound)
	}
	return viewOf(problem.Internal)
}

func viewOf(k problem.Kind) *problemView {
	return &problemView{Code: k.Code, Title: k.Title, Remedy: k.Remedy}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func printInspection(w io.Writer, found inspection, asJSON bool) error {
	if asJSON {
		return encode(w, "", found)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", found.File)
	if found.Problem != nil {
		fmt.Fprintf(&b, "  %s %s (%s)\n", found.Problem.Title, found.Problem.Remedy, found.Problem.Code)
	}
	d := found.Document
	fmt.Fprintf(&b, "  %-18s %s %s\n", "document", d.Kind, d.Issuer)
	if d.MRZ.Format != nil {
		fmt.Fprintf(&b, "  %-18s %s, %s\n", "code lines", *d.MRZ.Format, describeMRZ(d.MRZ.MRZ))
		for _, line := range d.MRZ.Lines {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	if d.Barcode != nil {
		fmt.Fprintf(&b, "  %-18s %s, %d characters\n", "barcode", d.Barcode.Format, len(d.Barcode.Text))
	}
	for _, c := range d.Claims {
		fmt.Fprintf(&b, "  %-18s %-30s %s, %.2f\n", c.Name, c.Value, c.Source, c.Confidence)
	}
	fmt.Fprintf(&b, "  %-18s %d\n", "faces", len(found.Faces))
	if found.Quality != nil && len(found.Quality.Reasons) > 0 {
		fmt.Fprintf(&b, "  %-18s %s\n", "quality", strings.Join(found.Quality.Reasons, ", "))
	}
	fmt.Fprintf(&b, "  %-18s %.0f ms\n", "took", found.Timings["total"])
	_, err := io.WriteString(w, b.String())
	return err
}

// encode writes v as JSON in which < stays <.
func encode(w io.Writer, indent string, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	return encoder.Encode(v)
}

// describeMRZ says whether a zone is verified, and all that keeps it from being so: the code of the catalogue, what speaks against
// the zone, and the fields that it is about.
func describeMRZ(z idv.MRZ) string {
	if z.Verified {
		return "verified"
	}
	out := make([]string, len(z.Doubts))
	for i, d := range z.Doubts {
		out[i] = d.Code + " by " + strings.ReplaceAll(string(d.Source), "_", " ")
		if len(d.Fields) > 0 {
			out[i] += " in " + strings.Join(d.Fields, ", ")
		}
	}
	return "not verified: " + strings.Join(out, "; ")
}
