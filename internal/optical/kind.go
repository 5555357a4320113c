package optical

import (
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// kindWords are titles that documents print, without diacritics and spaces, in the order in which they are looked for: a
// residence permit may say IDENTITY CARD too.
var kindWords = []struct {
	kind  idv.DocumentKind
	words []string
}{
	{idv.DrivingLicence, []string{
		"DRIVINGLICENCE", "DRIVINGLICENSE", "DRIVERLICENSE", "DRIVERSLICENSE", "DRIVERLICENCE", "DRIVERSLICENCE", "PERMISDECONDUIRE", "FUHRERSCHEIN",
		"FUEHRERSCHEIN", "PATENTEDIGUIDA", "PERMISODECONDUCCION", "LICENCIADECONDUCIR", "RIJBEWIJS", "KORKORT", "KOREKORT", "FORERKORT", "AJOKORTTI",
		"PRAWOJAZDY", "CARTADECONDUCAO", "RIDICSKYPRUKAZ", "VODICSKYPREUKAZ", "VOZNISKODOVOLJENJE", "VEZETOIENGEDELY", "PERMISDECONDUCERE", "JUHILUBA",
	}},
	{idv.ResidencePermit, []string{"RESIDENCEPERMIT", "AUFENTHALTSTITEL", "TITREDESEJOUR", "PERMESSODISOGGIORNO", "PERMISODERESIDENCIA", "VERBLIJFSTITEL", "PERMANENTRESIDENT"}},
	{idv.IDCard, []string{
		"IDENTITYCARD", "IDENTITEITSKAART", "CARTEDIDENTITE", "CARTENATIONALEDIDENTITE", "PERSONALAUSWEIS", "CARTADIDENTITA",
		"DOCUMENTONACIONALDEIDENTIDAD", "CARTAODECIDADAO", "DOWODOSOBISTY", "OBCANSKYPRUKAZ", "OSEBNAIZKAZNICA", "OSOBNAISKAZNICA", "HENKILOKORTTI", "CARTEDEIDENTITATE",
	}},
	{idv.Passport, []string{"PASSPORT", "PASSEPORT", "REISEPASS", "PASAPORTE", "PASSAPORTO", "PASSAPORTE", "PASZPORT", "PASPOORT"}},
}

// classify tells the kind of a page that has no machine-readable zone from the title that it prints.
func (w *work) classify() {
	if w.page.Kind != idv.UnknownKind {
		return
	}
	for _, k := range kindWords {
		for _, line := range w.page.Lines {
			for _, word := range k.words {
				if strings.Contains(letters(line.Text), word) {
					w.page.Kind = k.kind
					return
				}
			}
		}
	}
}
