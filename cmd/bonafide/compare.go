package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// compareCommand compares two faces.
type compareCommand struct {
	config.Engine
	A    string `arg:"" help:"A picture with one face. If it shows several, one has to be much larger than the others."`
	B    string `arg:"" help:"The other picture."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// comparison is what the command answers.
type comparison struct {
	A          string        `json:"a"`
	B          string        `json:"b"`
	Similarity *float64      `json:"similarity"` // cosine, −1 to 1; null if it could not be measured
	FMR        *float64      `json:"fmr"`        // part of pairs of different people at least as alike
	Verdict    string        `json:"verdict"`    // same, not, undecided; empty without an answer
	Same       float64       `json:"same_at"`    // threshold at FMR 1:10 000
	Undecided  float64       `json:"undecided_at"`
	DataSet    string        `json:"data_set"` // on which the rates were measured
	Model      *idv.ModelRef `json:"model"`
	Problem    *problemView  `json:"problem"`
}

// The false match rates at which two faces are the same, and down to which a person has to look.
const (
	sameFMR      = 1e-4
	undecidedFMR = 1e-3
)

// dominance is how much larger the largest of several faces must be to be the one that is meant.
const dominance = 4

// Run compares and answers 0 same, 1 not, 4 undecided.
func (c *compareCommand) Run(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	result := comparison{A: c.A, B: c.B}
	code, err := result.measure(ctx, e)
	if err != nil {
		result.Problem, code = viewProblem(err, s.Err), exitNoAnswer
	}
	if c.JSON {
		err = json.NewEncoder(s.Out).Encode(result)
	} else {
		_, err = io.WriteString(s.Out, result.text())
	}
	if err != nil {
		return err
	}
	if code == exitYes {
		return nil
	}
	return code
}

func (r *comparison) measure(ctx context.Context, e *engine) (exit, error) {
	card := e.Faces.Card(face.TemplateModel)
	r.Model = &idv.ModelRef{Name: card.Name, Version: card.Version, SHA256: idv.Digest(card.SHA256)}
	if err := r.setScale(card); err != nil {
		return exitNoAnswer, err
	}
	a, err := templateOf(ctx, e.Faces, r.A)
	if err != nil {
		return exitNoAnswer, err
	}
	b, err := templateOf(ctx, e.Faces, r.B)
	if err != nil {
		return exitNoAnswer, err
	}
	similarity := face.Similarity(a, b)
	fmr := card.Calibration.FMRAt(similarity)
	r.Similarity, r.FMR = &similarity, &fmr
	switch {
	case similarity >= r.Same:
		r.Verdict = "same"
		return exitYes, nil
	case similarity >= r.Undecided:
		r.Verdict = "undecided"
		return exitUndecided, nil
	default:
		r.Verdict = "not"
		return exitNo, nil
	}
}

// setScale takes the thresholds from the card's calibration. Without one there is no answer.
func (r *comparison) setScale(card modelcard.Card) error {
	if card.Calibration == nil {
		return fmt.Errorf("model %s has no calibration: a similarity without error rates means nothing", card.Name)
	}
	same, okSame := card.Calibration.ThresholdAt(sameFMR)
	undecided, okUndecided := card.Calibration.ThresholdAt(undecidedFMR)
	if !okSame || !okUndecided {
		return fmt.Errorf("the calibration of %s does not reach a false match rate of %g", card.Name, sameFMR)
	}
	r.Same, r.Undecided, r.DataSet = same, undecided, card.Calibration.DataSet
	return nil
}

// templateOf finds the one face of a picture, whichever way up it lies.
func templateOf(ctx context.Context, faces *face.Engine, file string) ([]float32, error) {
	raw, err := readPicture(file)
	if err != nil {
		return nil, err
	}
	picture, _, err := imaging.Decode(raw, imaging.Limits{})
	if err != nil {
		return nil, err
	}
	turn, found, err := faces.DetectAnyTurn(ctx, picture)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, problem.New(problem.CaptureNoFace).At(file)
	}
	largest, _ := face.Largest(found)
	for _, f := range found {
		if f != largest && f.Box.W*f.Box.H*dominance > largest.Box.W*largest.Box.H {
			return nil, problem.New(problem.CaptureSeveralFaces).At(file)
		}
	}
	return faces.TemplateOf(ctx, picture.Turn(turn), largest)
}

func (r comparison) text() string {
	if r.Problem != nil {
		return fmt.Sprintf("%s %s (%s)\n", r.Problem.Title, r.Problem.Remedy, r.Problem.Code)
	}
	words := map[string]string{"same": "the same person", "not": "different people", "undecided": "undecided"}
	return fmt.Sprintf("%s\n  similarity %.3f: at most 1 in %.0f pairs of different people is as alike (%s)\n  same from %.3f, different below %.3f\n",
		words[r.Verdict], *r.Similarity, 1 / *r.FMR, r.DataSet, r.Same, r.Undecided)
}
