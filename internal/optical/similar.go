package optical

// distance is Levenshtein's: how many letters must be changed, added or left out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// within is how well the pattern is found somewhere inside the text: 1 for letter by letter, 0 for nothing in common.
func within(pattern, text string) float64 {
	if pattern == "" {
		return 0
	}
	row := make([]int, len(text)+1) // free to begin anywhere
	for i := range len(pattern) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(text) {
			cost := diagonal
			if pattern[i] != text[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	least := len(pattern)
	for _, v := range row { // and to end anywhere
		least = min(least, v)
	}
	return 1 - float64(least)/float64(len(pattern))
}
