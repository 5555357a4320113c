package optical

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// labels are the words that documents print beside a fact, as letters without diacritics and spaces.
var labels = []struct {
	name  idv.ClaimName
	words []string
}{
	{idv.FamilyName, []string{
		"SURNAME", "SURNAMES", "NOM", "NOMDEFAMILLE", "NAME", "FAMILYNAME", "LASTNAME", "NACHNAME", "FAMILIENNAME", "APELLIDOS", "COGNOME", "APELIDOS",
		"APELIDO", "NAZWISKO", "PRIJMENI", "PRIEZVISKO", "PREZIME", "PRIIMEK", "NAAM", "EFTERNAVN", "ETTERNAVN", "EFTERNAMN", "SUKUNIMI", "NUME",
	}},
	{idv.GivenNames, []string{
		"GIVENNAMES", "GIVENNAME", "PRENOMS", "PRENOM", "VORNAMEN", "VORNAME", "FIRSTNAME", "FIRSTNAMES", "FORENAMES", "NOMBRE", "NOMBRES", "NOME", "NOMI",
		"IMIONA", "IMIE", "JMENO", "MENO", "IME", "VOORNAMEN", "FORNAVN", "FORNAVNE", "FORNAMN", "ETUNIMET", "PRENUME",
	}},
	{idv.DateOfBirth, []string{
		"DATEOFBIRTH", "BIRTHDATE", "DOB", "DATEDENAISSANCE", "GEBURTSDATUM", "GEBURTSTAG", "FECHADENACIMIENTO", "DATADINASCITA", "DATADENASCIMENTO",
		"DATAURODZENIA", "DATUMNAROZENI", "DATUMROJSTVA", "DATUMRODENJA", "GEBOORTEDATUM", "FODSELSDATO", "FODELSEDATUM", "SYNTYMAAIKA", "DATANASTERII",
	}},
	{idv.DateOfExpiry, []string{
		"DATEOFEXPIRY", "DATEOFEXPIRATION", "EXPIRYDATE", "EXPIRES", "VALIDUNTIL", "DATEDEXPIRATION", "GULTIGBIS", "FECHADECADUCIDAD", "VALIDEZ",
		"DATADISCADENZA", "SCADENZA", "TERMINWAZNOSCI", "PLATNOSTDO", "GELDIGTOT", "VELJAVNOST",
	}},
	{idv.DateOfIssue, []string{"DATEOFISSUE", "ISSUEDATE", "DATEDEDELIVRANCE", "AUSSTELLUNGSDATUM", "FECHADEEXPEDICION", "DATADIRILASCIO", "DATAWYDANIA"}},
	{idv.DocumentNumber, []string{
		"CARDNO", "CARDNUMBER", "DOCUMENTNO", "DOCUMENTNUMBER", "PASSPORTNO", "IDENTITYCARDNO", "NDECARTE", "NODECARTE", "NDUDOCUMENT", "AUSWEISNUMMER",
		"NUMERODEDOCUMENTO", "NUMSOPORT", "NRDOWODU",
	}},
}

// licenceFields are the numbered fields of driving licences (ISO/IEC 18013-1, EU directive 2006/126 annex I).
var licenceFields = map[string]idv.ClaimName{
	"1": idv.FamilyName, "2": idv.GivenNames, "3": idv.DateOfBirth, "4A": idv.DateOfIssue, "4B": idv.DateOfExpiry, "5": idv.DocumentNumber,
}

// How far from its label a value may stand, in heights of the label, and how surely it must be read.
const (
	valueBelow  = 3.2
	valueBeside = 12.0
	labelSure   = 0.9 // confidence of a name: the reader's alphabet has no diacritics, and it knows when it guesses
)

// readLabels takes facts out of printed lines by the labels beside them. A page without a machine-readable zone says so
// who it is about.
func (w *work) readLabels() {
	have := map[idv.ClaimName]bool{}
	for _, c := range w.page.Claims {
		have[c.Name] = true
	}
	for i, l := range w.page.Lines {
		name, rest := w.labelIn(l.Text)
		if name == "" || have[name] {
			continue
		}
		value := idv.Line{Text: rest, Confidence: l.Confidence, Box: l.Box}
		if rest == "" {
			var ok bool
			if value, ok = w.valueOf(i); !ok {
				continue
			}
		}
		if c, ok := w.printedClaim(name, value); ok {
			have[name] = true
			w.page.Claims = append(w.page.Claims, c)
		}
	}
}

// labelIn tells which fact a line labels, and what follows the label on the same line.
func (w *work) labelIn(text string) (idv.ClaimName, string) {
	if w.page.Kind == idv.DrivingLicence {
		number, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		if dot := strings.IndexByte(number, '.'); dot > 0 && dot < len(number)-1 { // "1.MUSTER": the reader drops spaces
			number, rest = number[:dot], number[dot+1:]+" "+rest
		}
		if name, ok := licenceFields[strings.ToUpper(strings.Trim(number, ".,:"))]; ok {
			return name, strings.TrimSpace(rest)
		}
	}
	if name := longLabel(letters(text)); name != "" {
		return name, ""
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '·' || r == '|' || r == ':' }) {
		l := letters(part)
		for _, k := range labels {
			if slices.Contains(k.words, l) {
				return k.name, ""
			}
		}
	}
	return "", ""
}

// longLabel is the fact whose label begins a line, for labels that are too long to begin anything else; the reader often
// misses the stroke between two languages.
func longLabel(line string) idv.ClaimName {
	for _, k := range labels {
		for _, word := range k.words {
			if len(word) >= 6 && strings.HasPrefix(line, word) {
				return k.name
			}
		}
	}
	return ""
}

// valueOf is the line that belongs to label i: the nearest one below it that begins where it does, or the nearest one to
// its right.
func (w *work) valueOf(i int) (idv.Line, bool) {
	label := w.page.Lines[i].Box
	ratio := float64(w.img.W) / max(1, float64(w.img.H)) // boxes are parts: widths and heights have other units
	var best idv.Line
	nearest := 0.0
	for j, l := range w.page.Lines {
		if name, _ := w.labelIn(l.Text); j == i || name != "" || l.Text == "" {
			continue
		}
		dx, dy := l.Box.X-label.X, l.Box.Y+l.Box.Height/2-label.Y-label.Height/2
		var far float64
		switch {
		case dy > 0.5*label.Height && dy < valueBelow*label.Height && dx*ratio < 3*label.Height && -dx*ratio < 3*label.Height:
			far = dy
		case dy < 0.5*label.Height && -dy < 0.5*label.Height && dx > 0 && dx*ratio < valueBeside*label.Height:
			far = dx * ratio
		default:
			continue
		}
		if best.Text == "" || far < nearest {
			best, nearest = l, far
		}
	}
	return best, best.Text != ""
}

// printedClaim makes a claim of a printed value; false where the value cannot be one.
func (w *work) printedClaim(name idv.ClaimName, l idv.Line) (idv.Claim, bool) {
	box := l.Box
	c := idv.Claim{Name: name, Value: strings.TrimSpace(l.Text), Source: idv.FromPrinted, Confidence: l.Confidence, Box: &box}
	switch name {
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		day, ok := printedDate(l.Text, w.now(), name != idv.DateOfExpiry)
		c.Value = day.Format(time.DateOnly)
		return c, ok
	case idv.DocumentNumber:
		c.Value = alphanumerics(c.Value)
		return c, len(c.Value) >= 5 && strings.ContainsAny(c.Value, "0123456789")
	default:
		return c, c.Confidence >= labelSure && len(letters(c.Value)) >= 2 && !strings.ContainsAny(c.Value, "0123456789")
	}
}
