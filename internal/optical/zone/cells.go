package zone

import "github.com/bonafide-id/bonafide/internal/mrz"

// everything is the set of all characters.
var everything = setOf(alphabet[1:])

// anything returns n cells that allow every character.
func anything(n int) []cell {
	out := make([]cell, n)
	for i := range out {
		out[i].allowed = everything
	}
	return out
}

// nameFields are the fields that hold names.
var nameFields = []string{"name", "surname", "given_names"}

// cellsOf returns what each position of a line may hold: the class of its field, and for the document code what distinguishes the
// format from others.
func cellsOf(f mrz.Format, line, width int) []cell {
	out := make([]cell, width)
	for i := range out {
		out[i].allowed = setOf(string(mrz.ClassAt(f, line, i)))
	}
	for _, name := range nameFields {
		if l, from, to, ok := mrz.PlaceOf(f, name); ok && l == line {
			for i := from; i < to; i++ {
				out[i].name = true
			}
		}
	}
	if line > 0 {
		return out
	}
	switch f {
	case mrz.TD3:
		out[0].allowed = setOf("P")
	case mrz.MRVA, mrz.MRVB:
		out[0].allowed = setOf("V")
	case mrz.IDFRA, mrz.IDROU:
		for i := range len(f) {
			out[i].allowed = setOf(string(f)[i : i+1])
		}
	default:
		out[0].allowed = setOf("ACIR")
	}
	return out
}

// cells returns what each position of a line may hold, given what was read of it.
func (d decoding) cells(line, width int) []cell {
	out := cellsOf(d.format, line, width)
	if line == 0 && len(d.lines) > 0 && mrz.PermitCode(d.format, d.lines[0]) {
		out[1].allowed = setOf(string(mrz.PermitClass))
	}
	return out
}
