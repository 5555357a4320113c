package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/web"
)

// examineEngine checks that every model is the one that its card names, and that all of them can run.
func (c *doctorCommand) examineEngine() []symptom {
	set, err := openModels(c.Engine)
	if err != nil {
		return []symptom{judge("model cards", err, "", "The binary is damaged, or --models names a directory that is not one of cards/ and pack/.")}
	}
	var out []symptom
	statuses := set.Check()
	bad := 0
	for _, s := range statuses {
		if s.Err == nil {
			continue
		}
		bad++
		remedy := "Build the binary with make, which fetches the pinned packages and checks every file."
		if errors.Is(s.Err, modelcard.ErrDigest) {
			remedy = "The file was changed. Delete models/pack and build with make, or take a fresh binary; never use a model with another digest."
		}
		out = append(out, judge("model "+s.Card.Name, s.Err, "", remedy))
	}
	if bad == 0 {
		out = append(out, judge("models", nil, fmt.Sprintf("%d files, every digest right", len(statuses)), ""))
	}
	return append(out, c.examineRuntime(set)...)
}

func (c *doctorCommand) examineRuntime(set *modelcard.Set) []symptom {
	rt, err := startRuntime(set, c.RuntimeDir)
	if err != nil {
		remedy := "Name a directory that is yours and writable with --runtime-dir; the library also needs Debian's libstdc++6."
		if errors.Is(err, onnx.ErrNoExec) {
			remedy = "That file system does not let programs run. Name another directory with --runtime-dir."
		}
		return []symptom{judge("inference runtime", err, "", remedy)}
	}
	faces := face.New(set, rt, face.Options{Threads: c.Threads})
	reader := optical.New(set, rt, faces, optical.Options{Threads: c.Threads})
	err = errors.Join(reader.Ready(),
		faces.Ready(face.DetectModel, face.MeshModel, face.TemplateModel, face.LivenessModel))
	return []symptom{
		judge("inference runtime", nil, "version "+rt.Version()+" loads", ""),
		judge("models run", err, "all of them load", "If a check's model does not load, its session goes to review. Build with make to fix it."),
	}
}

// examineSite checks that the web apps were built in.
func examineSite() symptom {
	var missing error
	for _, page := range []string{"applicant/index.html", "console/index.html"} {
		if _, err := fs.Stat(web.Dist(), page); err != nil {
			missing = fmt.Errorf("%s is not in this binary", page)
		}
	}
	return judge("web app", missing, "built in", "Build the binary with make, which builds the web app first.")
}
