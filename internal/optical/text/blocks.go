package text

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// A block is print of one piece of paper: lines that are at most so many heights apart along and across them, and so many radians askew.
const (
	blockAlong  = 4
	blockAcross = 3
	blockAskew  = .07
	blockLines  = 5 // that a block has at least; what is left is judged together
)

// blocksOf are the lines of each block, by their numbers: a card may lie on a newspaper in another script. The last one has those lines that are
// in no block.
func blocksOf(lines []Line) [][]int {
	of := make([]int, len(lines))
	for i := range of {
		of[i] = i
	}
	for i, a := range lines {
		for j, b := range lines[:i] {
			if a.Text != "" && b.Text != "" && inOneBlock(a.Strip, b.Strip) && of[i] != of[j] {
				from, to := of[i], of[j]
				for k := range of {
					if of[k] == from {
						of[k] = to
					}
				}
			}
		}
	}
	var out [][]int
	var rest []int
	for block := range lines {
		var all []int
		for i := range of {
			if of[i] == block {
				all = append(all, i)
			}
		}
		if len(all) >= blockLines {
			out = append(out, all)
		} else {
			rest = append(rest, all...)
		}
	}
	return append(out, rest)
}

// inOneBlock reports whether two lines are beside or below each other and lie alike.
func inOneBlock(a, b ocr.Strip) bool {
	if math.Abs(a.UX*b.UY-a.UY*b.UX) > blockAskew {
		return false
	}
	x, y := b.X-a.X, b.Y-a.Y
	along := math.Abs(x*a.UX+y*a.UY) - (a.Length+b.Length)/2
	across := math.Abs(y*a.UX-x*a.UY) - (a.Height+b.Height)/2
	tall := math.Max(a.Height, b.Height)
	return along < blockAlong*tall && across < blockAcross*tall
}
