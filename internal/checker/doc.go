// Package checker answers the questions about a session that need no pixels: what was read, measured and stated is enough.
//
// The first half asks about one document: is each picture readable, is the kind accepted, was the machine-readable zone read
// beyond doubt, are the dates possible, do the signs of a copy, of an exchanged portrait or of editing fire. The second half compares
// what different sources state about one person: the integrator's claims, print, the machine-readable zone, the barcode, the chip, a wallet.
//
// Two statements of a fact are never compared for equality. Names agree when one is an allowed transliteration of the other,
// cut or ordered as ICAO 9303-3 §4.6 allows; dates when their known parts are the same; numbers when only spaces, dashes and
// letters that look like digits differ. A pair that cannot be compared (a name in Chinese letters beside its Latin form) says
// nothing. Agreement shows consistency, never authenticity: a barcode is unsigned.
package checker

import (
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// Models are the cards of the models whose answers the checkers of a document judge. A zero card is one that is not known.
type Models struct {
	ZoneReaders  []modelcard.Card // the readers of the machine-readable zone, stated in findings about it
	FaceTemplate modelcard.Card   // its calibration says how alike two portraits of one person are
}

// OfDocument returns the checkers that judge what was read from the pictures of one document.
func OfDocument(m Models) []idv.Checker {
	zone := MRZVerified{}
	for _, c := range m.ZoneReaders {
		zone.models = append(zone.models, refOf(c))
	}
	return []idv.Checker{
		DocumentReadable{}, DocumentAccepted{}, zone, DatesPlausible{}, DocumentExpiry{}, DocumentSpecimen{},
		DocumentOriginal{}, PortraitOriginal{template: m.FaceTemplate}, DocumentEdits{},
	}
}

// OfStatements returns the checkers that compare what different sources state.
func OfStatements() []idv.Checker {
	return []idv.Checker{FactsAgree{}, SidesBelong{}, ClaimsMatch{}, AgeLimit{}}
}

// OfChip returns the checkers that judge what was found about a chip.
func OfChip() []idv.Checker {
	return []idv.Checker{ChipAuthentic{}, ChipCopy{}, ChipRevocation{}, ChipZone{}}
}

func refOf(c modelcard.Card) idv.ModelRef {
	return idv.ModelRef{Name: c.Name, Version: c.Version, SHA256: idv.Digest(c.SHA256)}
}
