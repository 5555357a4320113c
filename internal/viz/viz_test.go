package viz

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// at is a line of print that begins at x, y (its middle), in a page of 1000 by 700; its letters are .55 of its height wide.
func at(x, y, h float64, text string) Line {
	length := .55 * h * float64(len([]rune(text)))
	return Line{Text: text, Strip: Strip{X: x + length/2, Y: y, Length: length, Height: h}}
}

func pageOf(lines ...Line) Page {
	return Page{Lines: lines, Width: 1000, Height: 700, Today: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
}

// stated are a reading's facts by name.
func stated(r Reading) map[idv.ClaimName]string {
	out := map[idv.ClaimName]string{}
	for _, c := range r.Claims {
		out[c.Name] = c.Value
	}
	return out
}

// under is a page whose values stand below their labels, one column, labels at 60 % of the size.
func under(pairs ...string) Page {
	var lines []Line
	for i := 0; i < len(pairs); i += 2 {
		y := 60 + 50*float64(i/2)
		lines = append(lines, at(300, y, 14, pairs[i]), at(300, y+24, 24, pairs[i+1]))
	}
	return pageOf(lines...)
}

type claims = map[idv.ClaimName]string

func TestFactsAreReadByTheirLabelsInEveryLanguage(t *testing.T) {
	same := claims{surname: "NOVAK", givenNames: "ANNA MARIA", dateOfBirth: "1974-08-12", sex: "F", documentNumber: "AB1234567", dateOfExpiry: "2030-03-15", placeOfBirth: "ZENITH"}
	for name, labels := range map[string][7]string{
		"English":                       {"Surname", "Given names", "Date of birth", "Sex", "Passport No.", "Date of expiry", "Place of birth"},
		"French":                        {"Nom", "Prénoms", "Date de naissance", "Sexe", "Passeport N°", "Date d'expiration", "Lieu de naissance"},
		"German":                        {"Name", "Vornamen", "Geburtsdatum", "Geschlecht", "Pass-Nr.", "Gültig bis", "Geburtsort"},
		"Spanish":                       {"Apellidos", "Nombre", "Fecha de nacimiento", "Sexo", "Pasaporte N.º", "Fecha de caducidad", "Lugar de nacimiento"},
		"Italian":                       {"Cognome", "Nome", "Data di nascita", "Sesso", "Passaporto N.", "Data di scadenza", "Luogo di nascita"},
		"Portuguese":                    {"Apelidos", "Nomes próprios", "Data de nascimento", "Sexo", "Passaporte N.º", "Válido até", "Local de nascimento"},
		"Dutch":                         {"Naam", "Voornamen", "Geboortedatum", "Geslacht", "Documentnummer", "Geldig tot", "Geboorteplaats"},
		"Polish":                        {"Nazwisko", "Imiona", "Data urodzenia", "Płeć", "Nr paszportu", "Data ważności", "Miejsce urodzenia"},
		"Czech":                         {"Příjmení", "Jméno", "Datum narození", "Pohlaví", "Číslo pasu", "Platnost do", "Místo narození"},
		"Slovak":                        {"Priezvisko", "Meno", "Dátum narodenia", "Pohlavie", "Číslo pasu", "Dátum platnosti", "Miesto narodenia"},
		"Hungarian":                     {"Családi név", "Utónév", "Születési idő", "Neme", "Útlevél száma", "Lejárat dátuma", "Születési hely"},
		"Romanian":                      {"Nume", "Prenume", "Data nașterii", "Sex", "Pașaport Nr.", "Data expirării", "Locul nașterii"},
		"Swedish":                       {"Efternamn", "Förnamn", "Födelsedatum", "Kön", "Passnummer", "Giltigt till", "Födelseort"},
		"Danish":                        {"Efternavn", "Fornavne", "Fødselsdato", "Køn", "Pas nr.", "Udløbsdato", "Fødested"},
		"Norwegian":                     {"Etternavn", "Fornavn", "Fødselsdato", "Kjønn", "Passnummer", "Utløpsdato", "Fødested"},
		"Finnish":                       {"Sukunimi", "Etunimet", "Syntymäaika", "Sukupuoli", "Passin numero", "Viimeinen voimassaolopäivä", "Syntymäpaikka"},
		"Croatian":                      {"Prezime", "Ime", "Datum rođenja", "Spol", "Broj putovnice", "Vrijedi do", "Mjesto rođenja"},
		"Slovene":                       {"Priimek", "Ime", "Datum rojstva", "Spol", "Številka potnega lista", "Velja do", "Kraj rojstva"},
		"Turkish":                       {"Soyadı", "Given name(s)", "Doğum tarihi", "Cinsiyeti", "Pasaport No", "Son geçerlilik tarihi", "Doğum yeri"},
		"two languages with a stroke":   {"Surname / Nom", "Given names / Prénoms", "Date of birth / Date de naissance", "Sex / Sexe", "Passport No. / Passeport N°", "Date of expiry / Date d'expiration", "Place of birth / Lieu de naissance"},
		"three languages":               {"Nachname/Surname/Nom", "Vornamen/Given names/Prénoms", "Geburtsdatum/Date of birth/Date de naissance", "Geschlecht/Sex/Sexe", "Pass-Nr./Passport No./Passeport No", "Gültig bis/Date of expiry/Date d'expiration", "Geburtsort/Place of birth/Lieu de naissance"},
		"a reader that loses spaces":    {"Surname/Nom", "Givennames/Prenoms", "Dateofbirth/Datedenaissance", "Sex/Sexe", "PassportNo./PasseportN°", "Dateofexpiry/Dated'expiration", "Placeofbirth/Lieudenaissance"},
		"a reader that makes mistakes":  {"Sumame / Nom", "Given nanes / Prénoms", "Date of bith / Date de naissanee", "Sex / Sexe", "Passport N0. / Passeport N°", "Date of expiny / Date d'expiration", "Plaee of birth / Lieu de naissance"},
		"capitals run together":         {"SURNAMENOM", "GIVENNAMES/PRENOMS", "DATEOFBIRTHDATEDENAISSANCE", "SEX/SEXE", "PASSPORTNO.", "DATEOFEXPIRYDATEDEXPIRATION", "PLACEOFBIRTH"},
		"numbered and annotated labels": {"1. Nachname / Surname (1)", "2. Vornamen / Given names (2)", "3. Geburtsdatum / Date of birth (3)", "4. Geschlecht / Sex (4)", "5. Pass-Nr. / Passport No. (5)", "6. Gültig bis / Date of expiry (6)", "7. Geburtsort / Place of birth (7)"},
		"a language beside one unknown": {"Surname / Фамилия", "Given names / Имя", "Date of birth / Дата рождения", "Sex / Пол", "Passport No. / Паспорт №", "Date of expiry / Действителен до", "Place of birth / Место рождения"},
		"labels whose ends are missing": {"Surname", "Given names", "Date of bir", "Sex", "Passport num", "Date of expi", "Place of birt"},
		"an unknown language misread":   {"Surname / OaMMnHR", "Given names / MMR", "Date of birth / IaTa poxneHHR", "Sex / Hon", "Passport No. / Hacnopr", "Date of expiry / cpok", "Place of birth / Mecro poxneHHR"},
	} {
		t.Run(name, func(t *testing.T) {
			p := under(labels[0], "NOVAK", labels[1], "ANNA MARIA", labels[2], "12.08.1974", labels[3], "F", labels[4], "AB1234567", labels[5], "15.03.2030", labels[6], "ZENITH")
			if d := cmp.Diff(same, stated(Read(p))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestValuesAreFoundWhereverTheyStand(t *testing.T) {
	for name, c := range map[string]struct {
		page Page
		want claims
	}{
		"on the label's line": {pageOf(
			at(100, 100, 20, "Surname: ERIKSSON"), at(100, 130, 20, "Given names: ANNA MARIA"), at(100, 160, 20, "Date of birth: 12 AUG 1974"),
		), claims{surname: "ERIKSSON", givenNames: "ANNA MARIA", dateOfBirth: "1974-08-12"}},
		"right of the label, on a line of its own": {pageOf(
			at(100, 100, 14, "Surname"), at(260, 100, 22, "ERIKSSON"), at(100, 130, 14, "Given names"), at(260, 130, 22, "ANNA MARIA"),
			at(100, 160, 14, "Date of birth"), at(260, 160, 22, "12 AUG 1974"),
		), claims{surname: "ERIKSSON", givenNames: "ANNA MARIA", dateOfBirth: "1974-08-12"}},
		"in columns": {pageOf(
			at(100, 100, 14, "Sex / Sexe"), at(300, 100, 14, "Place of birth / Lieu de naissance"), at(100, 122, 22, "F"), at(300, 122, 22, "ZENITH"),
			at(100, 160, 14, "Date of issue / Date de délivrance"), at(450, 160, 14, "Authority / Autorité"), at(100, 182, 22, "16 APR/AVR 2017"), at(450, 182, 22, "UTOPIA CITY"),
		), claims{sex: "F", placeOfBirth: "ZENITH", dateOfIssue: "2017-04-16", authority: "UTOPIA CITY"}},
		"in columns that were read as one line": {pageOf(
			across(at(100, 100, 14, "Sex / Sexe"), at(300, 100, 14, "Place of birth / Lieu de naissance")), across(at(100, 122, 22, "F"), at(300, 122, 22, "UTOPIA CITY")),
		), claims{sex: "F", placeOfBirth: "UTOPIA CITY"}},
		"over two lines": {pageOf(
			at(100, 100, 14, "Surname"), at(100, 124, 24, "KEREKES-SZENTGYÖRGYI-"), at(100, 152, 24, "HOHENLOHE"),
			at(100, 190, 14, "Given names"), at(100, 214, 24, "MAXIMILIANA"), at(100, 242, 24, "KONSTANTINA"),
			at(100, 280, 14, "Address"), at(100, 304, 24, "12 Harbour Lane"), at(100, 332, 24, "1234 Utopia City"),
		), claims{surname: "KEREKES-SZENTGYÖRGYI-HOHENLOHE", givenNames: "MAXIMILIANA KONSTANTINA", address: "12 Harbour Lane, 1234 Utopia City"}},
		"on a page that lies askew": {tilted(.14,
			at(100, 100, 14, "Sex / Sexe"), at(500, 100, 14, "Place of birth / Lieu de naissance"), at(100, 122, 22, "F"), at(500, 122, 22, "ZENITH"),
			at(100, 160, 14, "Surname / Nom"), at(100, 184, 24, "ERIKSSON OF THE NORTH"),
		), claims{sex: "F", placeOfBirth: "ZENITH", surname: "ERIKSSON OF THE NORTH"}},
		"both birth facts after one label": {pageOf(
			at(100, 100, 20, "Luogo e data di nascita"), at(100, 126, 20, "ROMA 12.08.1974"),
		), claims{placeOfBirth: "ROMA", dateOfBirth: "1974-08-12"}},
		"two family names in two fields": {under("PRIMER APELLIDO", "GARCIA", "SEGUNDO APELLIDO", "LOPEZ", "NOMBRE", "MARIA"),
			claims{surname: "GARCIA LOPEZ", givenNames: "MARIA"}},
		"a name with a word that is a label elsewhere": {under("Surname", "VAN DER BERG", "Given names", "DE LA CRUZ"),
			claims{surname: "VAN DER BERG", givenNames: "DE LA CRUZ"}},
		"after a label of which one language was misread": {pageOf(
			at(100, 100, 14, "Sexoöo/Sex"), at(100, 122, 22, "M"), at(300, 100, 14, "Hasta / Untl"), at(300, 122, 22, "12 AUG 2030"),
		), claims{sex: "M", dateOfExpiry: "2030-08-12"}},
		"a name of two words under a label that begins between them": {pageOf(
			at(100, 60, 14, "Type"), at(100, 80, 22, "P"), at(100, 120, 14, "1"), at(140, 120, 14, "Name/Surname"), at(100, 144, 24, "LE FLOC'H"),
		), claims{surname: "LE FLOC'H"}},
		"a name that is a letter or two longer than its label": {pageOf(
			at(100, 100, 20, "Nom de famille: EK"), at(100, 130, 20, "Geschlecht: M"), at(100, 190, 20, "Prénom(s): BO"),
		), claims{surname: "EK", sex: "M", givenNames: "BO"}},
		"two that stand equally well are none": {under("Document No.", "AB1234567", "Surname", "NOVAK", "Document No.", "CD7654321"), claims{surname: "NOVAK"}},
		"right behind a label whose space was lost": {pageOf(
			at(100, 100, 20, "NAME/NOMLINDQVIST"), at(100, 130, 20, "GIVEN NAMES/PRÉNOMS ASTRID"),
		), claims{surname: "LINDQVIST", givenNames: "ASTRID"}},
		"in a month that the labels' language tells": {pageOf(
			at(100, 100, 20, "Issued on / Ausstellungsdatum: 10 MAR/MÄR 2024"), at(100, 130, 20, "Date of expiry / Gültig bis: 09 MAR/MÄR 2034"),
		), claims{dateOfIssue: "2024-03-10", dateOfExpiry: "2034-03-09"}},
		"in an order that the term tells": {pageOf(
			at(100, 100, 20, "Date of birth: 03 04 1980"), at(100, 130, 20, "Date of issue: 08 12 2024"), at(100, 160, 20, "Date of expiry: 07 12 2034"),
		), claims{dateOfBirth: "1980-04-03", dateOfIssue: "2024-12-08", dateOfExpiry: "2034-12-07"}},
		"a date whose day stands apart and was not read": {pageOf(
			at(100, 100, 14, "Date of issue"), at(100, 124, 22, "2B"), at(150, 124, 22, "MAY 2023"),
		), claims{}},
		"an address whose letters were taken for digits": {under("Address", "130MILL STREET, 0BSERVATORY HILL"), claims{address: "130 MILL STREET, OBSERVATORY HILL"}},
		"a name of which a part was read as a line of its own is none": {pageOf(
			at(100, 100, 14, "Surname"), at(100, 124, 22, "BJØRN"), at(165, 124, 22, "N ÅSMUND"), at(100, 160, 14, "Sex"), at(100, 184, 22, "F"),
		), claims{sex: "F"}},
		"beside their labels, one of which has a misread label below it": {pageOf(
			at(100, 100, 14, "Surname"), at(300, 100, 20, "GREIR"), at(100, 125, 14, "Förmam Gíven oime"), at(300, 125, 20, "ANNA"), at(100, 150, 14, "Nationality"), at(300, 150, 20, "UTOPIAN"),
			at(100, 175, 14, "Date of birth"), at(300, 175, 20, "15.08.2002"), at(100, 200, 14, "Place of birth"), at(300, 200, 20, "MALMÖ"),
		), claims{surname: "GREIR", nationality: "UTO", dateOfBirth: "2002-08-15", placeOfBirth: "MALMÖ"}},
		"under the names that the standard gives to names": {under("Primary identifier/ Identifiant primaire", "ERIKSSON", "Identlfiant secondaire", "ANNA MARIA"), claims{surname: "ERIKSSON", givenNames: "ANNA MARIA"}},
		"an address one of whose lines was cut": {pageOf(
			at(100, 100, 14, "Address"), at(100, 124, 22, "50 OBSERVATORY"), at(290, 124, 22, "ROAD"), at(100, 150, 22, "UTOPIA CITY"), at(290, 150, 22, "UP 44474"),
		), claims{address: "50 OBSERVATORY ROAD, UTOPIA CITY UP 44474"}},
		"above a label that was misread": {pageOf(
			at(100, 100, 14, "Prenume/First name"), at(100, 122, 20, "SUPERMAN"), at(100, 144, 18, "Pronumo parnti"), at(100, 166, 20, "IOAN"),
		), claims{givenNames: "SUPERMAN"}},
		"two columns that are close to each other": {pageOf(
			at(100, 100, 14, "Udstedt den"), at(260, 100, 14, "Gyldig til"), across(at(100, 122, 22, "21.02.2026"), at(260, 122, 22, "20.02.2031")),
		), claims{dateOfIssue: "2026-02-21", dateOfExpiry: "2031-02-20"}},
		"one label in two languages, read as two lines": {pageOf(
			at(100, 100, 8, "Veren makam"), at(160, 100, 14, "Issuing authority"), at(100, 122, 22, "CITY OF ZENITH"),
		), claims{authority: "CITY OF ZENITH"}},
		"from and until on one line": {under("Valabilitate / Validité / Validity", "12.08.19-12.08.2029"),
			claims{dateOfIssue: "2019-08-12", dateOfExpiry: "2029-08-12"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(c.page))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLabelsAreFoundThoughTheirSignsWereMisread(t *testing.T) {
	for name, c := range map[string]struct {
		page Page
		want claims
	}{
		"a stroke read as a letter": {pageOf(
			at(100, 60, 14, "SESSO / SEX"), at(100, 84, 24, "M"), at(300, 60, 14, "DATA DI NASCITAFDATE OF BIRTH"), at(300, 84, 24, "12.08.1974"),
		), claims{sex: "M", dateOfBirth: "1974-08-12"}},
		"a stroke between short words": {pageOf(at(100, 60, 20, "OdlFrom 12.08.2024")), claims{dateOfIssue: "2024-08-12"}},
		"an ordinal sign behind a point, and a number": {pageOf(
			at(100, 60, 14, "1. Nacionalidade / Nationality"), at(500, 60, 14, "2. Passaporte N.º / Passport number"), at(100, 84, 24, "UTOPIAN"), at(500, 84, 24, "B14723683"),
		), claims{nationality: "UTO", documentNumber: "B14723683"}},
		"a label read in one of its languages, right of its letter": {pageOf(
			at(100, 60, 14, "Surname"), at(100, 84, 24, "NOVAK"), at(160, 140, 14, "Sex"), at(100, 164, 24, "F"),
		), claims{surname: "NOVAK", sex: "F"}},
	} {
		c.page.Kind = idv.Visa
		if d := cmp.Diff(c.want, stated(Read(c.page))); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestABoxTallerThanAllOtherPrintIsNoValue(t *testing.T) {
	page := func(h float64) Page {
		return pageOf(at(250, 40, 30, "DRIVING LICENCE"), at(350, 120, 22, "1. BRØNDSTED"), at(350, 150, 22, "2. SØREN ÆGIDIUS"), at(350, 180, 22, "3. 22.11.1987 ÆRØSKØBING"),
			at(350, 210, 22, "4a. 04.12.2022"), at(620, 210, 22, "4c."), at(670, 212, h, "UVLA"), at(350, 240, 22, "4b. 03.12.2037"), at(350, 270, 22, "5. WR20031382"))
	}
	for h, want := range map[float64]string{24: "UVLA", 64: ""} {
		if got := stated(Read(page(h)))[authority]; got != want {
			t.Errorf("%.0f high: %q, want %q", h, got, want)
		}
	}
}

func TestALabelInSmallLettersEndsWhereCapitalsBegin(t *testing.T) {
	p := pageOf(at(100, 60, 20, "Nom: DURAND"), at(100, 100, 20, "Prénom SJOERD"), at(100, 140, 20, "See M"))
	if d := cmp.Diff(claims{surname: "DURAND", givenNames: "SJOERD"}, stated(Read(p))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestOnVisasACommonWordIsALabelWhereADayFollows(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want claims
	}{
		"behind a number":              {"Visa No.: LA8277558 De / From: 13/09/2025", claims{documentNumber: "LA8277558", dateOfIssue: "2025-09-13"}},
		"behind a number, before none": {"Visa No.: LA8277558 From UTOPIA", claims{documentNumber: "LA8277558"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(at(300, 60, 30, "VISA"), at(300, 120, 22, c.line), at(300, 160, 22, "Surname: NOVAK"))
			p.Kind = idv.Visa
			c.want[surname] = "NOVAK"
			if d := cmp.Diff(c.want, stated(Read(p))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
