package mrz

// PlaceOf tells where the format writes a field (issuer, name, document_number, birth_date, expiry_date, sex,
// nationality, …): the line and its columns from 0, to exclusive. ok is false where the format has no such field.
func PlaceOf(f Format, name string) (line, from, to int, ok bool) {
	fd, ok := layouts[f].find(name)
	return fd.line, fd.from, fd.to, ok
}
