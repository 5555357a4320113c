package main

import (
	"bytes"
	"context"
	"image/jpeg"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// utopia trusts one state.
type utopia struct{ authority *emrtdtest.Holder }

// Load returns its trust.
func (u utopia) Load(context.Context, idv.Mode) (*trust.Store, error) {
	store := new(trust.Store)
	return store, store.Accept(trust.Anchor{Certificate: u.authority.Cert, Purpose: trust.CSCA, Scope: "UT"})
}

// chipOf is the capture of a chip with a picture in DG2, which the state signed.
func (u utopia) chipOf(t *testing.T, dg2 []byte) idv.Capture {
	t.Helper()
	const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"
	files := emrtdtest.Chip()
	files["DG2"] = dg2
	files[lds.SOD] = u.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -1, 0)})
	opened, err := chip.Open(slices.Collect(maps.Values(files)))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := idv.PackChip(idv.ChipRead{Files: opened, ReceivedAt: emrtdtest.Now})
	if err != nil {
		t.Fatal(err)
	}
	return idv.Capture{ID: "cap_chip", Step: idv.StepChip, Kind: idv.ChipFiles, SHA256: "chip", Bytes: raw, Mode: idv.Test}
}

// jpeg2000 encodes a JPEG picture anew by OpenJPEG; false where that is not installed (Debian: libopenjp2-tools).
func jpeg2000(t *testing.T, picture []byte) ([]byte, bool) {
	t.Helper()
	tool, err := exec.LookPath("opj_compress")
	if err != nil {
		return nil, false
	}
	img, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(t.TempDir(), "face.png"), filepath.Join(t.TempDir(), "face.jp2")
	var plain bytes.Buffer
	if err := png.Encode(&plain, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(from, plain.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), tool, "-i", from, "-o", to, "-r", "20").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	raw, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return raw, true
}

// TestAFaceIsComparedWithThePortraitOfTheChip goes from the bytes of DG2 to the verdict of face.match, with the models that are shipped.
func TestAFaceIsComparedWithThePortraitOfTheChip(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", "models", "pack", "face-detect.onnx")); err != nil {
		t.Skip("models/pack is not assembled: run `make pack`")
	}
	state := utopia{emrtdtest.NewAuthority("UT", "ECDSA P-256 SHA-256", 1)}
	e, err := engineWith(config.Engine{RuntimeDir: filepath.Join(t.TempDir(), "runtime")}, time.Now, evidence{trust: state, watchlists: screening.Nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	portrait, err := fixtures.PortraitOf("alder", 1)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := fixtures.JPEG(portrait, 90, 1)
	if err != nil {
		t.Fatal(err)
	}
	containers := map[string][]byte{"ISO/IEC 19794-5": emrtdtest.DG2(raw), "ISO/IEC 39794-5": emrtdtest.DG2Block(raw)}
	if jp2, ok := jpeg2000(t, raw); ok {
		containers["JPEG 2000"] = emrtdtest.DG2(jp2)
	}
	selfies := map[string][]idv.Artifact{}
	for _, person := range []string{"alder", "birch"} {
		picture, err := fixtures.Selfie(person, fixtures.SelfieFace, fixtures.Camera{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		selfie, err := fixtures.JPEG(picture, 90, 1)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := e.Flow.Extract(t.Context(), idv.Capture{
			ID: "cap_selfie", Step: idv.StepSelfie, Kind: idv.FaceImage, SHA256: "selfie", Bytes: selfie, Mode: idv.Test,
		})
		if err != nil {
			t.Fatal(err)
		}
		selfies[person] = seen.Artifacts
	}
	for container, dg2 := range containers {
		sent := state.chipOf(t, dg2)
		read, err := e.Flow.Extract(t.Context(), sent)
		if err != nil {
			t.Fatal(err)
		}
		for person, want := range map[string]idv.Outcome{"alder": idv.Pass, "birch": idv.Fail} {
			ev := idv.Evidence{
				Workflow: idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3", Chip: idv.ChipRequired}, Now: emrtdtest.Now,
				Artifacts: append(slices.Clone(read.Artifacts), selfies[person]...), Captures: []idv.Capture{sent},
			}
			f := match(t, e, ev)
			if f.Outcome != want || f.Portrait != idv.FromChip {
				t.Errorf("%s and %s: %s by the portrait of %q, score %v, reasons %v", container, person, f.Outcome, f.Portrait, f.Score, f.Reasons)
			}
		}
	}
}

// match is the finding of face.match.
func match(t *testing.T, e *engine, ev idv.Evidence) idv.Finding {
	t.Helper()
	for _, c := range biometric.Checkers(e.Faces) {
		if c.Kind() == idv.CheckFaceMatch {
			f, err := c.Check(t.Context(), ev)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatal("no checker compares faces")
	return idv.Finding{}
}
