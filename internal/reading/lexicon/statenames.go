package lexicon

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// stateTongues are the languages that documents write names of other states in: those of the states whose documents the reader knows.
const stateTongues = "en fr de es pt it nl pl cs sk hu ro sv da nb fi hr bs sr-Latn sl tr et lv lt is sq mt ga ca eu gl lb az id ms vi sw af " +
	"el ru uk be bg sr mk kk ky mn"

// leastStateName is how many letters a name of a state in other languages has at least: shorter ones are too often another word.
const leastStateName = 4

// translated are the names of states in stateTongues (Unicode CLDR), folded, with the code of each. Names that are two states' are left out.
func translated() map[string]string {
	out := map[string]string{}
	for tongue := range strings.FieldsSeq(stateTongues) {
		namer := display.Regions(language.MustParse(tongue))
		for _, s := range icao.States() {
			region, err := language.ParseRegion(alpha3(s.Code))
			if s.Kind == icao.Status || namer == nil || err != nil {
				continue
			}
			name := Letters(namer.Name(region))
			if len(name) < leastStateName {
				continue
			}
			if code, known := out[name]; known && code != s.Code {
				out[name] = ""
			} else {
				out[name] = s.Code
			}
		}
	}
	return out
}

// alpha3 is the code of ISO 3166-1 for one of ICAO 9303-3 §5.
func alpha3(code string) string {
	if code == "D" {
		return "DEU"
	}
	return code
}

// otherPeoples are the words by which documents of further states name their nationality.
const otherPeoples = `
AFG Afghan; Afghane
AGO Angolan; Angolana; Angolano; Angolaise
AND Andorrana; Andorrà; Andorrane
ARE Emirati; Émirienne
ARM Armenian; Arménienne
AZE Azerbaijani; Azerbaycanlı; Azerbaïdjanaise
BEN Béninoise; Béninois; Beninese
BFA Burkinabè; Burkinabé
BGD Bangladeshi
BLR Belarusian; Biélorusse
BOL Boliviana; Boliviano; Bolivian
BWA Motswana; Botswanan
CHL Chilena; Chileno; Chilean; Chilienne
CIV Ivoirienne; Ivoirien; Ivorian
CMR Camerounaise; Camerounais; Cameroonian
COD Congolaise; Congolais; Congolese
COL Colombiana; Colombiano; Colombian; Colombienne
CPV Caboverdiana; Caboverdiano; Cape Verdean
CRI Costarricense; Costa Rican
CUB Cubana; Cubano; Cuban
DOM Dominicana; Dominicano
DZA Algérienne; Algérien; Algerian
ECU Ecuatoriana; Ecuatoriano; Ecuadorian
EGY Egyptian; Égyptienne
ETH Ethiopian
FJI Fijian
GAB Gabonaise; Gabonais
GEO Georgian; Géorgienne
GHA Ghanaian
GIN Guinéenne; Guinéen
GTM Guatemalteca; Guatemalteco; Guatemalan
HND Hondureña; Hondureño; Honduran
HTI Haïtienne; Haïtien; Haitian
IDN Indonesian; Warga Negara Indonesia; WNI
IRN Iranian; Iranienne
IRQ Iraqi; Irakienne
JAM Jamaican
JOR Jordanian
KAZ Kazakhstani
KEN Kenyan; Mkenya
KGZ Kyrgyz
KOR Korean; Coréenne
LBN Lebanese; Libanaise
LBR Liberian
LBY Libyan
LIE Liechtensteiner; Liechtensteinerin
LKA Sri Lankan
MAR Marocaine; Marocain; Moroccan
MCO Monégasque
MDA Moldovan; Moldovenească; Moldave
MDG Malagasy; Malgache
MKD Macedonian; Macédonienne
MLI Malienne; Malien; Malian
MNE Montenegrin; Crnogorsko
MNG Mongolian
MOZ Moçambicana; Moçambicano; Mozambican
MRT Mauritanienne; Mauritanien
MUS Mauritian
MWI Malawian
MYS Malaysian; Warganegara Malaysia
NAM Namibian
NGA Nigerian; Nigériane
NIC Nicaragüense; Nicaraguan
NPL Nepali; Nepalese
PAK Pakistani
PAN Panameña; Panameño; Panamanian
PER Peruana; Peruano; Peruvian; Péruvienne
PHL Filipino; Filipina; Pilipino; Philippine
PRY Paraguaya; Paraguayo; Paraguayan
QAT Qatari
RKS Kosovar; Kosovare
RWA Rwandan; Rwandaise
SAU Saudi
SDN Sudanese
SEN Sénégalaise; Sénégalais; Senegalese
SGP Singaporean; Singapore citizen
SLV Salvadoreña; Salvadoreño; Salvadoran
SMR Sammarinese
SOM Somali
SYR Syrian; Syrienne
TCD Tchadienne; Tchadien
TGO Togolaise; Togolais
TJK Tajik
TKM Turkmen
TTO Trinidadian
TUN Tunisienne; Tunisien; Tunisian
TWN Taiwanese
TZA Tanzanian; Mtanzania
UGA Ugandan
URY Uruguaya; Uruguayo; Uruguayan; Oriental
UZB Uzbek
VEN Venezolana; Venezolano; Venezuelan
VNM Vietnamese; Việt Nam; Vietnamienne
YEM Yemeni
ZAF Suid-Afrikaner; Suid-Afrikaans
ZMB Zambian
ZWE Zimbabwean
`
