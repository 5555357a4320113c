package reading

// piecesOf are the texts of a page in all the ways in which its rows can be cut: without its labels, with what looks like a label but
// may be part of a value (UTOPIA CITY), and at every edge.
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
			for _, part := range partsOf(rows, p) {
				add(part)
			}
		}
	}
	return out
}

// mostParts is how many stretches between edges one text has at most, unless it is a whole run.
const mostParts = 3

// partsOf are the stretches of a run between its edges, behind the number of a field that begins it among them: each by itself, those that
// follow each other together, and all that follow one.
func partsOf(rows []row, p piece) []piece {
	r := rows[p.row]
	at := []int{0}
	for i := 1; i < len(p.words); i++ {
		if edgeOf(r, p.words[i-1], p.words[i]) != noEdge || i == 1 && fieldNumber(p.words[0].text) && startsField(p.words, 0) {
			at = append(at, i)
		}
	}
	at = append(at, len(p.words))
	var out []piece
	for a := range len(at) - 1 {
		for b := a + 1; b < len(at); b++ {
			if b-a <= mostParts || b == len(at)-1 {
				out = append(out, pieceOf(rows, p.row, p.words[at[a]:at[b]]))
			}
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
		if i == len(words) || gapOf(rows[k], words[i-1], words[i]) > wideGap*rows[k].h && !hyphened(words, words[i].from) {
			out = append(out, pieceOf(rows, k, words[from:i]))
			from = i
		}
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
