package viz

import "slices"

// foreverWords say that a document does not run out.
var foreverWords = []string{
	"UNBEFRISTET", "UNBEGRENZT", "UNLIMITED", "INDEFINITE", "NOEXPIRY", "ILLIMITE", "ILLIMITEE", "ILIMITADA", "ILIMITADO", "ILLIMITATA", "ILLIMITATO", "INDEFINIDA", "INDEFINIDO",
	"PERMANENTE", "PERMANENT", "VITALICIO", "VITALICIA", "ONBEPERKT", "BEZTERMINOWO", "NIEOKRESLONY", "CZASNIEOKRESLONY", "NEOMEZENA", "NEOMEZENE", "NEOBMEDZENA", "TRAJNO", "TRAJNA",
	"BEZOGRANICENJA", "NELIMITATA", "NELIMITAT", "TILLSVIDARE", "OBEGRANSAD", "UBEGRAENSET", "UBEGRENSET", "RAJATON", "TOISTAISEKSI", "SURESIZ", "TAHTAJATU", "HATARIDONELKULI", "HATARIDONELKUL", "VARIG", "PYSYVA",
}

// saysForever reports whether a text stands where a last day would and says that there is none.
func saysForever(text string) bool { return slices.Contains(foreverWords, letters(text)) }
