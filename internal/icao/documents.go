package icao

import "strings"

// DocumentKind is the kind of a document in the words of the product.
type DocumentKind string

// The kinds that a document code can tell. A driving licence is never told by
// an ICAO code; the constant is here so that all kinds have one home.
const (
	Passport        DocumentKind = "passport"
	IDCard          DocumentKind = "id_card"
	Visa            DocumentKind = "visa"
	ResidencePermit DocumentKind = "residence_permit"
	DrivingLicence  DocumentKind = "driving_licence"
	UnknownKind     DocumentKind = "unknown"
)

// DocumentType is a document code with its meaning.
type DocumentType struct {
	Code string // one or two characters, without fillers
	Kind DocumentKind
	Name string
}

// documentTypes lists the codes of two characters with a meaning of their own
// (ICAO 9303-4 §4.2.2, 9303-5 §4.2.2, and the residence permits that states
// issue as TD1 or TD2). Any other second letter is the issuer's own.
var documentTypes = map[string]DocumentType{
	"PP": {"PP", Passport, "Ordinary passport"},
	"PE": {"PE", Passport, "Emergency passport"},
	"PD": {"PD", Passport, "Diplomatic passport"},
	"PO": {"PO", Passport, "Official or service passport"},
	"PR": {"PR", Passport, "Refugee travel document"},
	"PT": {"PT", Passport, "Alien's travel document"},
	"PS": {"PS", Passport, "Stateless person's travel document"},
	"PL": {"PL", Passport, "Laissez-passer"},
	"PU": {"PU", Passport, "Travel document of an organisation"},
	"PM": {"PM", Passport, "Military passport"},
	"AC": {"AC", IDCard, "Crew member certificate"},
	"IP": {"IP", IDCard, "Passport card"},
	"ID": {"ID", IDCard, "Identity card"},
	"AR": {"AR", ResidencePermit, "Residence permit"},
	"AF": {"AF", ResidencePermit, "Residence permit"},
	"AS": {"AS", ResidencePermit, "Residence permit"},
	"IR": {"IR", ResidencePermit, "Residence permit"},
	"IS": {"IS", ResidencePermit, "Residence permit"},
	"IT": {"IT", ResidencePermit, "Residence permit"},
	"CR": {"CR", ResidencePermit, "Residence permit"},
	"C1": {"C1", ResidencePermit, "Permanent resident card"},            // United States
	"C2": {"C2", ResidencePermit, "Permanent resident card, commuters"}, // United States
	"RP": {"RP", ResidencePermit, "Residence permit"},
}

// DocumentTypeOf tells what a document code stands for. Fillers are ignored;
// a code that is not listed is told by its first letter.
func DocumentTypeOf(code string) DocumentType {
	code = strings.TrimRight(code, "<")
	if t, ok := documentTypes[code]; ok {
		return t
	}
	t := DocumentType{Code: code, Kind: UnknownKind, Name: "Document"}
	if code == "" {
		return t
	}
	switch code[0] {
	case 'P':
		t.Kind, t.Name = Passport, "Passport"
	case 'V':
		t.Kind, t.Name = Visa, "Visa"
	case 'I', 'A', 'C':
		t.Kind, t.Name = IDCard, "Identity card"
	case 'R':
		t.Kind, t.Name = ResidencePermit, "Residence permit"
	}
	return t
}
