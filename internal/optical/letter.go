package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// How a letter is read of which it is known what it can be.
const (
	letterVote  = 0.5  // the probability from which a crop speaks for a letter
	letterAlone = 0.3  // and of any other sign from which it does not: FE and M1 are no letter of the sex
	letterVotes = 3    // crops that must,
	openVotes   = 5    // and where no label says that it is the sex's
	letterCap   = 0.95 // the most that such a letter counts: it never speaks against a zone
)

// sexes are the letters of the sex that all states print (ICAO 9303-3 §3.4). X is not looked for: too much looks like one.
var sexes = []rune{'M', 'F'}

// letterPaper are the crops: parts of the letter's height that are added above and below.
var letterPaper = [][2]float64{{0, 0}, {0.15, 0}, {0.2, 0.2}, {0.4, 0.4}}

// readLetter reads the letter of the sex where it should stand but was not read: in several crops, with colours and without, by the
// reader's own probabilities of the letters that it can be. Crops that speak for two letters say nothing; what was read
// counts where it adds to the facts and changes none.
func (w printedText) readLetter(ctx context.Context, lines []line, read viz.Reading) ([]line, viz.Reading, error) {
	for _, place := range read.Letter {
		l, ok, err := w.letterAt(ctx, stripOf(place), letterVotes)
		if err != nil {
			return nil, viz.Reading{}, err
		}
		if !ok {
			continue
		}
		more := withLine(lines, l)
		if again := w.r.options.Facts(w.printedPage(more)); len(again.Claims) > len(read.Claims) && keepsAll(again, read) {
			return more, again, nil
		}
	}
	return lines, read, nil
}

// lookForLetter looks for the letter of the sex that the zone states where the page may have it, though no label was read: in one
// place alone, and nowhere the other letter.
func (w printedText) lookForLetter(ctx context.Context, c agreement, read viz.Reading) (agreement, error) {
	want := w.page.MRZ.value(w.now(), idv.Sex)
	if !w.page.MRZ.CheckDigitsOK || want != "M" && want != "F" || slices.ContainsFunc(read.Claims, isSex) || slices.ContainsFunc(c.claims, isSex) {
		return c, nil
	}
	var seen []line
	for _, place := range read.Open {
		l, ok, err := w.letterAt(ctx, stripOf(place), openVotes)
		if err != nil {
			return c, err
		}
		if ok {
			seen = append(seen, l)
		}
	}
	if len(seen) == 1 && seen[0].text == want {
		c.claims = append(c.claims, idv.Claim{Name: idv.Sex, Value: want, Source: idv.FromPrinted, Confidence: seen[0].conf, Box: &seen[0].box})
	}
	return c, nil
}

// letterAt reads one letter, for which so many crops must speak.
func (w printedText) letterAt(ctx context.Context, s ocr.Strip, least int) (line, bool, error) {
	var votes []vote
	for _, paper := range letterPaper {
		wide := s.Grown(paper[0], paper[1])
		for _, crop := range []*imaging.Gray{ocr.CropGray(w.img, wide), brightest(ocr.Crop(w.img, wide))} {
			v, err := w.models.text.letters(ctx, crop, sexes)
			if err != nil {
				return line{}, false, err
			}
			votes = append(votes, v)
		}
	}
	at, conf, ok := elected(votes, len(sexes), least)
	if !ok {
		return line{}, false, nil
	}
	return line{
		text: string(sexes[at]), conf: conf, least: conf, chars: []float64{conf}, at: []float64{.5}, strip: s, box: page.BoxAround(s, w.img),
	}, true, nil
}

// vote is what one crop says: how probable each of the letters is that it may hold, and any other sign.
type vote struct {
	letters []float64
	other   float64
}

// elected is the one of n letters that enough crops speak for, and none for another; it is as sure as where it was surest.
func elected(votes []vote, n, least int) (at int, sure float64, ok bool) {
	at = -1
	seen := 0
	for _, v := range votes {
		for i := range n {
			if p := v.letters[i]; p < letterVote || v.other >= letterAlone {
				continue
			}
			if at >= 0 && at != i {
				return 0, 0, false
			}
			at, sure, seen = i, max(sure, v.letters[i]), seen+1
		}
	}
	return at, min(letterCap, sure), seen >= least
}

// letters are how probable each of some letters is where it is most, and any other sign where that is.
func (r textReader) letters(ctx context.Context, crop *imaging.Gray, of []rune) (vote, error) {
	scores, n, _, err := r.Scores(ctx, crop)
	if err != nil {
		return vote{}, err
	}
	out := vote{letters: make([]float64, len(of))}
	for t := range min(n, len(scores)/len(r.Dictionary)) {
		row := scores[t*len(r.Dictionary) : (t+1)*len(r.Dictionary)]
		_, best := ocr.BestClass(row)
		if best == 0 || best == len(r.Dictionary)-1 {
			continue
		}
		p := ocr.BestProbability(row, best)
		if at := slices.Index(of, r.Dictionary[best]); at >= 0 {
			out.letters[at] = max(out.letters[at], p)
		} else {
			out.other = max(out.other, p)
		}
	}
	return out, nil
}
