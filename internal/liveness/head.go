package liveness

import "github.com/bonafide-id/bonafide/internal/idv"

// HeadThresholds say from when on the movement of a run is not that of one rigid head.
type HeadThresholds struct {
	Views float64 `json:"views"` // turned frames that it takes to say anything
	Left  float64 `json:"left"`  // idv.HeadMotion.Left of a head, at least; so too the others
	Whole float64 `json:"whole"`
	Rim   float64 `json:"rim"`
	Bared float64 `json:"bared"`
	Nose  float64 `json:"nose"`
	Chest float64 `json:"chest"` // less than 0: so far shoulders and chest may swing to the other side
}

// HeadSign is one way in which a run does not move as a head does.
type HeadSign string

// The signs, any of which suffices. The first two are of the mesh, which knows what heads look like and sees one in a photograph too;
// the others are of pixels.
const (
	NoDepth     HeadSign = "no depth"     // little is left when what a flat thing can do is taken away
	NoseAlone   HeadSign = "nose alone"   // the nose moves by its depth, and the face around it less
	RimStays    HeadSign = "rim stays"    // temples, ears and hair move as a picture of them does, shifted and no more
	NothingBare HeadSign = "nothing bare" // the turns bare nothing around the head that was not seen before
	RoundFace   HeadSign = "round face"   // the face moves as something smooth does, without a nose that stands out of it
	ChestSwings HeadSign = "chest swings" // shoulders and chest go against the nose, or are bent beyond recognition
)

// chestSwings where shoulders and chest were looked for. People may be so near that they are not in view, and they need not be: then
// nothing is said.
func chestSwings(h idv.HeadMotion, th HeadThresholds) bool {
	if float64(h.Sought) < th.Views {
		return false
	}
	return 2*h.Chests < h.Sought || !(h.Chest >= th.Chest)
}

// headSigns, all of which are asked. What is no number shows a sign.
var headSigns = []struct {
	sign  HeadSign
	shows func(h idv.HeadMotion, th HeadThresholds) bool
}{
	{NoDepth, func(h idv.HeadMotion, th HeadThresholds) bool { return !(h.Left >= th.Left) }},
	{NoseAlone, func(h idv.HeadMotion, th HeadThresholds) bool { return !(h.Whole >= th.Whole) }},
	{RimStays, func(h idv.HeadMotion, th HeadThresholds) bool { return !(h.Rim >= th.Rim) }},
	{NothingBare, func(h idv.HeadMotion, th HeadThresholds) bool { return !(h.Bared >= th.Bared) }},
	{RoundFace, func(h idv.HeadMotion, th HeadThresholds) bool { return !(h.Nose >= th.Nose) }},
	{ChestSwings, chestSwings},
}

// AllHeadSigns lists every sign.
func AllHeadSigns() []HeadSign {
	out := make([]HeadSign, 0, len(headSigns))
	for _, s := range headSigns {
		out = append(out, s.sign)
	}
	return out
}

// HeadSigns lists the signs that what moved is no head, in the order of the table; none where it may be one. False where the run does
// not show enough of a turn to say so.
func HeadSigns(h idv.HeadMotion, th HeadThresholds) ([]HeadSign, bool) {
	if float64(h.Views) < th.Views || float64(h.Noses) < th.Views {
		return nil, false
	}
	var out []HeadSign
	for _, s := range headSigns {
		if s.shows(h, th) {
			out = append(out, s.sign)
		}
	}
	return out, true
}
