package demo

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Extract implements session.Engine.
func (engine) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	s := sceneFrom(ctx)
	if c.Kind == idv.DocumentImage {
		return s.document(c)
	}
	return s.selfie(c)
}

// made is an artifact of a story.
func made(k idv.ArtifactKind, c idv.Capture, data any) (idv.Artifact, error) {
	a, err := idv.PresentArtifact(k, c, data)
	a.Producer, a.Version = producer, "1"
	return a, err
}

// document is what is found on one side of the document.
func (s *scene) document(c idv.Capture) (idv.Extraction, error) {
	var x idv.Extraction
	page := idv.Page{
		Kind: s.kind, Issuer: s.country, Width: pictureWidth, Height: pictureHeight, Corners: []float64{.05, .06, .95, .06, .95, .94, .05, .94},
		Quality: idv.Quality{Sharpness: .8, LinePairs: 6, Brightness: .6, ShortSide: 900, Reasons: []string{}}, Faces: []idv.Face{}, Lines: []idv.Line{},
	}
	held := map[idv.ArtifactKind]any{idv.ArtifactPage: page}
	portrait := idv.Face{Box: idv.Box{X: .09, Y: .25, Width: .22, Height: .4}, Score: .97, Width: 220}
	zone, read, err := s.zone()
	if err != nil {
		return x, err
	}
	hasZone := s.kind != idv.DrivingLicence && (c.Side == idv.Back) == (len(zone.Lines) == 3)
	if hasZone {
		held[idv.ArtifactMRZ] = zone
		x.Claims = append(x.Claims, s.zoneClaims(c, read)...)
	}
	if c.Side == idv.Front {
		s.fronts++
		held[idv.ArtifactPortrait], held[idv.ArtifactPortraitTemplate] = portrait, s.template()
		x.Claims = append(x.Claims, s.printedClaims(c, read)...)
	}
	for _, k := range yields[idv.DocumentImage] {
		a := idv.AbsentArtifact(k, c, absentCodes[k])
		if data, there := held[k]; there {
			if a, err = made(k, c, data); err != nil {
				return x, err
			}
		}
		if a.Present && k == idv.ArtifactPortrait {
			a.Blob, a.BlobType = facePicture(), "image/jpeg"
		}
		x.Artifacts = append(x.Artifacts, a)
	}
	return x, nil
}

var absentCodes = map[idv.ArtifactKind]string{
	idv.ArtifactMRZ:              problem.DocumentMRZMissing.Code,
	idv.ArtifactPortrait:         problem.DocumentPortraitMissing.Code,
	idv.ArtifactPortraitTemplate: problem.DocumentPortraitMissing.Code,
}

// dates are when the document was issued and runs out.
func (s *scene) dates() (issued, expires time.Time) {
	issued = s.at.AddDate(-1-s.number%7, -s.number%11, -s.number%27)
	expires = issued.AddDate(10, 0, -1)
	if s.code == problem.DocumentExpired.Code {
		issued, expires = s.at.AddDate(-11, 0, -20), s.at.AddDate(-1, 0, -21)
	}
	return issued, expires
}

// zone writes the machine readable zone and reads it.
func (s *scene) zone() (idv.MRZ, mrz.Document, error) {
	format, code := mrz.TD1, "ID"
	switch s.kind {
	case idv.Passport:
		format, code = mrz.TD3, "P"
	case idv.ResidencePermit:
		code = "IR"
	}
	_, expires := s.dates()
	lines, err := mrz.Write(mrz.Document{
		Format: format, Code: code, Issuer: s.country, Number: s.serial, Surname: s.person.Surname, GivenNames: s.person.GivenNames,
		Nationality: s.country, Sex: s.person.Sex, BirthDate: mrz.DateOf(s.person.Born), ExpiryDate: mrz.DateOf(expires),
	})
	if err != nil {
		return idv.MRZ{}, mrz.Document{}, fmt.Errorf("write a zone: %w", err)
	}
	read, err := mrz.Parse(lines)
	if err != nil {
		return idv.MRZ{}, mrz.Document{}, fmt.Errorf("read a zone: %w", err)
	}
	agree := s.code != problem.DocumentReadersDisagree.Code
	doubts := []idv.ZoneDoubt{}
	if !agree {
		doubts = append(doubts, idv.ZoneDoubt{Code: problem.DocumentReadersDisagree.Code, Source: idv.DoubtSecondReader, Fields: []string{"name"}})
	}
	return idv.MRZ{
		Format: string(format), Lines: lines, RawLines: lines, SecondLines: lines, CheckDigitsOK: true, ReadersAgree: agree, Verified: agree,
		PrintedZone: idv.PrintedAgrees, Confidence: .99, FailedChecks: []string{}, Doubts: doubts, Boxes: zoneBoxes(len(lines)),
	}, read, nil
}

func zoneBoxes(n int) []idv.Box {
	out := make([]idv.Box, n)
	for i := range out {
		out[i] = idv.Box{X: .08, Y: .74 + .06*float64(i), Width: .84, Height: .05}
	}
	return out
}

// zoneClaims are the facts that the zone states.
func (s *scene) zoneClaims(c idv.Capture, read mrz.Document) []idv.Claim {
	_, expires := s.dates()
	var out []idv.Claim
	for i, f := range [][2]string{
		{string(idv.FamilyName), read.Surname}, {string(idv.GivenNames), read.GivenNames}, {string(idv.DocumentNumber), read.Number},
		{string(idv.DateOfBirth), s.person.Born.Format(time.DateOnly)}, {string(idv.DateOfExpiry), expires.Format(time.DateOnly)},
		{string(idv.Nationality), read.Nationality}, {string(idv.Issuer), read.Issuer}, {string(idv.Sex), s.person.Sex},
	} {
		box := idv.Box{X: .08 + .1*float64(i), Y: .74, Width: .09, Height: .16}
		out = append(out, idv.Claim{Name: idv.ClaimName(f[0]), Value: f[1], Source: idv.FromMRZ, Side: c.Side, Confidence: .99, Box: &box})
	}
	return out
}

// printedClaims are the facts that are printed on the front.
func (s *scene) printedClaims(c idv.Capture, read mrz.Document) []idv.Claim {
	issued, expires := s.dates()
	if s.code == problem.DocumentFactsDisagree.Code {
		expires = expires.AddDate(2, 0, 0)
	}
	var out []idv.Claim
	for i, f := range [][2]string{
		{string(idv.FamilyName), s.person.Surname}, {string(idv.GivenNames), s.person.GivenNames}, {string(idv.DateOfBirth), s.person.Born.Format(time.DateOnly)},
		{string(idv.Sex), s.person.Sex}, {string(idv.DocumentNumber), read.Number}, {string(idv.DateOfIssue), issued.Format(time.DateOnly)},
		{string(idv.DateOfExpiry), expires.Format(time.DateOnly)},
	} {
		box := idv.Box{X: .38, Y: .2 + .07*float64(i), Width: .4, Height: .06}
		out = append(out, idv.Claim{Name: idv.ClaimName(f[0]), Value: f[1], Source: idv.FromPrinted, Side: c.Side, Confidence: .9 + .09*s.r.Float64(), Box: &box})
	}
	return out
}

// facts are what the integrator claims of the person.
func (s *story) facts() map[idv.ClaimName]string {
	if !s.claims {
		return nil
	}
	out := map[idv.ClaimName]string{
		idv.FamilyName: s.person.Surname, idv.GivenNames: s.person.GivenNames, idv.DateOfBirth: s.person.Born.Format(time.DateOnly),
	}
	if s.code == problem.PersonClaimMismatch.Code {
		out[idv.FamilyName] = "Utopian"
	}
	return out
}

// template is a face as numbers that belong to no face.
func (s *scene) template() idv.Template {
	values, sum := make([]float32, 32), 0.0
	for i := range values {
		v := s.r.NormFloat64()
		values[i], sum = float32(v), sum+v*v
	}
	for i := range values {
		values[i] /= float32(math.Sqrt(sum))
	}
	return idv.Template{Model: idv.ModelRef{Name: producer, Version: "1"}, Values: values}
}

// selfie is what is found in a picture or a run of frames of the applicant.
func (s *scene) selfie(c idv.Capture) (idv.Extraction, error) {
	s.selfies++
	passive := .7 + .29*s.r.Float64()
	held := map[idv.ArtifactKind]any{
		idv.ArtifactSelfie: idv.SelfieFace{
			Face: idv.Face{Box: idv.Box{X: .32, Y: .2, Width: .36, Height: .55}, Score: .98, Width: 260}, Yaw: 4 * s.r.NormFloat64(), Pitch: 3 * s.r.NormFloat64(),
			EyesOpen: .9, Sharpness: .7, Brightness: .55, Liveness: &passive, Reasons: []string{},
		},
		idv.ArtifactSelfieTemplate: s.template(),
	}
	if c.Kind == idv.Frames {
		run, err := idv.OpenFrames(c.Bytes)
		if err != nil {
			return idv.Extraction{}, fmt.Errorf("open a run: %w", err)
		}
		held[idv.ArtifactTrack] = s.track(run)
		held[idv.ArtifactFrameDigests] = s.digests(len(run.Frames))
	}
	var x idv.Extraction
	for _, k := range yields[c.Kind] {
		a, err := made(k, c, held[k])
		if err != nil {
			return x, err
		}
		if k == idv.ArtifactSelfie {
			a.Blob, a.BlobType = facePicture(), "image/jpeg"
		}
		x.Artifacts = append(x.Artifacts, a)
	}
	return x, nil
}

// track is a head that does what it was asked.
func (s *scene) track(run idv.FrameRun) idv.Track {
	t := idv.Track{
		Challenge: run.Challenge, WindowMS: run.ReceivedAt.Sub(run.IssuedAt).Milliseconds(), Camera: run.Camera,
		Models: []idv.ModelRef{{Name: producer, Version: "1"}}, Frames: []idv.TrackFrame{}, Pairs: []idv.FramePair{}, Blends: []idv.FrameBlend{}, Sizes: 1,
		Alike: idv.FramesAlike{Frames: []int{}, Cosines: []float64{}},
	}
	for _, f := range run.Frames {
		frame := idv.TrackFrame{AtMS: f.AtMS, Faces: 1, Box: idv.Box{X: .32, Y: .2, Width: .36, Height: .55}, Aspect: .75}
		for _, p := range run.Challenge.Prompts {
			if f.AtMS < p.AtMS || f.AtMS > p.AtMS+p.ForMS {
				continue
			}
			switch p.Move {
			case idv.MoveLeft:
				frame.Yaw = -24
			case idv.MoveRight:
				frame.Yaw = 24
			case idv.MoveUp:
				frame.Pitch = 16
			case idv.MoveDown:
				frame.Pitch = -16
			case idv.MoveCloser:
				frame.Box = idv.Box{X: .25, Y: .1, Width: .5, Height: .76}
			}
		}
		t.Frames = append(t.Frames, frame)
	}
	return t
}

func (s *scene) digests(n int) idv.FrameDigests {
	out := idv.FrameDigests{Bits: 256, Digests: [][]byte{}}
	for range n {
		d := make([]byte, 32)
		for i := range d {
			d[i] = byte(s.r.IntN(256)) //nolint:gosec // a byte
		}
		out.Digests = append(out.Digests, d)
	}
	return out
}
