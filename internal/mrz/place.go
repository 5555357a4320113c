package mrz

// PlaceOf tells where the format writes a field (issuer, name, document_number, birth_date, expiry_date, sex,
// nationality, …): the line and its columns from 0, to exclusive. ok is false where the format has no such field.
func PlaceOf(f Format, name string) (line, from, to int, ok bool) {
	fd, ok := layouts[f].find(name)
	return fd.line, fd.from, fd.to, ok
}

// FieldAt returns the name of the field that a character is of, as PlaceOf takes it; empty outside the format.
func FieldAt(f Format, line, at int) string {
	for _, fd := range layouts[f].fields {
		if fd.line == line && at >= fd.from && at < fd.to {
			return fd.name
		}
	}
	return ""
}

// Checked reports whether a check digit covers a character, 0 the first of its line, or it is one (ICAO 9303-3 §4.9). Names, the
// issuer, the nationality and the sex have none.
func (f Format) Checked(line, at int) bool {
	for _, c := range layouts[f].checks {
		if c.line == line && c.col == at {
			return true
		}
		for _, s := range c.over {
			if s.line == line && at >= s.from && at < s.to {
				return true
			}
		}
	}
	return false
}
