package reading

import (
	"strings"
	"unicode"
)

// piecesOf are the texts of a page in all the ways in which its rows can be cut: without its labels, with what looks like a label but
// may be part of a value (UTOPIA CITY), and, of pieces with figures, what is before the figures and what is behind them.
func piecesOf(rows []row, apart []piece) []piece {
	seen := map[[3]int]bool{}
	var out []piece
	add := func(p piece) {
		key := [3]int{p.row, p.words[0].from, p.words[len(p.words)-1].to}
		if !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	for _, p := range apart {
		add(p)
	}
	for k := range rows {
		for _, p := range runsOf(rows, k) {
			add(p)
		}
	}
	for _, p := range out[:len(out):len(out)] {
		for _, part := range besideFigures(rows, p) {
			add(part)
		}
	}
	return out
}

// wideGap is how many heights of white part two texts of a row.
const wideGap = .9

// runsOf are the runs of words of a row between wide gaps.
func runsOf(rows []row, k int) []piece {
	words := rows[k].words
	var out []piece
	for from, i := 0, 1; i <= len(words); i++ {
		if i == len(words) || gapOf(rows[k], words[i-1], words[i]) > wideGap*rows[k].h {
			out = append(out, pieceOf(rows, k, words[from:i]))
			from = i
		}
	}
	return out
}

// besideFigures are the words before the first and behind the last word that has a figure.
func besideFigures(rows []row, p piece) []piece {
	first, last := -1, -1
	for i, w := range p.words {
		if strings.ContainsFunc(w.text, unicode.IsDigit) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	var out []piece
	if first > 0 {
		out = append(out, pieceOf(rows, p.row, p.words[:first]))
	}
	if last >= 0 && last+1 < len(p.words) {
		out = append(out, pieceOf(rows, p.row, p.words[last+1:]))
	}
	return out
}

// covered is the share of a candidate's characters that look like a label.
func (v view) covered(c candidate) float64 {
	all, within := 0, 0
	for _, s := range c.spans {
		all += s.to - s.from
		for _, l := range v.labels {
			if l.row == s.row && !l.number {
				within += max(0, min(s.to, l.words[len(l.words)-1].to)-max(s.from, l.words[0].from))
			}
		}
	}
	return float64(within) / float64(max(1, all))
}
