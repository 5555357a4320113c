package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestTheNumberedFieldsOfDrivingLicences(t *testing.T) {
	european := claims{
		surname: "BRØNDSTED", givenNames: "SØREN ÆGIDIUS", dateOfBirth: "1987-11-22", placeOfBirth: "ÆRØSKØBING", dateOfIssue: "2022-12-04", authority: "UTOPIA CITY",
		dateOfExpiry: "2037-12-03", personalNumber: "456789", documentNumber: "WR20031382", address: "12 Harbour Lane, 1234 Utopia City",
	}
	american := claims{
		surname: "SAMPLE", givenNames: "JANICE ANN", dateOfBirth: "1974-08-12", documentNumber: "D1234567", dateOfExpiry: "2030-08-12", dateOfIssue: "2022-07-04", sex: "F",
		address: "123 MAIN STREET, ANYTOWN, UP 12345",
	}
	for name, c := range map[string]struct {
		page   Page
		want   claims
		kind   idv.DocumentKind
		issuer string
	}{
		"of Europe": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(250, 75, 20, "UTOPIA"),
			at(350, 120, 22, "1. BRØNDSTED"), at(350, 150, 22, "2. SØREN ÆGIDIUS"), at(350, 180, 22, "3. 22.11.1987 ÆRØSKØBING"),
			at(350, 210, 22, "4a. 04.12.2022"), at(620, 210, 22, "4c. UTOPIA CITY"), at(350, 240, 22, "4b. 03.12.2037"), at(620, 240, 22, "4d. 456789"),
			at(350, 270, 22, "5. WR20031382"), at(350, 300, 18, "8. 12 Harbour Lane, 1234 Utopia City"), at(350, 330, 22, "9. AM/B1/B"),
		), european, idv.DrivingLicence, "UTO"},
		"of Europe, without its title, read without spaces": {pageOf(
			at(350, 120, 22, "1.BRØNDSTED"), at(350, 150, 22, "2.SØREN ÆGIDIUS"), at(350, 180, 22, "3.22.11.1987 ÆRØSKØBING"),
			at(350, 210, 22, "4a.04.12.2022 4c.UTOPIA CITY"), at(350, 240, 22, "4b.03.12.2037 4d.456789"),
			at(350, 270, 22, "5.WR20031382"), at(350, 300, 18, "8.12 Harbour Lane, 1234 Utopia City"), at(350, 330, 22, "9.AM/B1/B"),
		), european, idv.DrivingLicence, ""},
		"of Europe, whose numbers stand in lines of their own": {pageOf(
			at(250, 40, 30, "PERMIS DE CONDUIRE"), at(330, 120, 18, "1."), at(370, 120, 22, "BRØNDSTED"), at(330, 150, 18, "2."), at(370, 150, 22, "SØREN ÆGIDIUS"),
			at(330, 180, 18, "4b."), at(370, 180, 22, "03.12.2037"),
		), claims{surname: "BRØNDSTED", givenNames: "SØREN ÆGIDIUS", dateOfExpiry: "2037-12-03"}, idv.DrivingLicence, ""},
		"of Europe, whose numbers of one digit were not seen": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(390, 120, 22, "BRØNDSTED"), at(390, 150, 22, "SØREN ÆGIDIUS"), at(390, 180, 22, "22.11.1987 ÆRØSKØBING"),
			at(340, 210, 22, "4a."), at(390, 210, 22, "04.12.2022"), at(340, 240, 22, "4b."), at(390, 240, 22, "03.12.2037"),
		), claims{surname: "BRØNDSTED", givenNames: "SØREN ÆGIDIUS", dateOfBirth: "1987-11-22", placeOfBirth: "ÆRØSKØBING", dateOfIssue: "2022-12-04", dateOfExpiry: "2037-12-03"}, idv.DrivingLicence, ""},
		"of Europe, one of whose numbers was not seen and whose authority has that of another field": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(350, 120, 22, "1. BRØNDSTED"), at(390, 150, 22, "SØREN ÆGIDIUS"), at(350, 180, 22, "3. 02 11 1987 ÆRØSKØBING"),
			at(350, 210, 22, "4a. 04 12 2022"), at(620, 210, 22, "5 UTOPIA CITY"), at(350, 240, 22, "4b. 03 12 2037"),
		), claims{surname: "BRØNDSTED", givenNames: "SØREN ÆGIDIUS", dateOfBirth: "1987-11-02", placeOfBirth: "ÆRØSKØBING", dateOfIssue: "2022-12-04", dateOfExpiry: "2037-12-03", authority: "UTOPIA CITY"}, idv.DrivingLicence, ""},
		"of Europe, where another line stands in the column": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(390, 90, 22, "BRØNDSTED"), at(390, 120, 22, "SØREN"), at(390, 150, 22, "ÆGIDIUS"), at(390, 180, 22, "22.11.1987 ÆRØSKØBING"),
			at(340, 210, 22, "4a."), at(390, 210, 22, "04.12.2022"), at(340, 240, 22, "4b."), at(390, 240, 22, "03.12.2037"),
		), claims{dateOfIssue: "2022-12-04", dateOfExpiry: "2037-12-03"}, idv.DrivingLicence, ""},
		"of the United States": {pageOf(
			at(60, 40, 34, "CALIFORNIA"), at(560, 40, 30, "DRIVER LICENSE"), at(860, 70, 20, "USA"),
			at(350, 120, 22, "4d DLN D1234567"), at(700, 120, 22, "9 CLASS C"), at(350, 150, 22, "3 DOB 08/12/1974"), at(640, 150, 22, "4b EXP 08/12/2030"),
			at(350, 180, 22, "1 SAMPLE"), at(350, 210, 22, "2 JANICE ANN"), at(350, 240, 22, "8 123 MAIN STREET"), at(370, 266, 22, "ANYTOWN, UP 12345"),
			at(350, 300, 22, "4a ISS 07/04/2022"), at(640, 300, 22, "15 SEX F"), at(350, 330, 22, "16 HGT 5'-04\""), at(640, 330, 22, "18 EYES BLU"), at(350, 360, 22, "5 DD 12345678901234567890"),
		), american, idv.DrivingLicence, "USA"},
		"of the United States, whose numbers run into their labels": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 240, 22, "4a 1ISS 07/14/2022"), at(640, 240, 22, "15sEx F"), at(350, 270, 22, "4bEXP 08/12/2030"),
		), claims{dateOfIssue: "2022-07-14", sex: "F", dateOfExpiry: "2030-08-12"}, idv.DrivingLicence, ""},
		"of Canada, whose labels were misread behind their numbers": {pageOf(
			at(350, 60, 22, "4d LC No 6629295 9 CLAZZCATEG"), at(350, 100, 22, "3 DOB/DDN 1967/06/10"), at(350, 140, 22, "1NAME/NOM SOERENSEN"), at(350, 180, 22, "2LOIC"),
			at(350, 220, 22, "15 SEXX M"), at(350, 260, 22, "16 HGT/HAUT 164 cm"), at(350, 300, 22, "4a ISS/DÉL 2024/11/19"), at(650, 300, 22, "4b EXP/EXP 2029/11/18"),
		), claims{documentNumber: "6629295", dateOfBirth: "1967-06-10", surname: "SOERENSEN", givenNames: "LOIC", sex: "M", dateOfIssue: "2024-11-19", dateOfExpiry: "2029-11-18"}, idv.UnknownKind, ""},
		"of the United States, whose first number was not seen": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(380, 200, 22, "XHAFERAJ"), at(350, 240, 22, "2 ANNA MARIA"), at(350, 280, 22, "3 DOB 10/23/1979"),
		), claims{surname: "XHAFERAJ", givenNames: "ANNA MARIA", dateOfBirth: "1979-10-23"}, idv.DrivingLicence, ""},
		"of the United States, whose values stand below their numbers, of which the first was not seen": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 124, 24, "VAN DER BERG"), at(350, 160, 14, "2"), at(350, 184, 24, "CAOIMHIN"),
			at(350, 220, 14, "3 DOB"), at(350, 244, 24, "10/23/1979"), at(350, 280, 14, "4a ISS"), at(350, 304, 24, "07/14/2022"),
		), claims{surname: "VAN DER BERG", givenNames: "CAOIMHIN", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"}, idv.DrivingLicence, ""},
		"of the United States, the numbers of whose names were not seen": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 184, 24, "10/23/1979"), at(350, 160, 14, "3 DOB"), at(350, 244, 24, "DA CONCEICAO"), at(350, 304, 24, "MIN"),
			at(350, 340, 14, "4a ISS"), at(350, 364, 24, "07/14/2022"),
		), claims{surname: "DA CONCEICAO", givenNames: "MIN", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"}, idv.DrivingLicence, ""},
		"of the United States, where a third text stands beside the names": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 184, 24, "10/23/1979"), at(350, 160, 14, "3 DOB"), at(350, 244, 24, "DA CONCEICAO"), at(350, 304, 24, "MIN"), at(350, 364, 24, "ZENITH LAKE"),
			at(350, 400, 14, "4a ISS"), at(350, 424, 24, "07/14/2022"),
		), claims{dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"}, idv.DrivingLicence, ""},
		"of Canada, with an address that begins as a field and small print that does, too": {pageOf(
			at(460, 40, 30, "DRIVER'S LICENCE"), at(350, 124, 24, "1967-06-10"), at(350, 100, 14, "3 DOB/DDN"), at(350, 184, 24, "MC NAMARA"), at(350, 244, 24, "BLAZEJ"), at(350, 280, 10, "8"),
			at(350, 300, 24, "2 MILL STREET"), at(350, 332, 24, "UTOPIA CITY, UP,U4N 5L8"), at(350, 380, 24, "4a ISS 2025-10-26"), at(350, 420, 24, "15 SEX M"), at(100, 600, 8, "1ASPE"),
		), claims{dateOfBirth: "1967-06-10", surname: "MC NAMARA", givenNames: "BLAZEJ", address: "2 MILL STREET, UTOPIA CITY, UP,U4N 5L8", dateOfIssue: "2025-10-26", sex: "M"}, idv.DrivingLicence, ""},
		"of the United States, with a misread label before a day, and a 1 read as a letter": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 120, 22, "ı ZIRTNEX"), at(350, 160, 22, "2 GYOZO"), at(350, 200, 22, "3 D08 06/24/1983"), at(350, 240, 22, "4b EXP 12/12/2033"),
		), claims{surname: "ZIRTNEX", givenNames: "GYOZO", dateOfBirth: "1983-06-24", dateOfExpiry: "2033-12-12"}, idv.DrivingLicence, ""},
		"of the United States, whose labels show digits for letters": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 120, 14, "3D0B"), at(350, 144, 24, "08/26/1967"), at(600, 120, 14, "15 5EX"), at(600, 144, 24, "F"),
			at(350, 200, 22, "4a ISS 11/25/2023"),
		), claims{dateOfBirth: "1967-08-26", sex: "F", dateOfIssue: "2023-11-25"}, idv.DrivingLicence, ""},
		"of the United States, with a digit of the label before a day that has one of two forms": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 200, 22, "3 DO8 03/09/1998"), at(350, 240, 22, "4a ISS 11/25/2023"),
		), claims{dateOfBirth: "1998-03-09", dateOfIssue: "2023-11-25"}, idv.DrivingLicence, ""},
		"of Canada, by no more than its numbers": {pageOf(
			at(350, 60, 22, "PH0TO CARD"), at(350, 100, 22, "3 D08/DDN 1967-06-10"), at(350, 140, 22, "1 SOERENSEN"), at(350, 180, 22, "2-LOIC"),
			at(350, 220, 22, "15 SEVSĐE X"), at(650, 220, 22, "16 HGT/HAUT 164 cm"), at(350, 260, 22, "18 EYES/YEUX BLU"),
		), claims{dateOfBirth: "1967-06-10", surname: "SOERENSEN", givenNames: "LOIC", sex: "X"}, idv.UnknownKind, ""},
		"of Canada, where a stroke was misread before a name": {pageOf(
			at(460, 40, 30, "DRIVER'S LICENCE"), at(350, 120, 22, "NAME/NOM-BROENDSTED"), at(350, 160, 22, "SNEZANA LAYLA"), at(350, 220, 22, "3 DOB/DDN 1967-06-10"),
		), claims{dateOfBirth: "1967-06-10", surname: "BROENDSTED", givenNames: "SNEZANA LAYLA"}, idv.DrivingLicence, ""},
		"of Europe, whose first number was not seen": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(394, 120, 22, "ČYKŁI"), at(350, 180, 22, "2. YANN-MAËL"), at(350, 240, 22, "3. 10.01.1995 ZENITH"), at(350, 300, 22, "4a. 04.12.2022"),
		), claims{surname: "ČYKŁI", givenNames: "YANN-MAËL", dateOfBirth: "1995-01-10", placeOfBirth: "ZENITH", dateOfIssue: "2022-12-04"}, idv.DrivingLicence, ""},
		"of Canada, whose address shows no number, and a date behind another": {pageOf(
			at(460, 40, 30, "DRIVER'S LICENCE"), at(350, 120, 22, "161 HARBOUR LANE"), at(350, 150, 22, "UTOPIA CITY, UP, U9E 3K9"), at(350, 220, 22, "4aISS/DÉL 2025-10-17 4b ĐP/E 2030-10-16"),
			at(350, 260, 22, "15 SEX/SEXEF"),
		), claims{address: "161 HARBOUR LANE, UTOPIA CITY, UP, U9E 3K9", dateOfIssue: "2025-10-17", dateOfExpiry: "2030-10-16", sex: "F"}, idv.DrivingLicence, ""},
		"of Europe, whose authority shows no number but the field behind it does": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(350, 210, 22, "4a. 04.12.2022"), at(620, 210, 22, "PREFECTURE ZENITH 4d. 2806353808"),
		), claims{dateOfIssue: "2022-12-04", authority: "PREFECTURE ZENITH", personalNumber: "2806353808"}, idv.DrivingLicence, ""},
		"of Europe, of whose dates one number was not seen": {pageOf(
			at(250, 40, 30, "DRIVING LICENCE"), at(350, 210, 22, "4a. 04.12.2022"), at(390, 240, 22, "03.12.2037"), at(350, 270, 22, "5. WR20031382"),
		), claims{dateOfIssue: "2022-12-04", dateOfExpiry: "2037-12-03", documentNumber: "WR20031382"}, idv.DrivingLicence, ""},
		"of the United States, in December": {pageOf(
			at(560, 40, 30, "DRIVER LICENSE"), at(350, 240, 22, "3 DOB 12/21/2002"), at(350, 280, 22, "4b EXP 12/02/2034"),
		), claims{dateOfBirth: "2002-12-21", dateOfExpiry: "2034-12-02"}, idv.DrivingLicence, ""},
		"of the United States, with letters": {pageOf(
			at(60, 40, 34, "CALIFORNIA"), at(560, 40, 30, "IDENTIFICATION CARD"),
			at(350, 120, 22, "ID D1234567"), at(350, 150, 22, "EXP 08/12/2030"), at(350, 180, 22, "LN SAMPLE"), at(350, 210, 22, "FN JANICE ANN"),
			at(350, 240, 22, "DOB 08/12/1974"), at(350, 270, 22, "SEX F"), at(560, 270, 22, "HAIR BRN"), at(350, 300, 22, "ISS 07/04/2022"),
		), without(american, address), idv.IDCard, "USA"},
		"of Canada, whose days cannot be told apart": {pageOf(
			at(60, 40, 34, "ONTARIO"), at(460, 40, 30, "DRIVER'S LICENCE"),
			at(350, 120, 22, "1 NAME/NOM SAMPLE"), at(350, 150, 22, "2 JANICE ANN"), at(350, 180, 22, "4d NUMBER/NUMÉRO D1234-56789"), at(350, 210, 22, "3 DOB/DDN 1974/08/12"), at(350, 240, 22, "4b EXP/EXP 08/07/2030"),
		), claims{surname: "SAMPLE", givenNames: "JANICE ANN", documentNumber: "D123456789", dateOfBirth: "1974-08-12"}, idv.DrivingLicence, "CAN"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Read(c.page)
			if d := cmp.Diff(c.want, stated(r)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if r.Kind != c.kind || r.Issuer != c.issuer {
				t.Errorf("kind %q of %q, want %q of %q", r.Kind, r.Issuer, c.kind, c.issuer)
			}
		})
	}
}

func without(c claims, name idv.ClaimName) claims {
	out := claims{}
	for k, v := range c {
		if k != name {
			out[k] = v
		}
	}
	return out
}

func TestALineShowsItsFieldNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"1. BRØNDSTED": true, "4b.03.12.2037": true, "3.22.11.1987 UTOPIA": true, "5 WR20031382": true, "BRØNDSTED": false, "22.11.1987": false, "": false, "1.": false,
	} {
		if Numbered(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestKindAndIssuerAreToldByHeadings(t *testing.T) {
	for text, want := range map[string][2]string{
		"PASSPORT · PASSEPORT|UTOPIA · UTOPIE":            {"passport", "UTO"},
		"REISEPASS|BUNDESREPUBLIK DEUTSCHLAND":            {"passport", "D"},
		"RÉPUBLIQUE FRANÇAISE|CARTE NATIONALE D'IDENTITÉ": {"id_card", "FRA"},
		"RZECZPOSPOLITA POLSKA|DOWÓD OSOBISTY":            {"id_card", "POL"},
		"AUFENTHALTSTITEL|RESIDENCE PERMIT":               {"residence_permit", ""},
		"TITRE DE SÉJOUR":                                 {"residence_permit", ""},
		"VISA|SVERIGE":                                    {"visa", "SWE"},
		"PRAWO JAZDY|RZECZPOSPOLITA POLSKA":               {"driving_licence", "POL"},
		"ŘIDIČSKÝ PRŮKAZ|ČESKÁ REPUBLIKA":                 {"driving_licence", "CZE"},
		"KØREKORT|DANMARK":                                {"driving_licence", "DNK"},
		"ROMÂNIA|PERMIS DE CONDUCERE":                     {"driving_licence", "ROU"},
		"NEW YORK STATE|DRIVER LICENSE":                   {"driving_licence", "USA"},
		"BRITISH COLUMBIA|DRIVER'S LICENCE":               {"driving_licence", "CAN"},
		"TEXAS|IDENTIFICATION CARD":                       {"id_card", "USA"},
		"SUOMI FINLAND|HENKILÖKORTTI - IDENTITETSKORT":    {"id_card", "FIN"},
		"PASSPORT|GERMANY|FRANCE":                         {"passport", ""}, // two states are none
		"LIBRARY CARD|UTOPIA CITY":                        {"unknown", ""},
		"":                                                {"unknown", ""},
		"RESIDENCE PERMlT|UTOPIEN":                        {"residence_permit", "UTO"},
		"PERMISO DE CONDUCCIÓN|REINO DE ESPAÑA":           {"driving_licence", "ESP"},
	} {
		var lines []Line
		y := 40.0
		for _, l := range splitLines(text) {
			lines = append(lines, at(100, y, 30, l))
			y += 40
		}
		r := Read(pageOf(lines...))
		if string(r.Kind) != want[0] || r.Issuer != want[1] {
			t.Errorf("%q: %s of %q, want %s of %q", text, r.Kind, r.Issuer, want[0], want[1])
		}
	}
}

func TestWhatIsKnownIsNotToldAnew(t *testing.T) {
	p := pageOf(at(100, 40, 30, "DRIVING LICENCE"), at(100, 80, 30, "FRANCE"))
	p.Kind, p.Issuer = idv.Passport, "UTO"
	if r := Read(p); r.Kind != idv.Passport || r.Issuer != "UTO" {
		t.Errorf("%s of %s", r.Kind, r.Issuer)
	}
}

func TestTheTableOnALicencesBackStatesNoFact(t *testing.T) {
	legend := []Line{at(100, 100, 18, "1. Příjmení"), at(100, 150, 18, "2. Jméno"), at(100, 200, 18, "4a. Datum vydání"), at(100, 250, 18, "4b. Platnost do"), at(100, 300, 18, "5. Číslo dokladu")}
	for name, dates := range map[string][]Line{
		"with its categories": {at(400, 100, 18, "AM"), at(400, 140, 18, "B1"), at(400, 180, 18, "B"), at(500, 180, 20, "06.03.24"), at(620, 180, 20, "05.03.39")},
		"without them":        {at(500, 140, 20, "06.03.24"), at(620, 140, 20, "05.03.39"), at(500, 220, 20, "06.03.24"), at(620, 220, 20, "05.03.39"), at(300, 300, 20, "06.03.24")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stated(Read(pageOf(append(dates, legend...)...))); len(got) > 0 {
				t.Errorf("stated: %v", got)
			}
		})
	}
	front := pageOf(at(250, 40, 30, "ŘIDIČSKÝ PRŮKAZ"), at(350, 120, 22, "1. EK"), at(350, 150, 22, "2. BO"), at(350, 180, 22, "3. 06.03.1984"), at(350, 210, 22, "4a. 06.03.2024"), at(350, 240, 22, "4b. 05.03.2039"))
	if got := stated(Read(front)); got[dateOfBirth] != "1984-03-06" || got[dateOfExpiry] != "2039-03-05" {
		t.Errorf("the front: %v", got)
	}
}
