package lexicon

import (
	"maps"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// ownNames are how states call themselves on their documents, beside their English names of ICAO 9303-3 §5.
const ownNames = `
ALB Shqipëria; Republika e Shqipërisë; Albanie; Republic of Albania
AND Andorra; Principat d'Andorra
ARG República Argentina; Argentine
ARM Armenia; Republic of Armenia
AUS Australia; Commonwealth of Australia
AUT Österreich; Republik Österreich; Autriche; Republic of Austria
BEL België; Belgique; Belgien; Koninkrijk België; Royaume de Belgique; Kingdom of Belgium; Königreich Belgien
BGR Republic of Bulgaria; Bulgarie; Republika Balgaria
BIH Bosna i Hercegovina; Bosnia and Herzegovina
BRA Brasil; República Federativa do Brasil; Brésil
CAN Canada
CHE Schweiz; Suisse; Svizzera; Svizra; Schweizerische Eidgenossenschaft; Confédération suisse; Confederazione Svizzera; Swiss Confederation
CHL República de Chile; Chile
CHN China; People's Republic of China; Chine
COL República de Colombia; Colombia
CYP Cyprus; Republic of Cyprus; Kypros; Kypriaki Dimokratia; Chypre
CZE Česká republika; Czech Republic; Česko; République tchèque; Czechia
D Deutschland; Bundesrepublik Deutschland; Federal Republic of Germany; République fédérale d'Allemagne; Allemagne; Germany
DNK Danmark; Kongeriget Danmark; Kingdom of Denmark; Danemark
ESP España; Reino de España; Kingdom of Spain; Espagne; Espanya
EST Eesti; Eesti Vabariik; Republic of Estonia; Estonie
FIN Suomi; Finland; Suomi Finland; Finlande; Suomen tasavalta
FRA France; République française; French Republic; République française liberté égalité fraternité
GBR United Kingdom; United Kingdom of Great Britain and Northern Ireland; Great Britain; Royaume-Uni; UK; UK of Great Britain and Northern Ireland
GEO Georgia; Sakartvelo
GRC Greece; Hellenic Republic; Ellas; Elliniki Dimokratia; Grèce; Hellas
HRV Hrvatska; Republika Hrvatska; Republic of Croatia; Croatie
HUN Magyarország; Magyar Köztársaság; Republic of Hungary; Hongrie
IND India; Republic of India; Bharat
IRL Éire; Ireland; Irlande; Eire Ireland
ISL Ísland; Lýðveldið Ísland; Republic of Iceland; Islande
ISR State of Israel; Israel; Israël
ITA Italia; Repubblica Italiana; Italian Republic; Italie
JPN Japan; Nippon; Japon
KOR Republic of Korea; République de Corée
LIE Fürstentum Liechtenstein; Principality of Liechtenstein
LTU Lietuva; Lietuvos Respublika; Republic of Lithuania; Lituanie
LUX Luxembourg; Grand-Duché de Luxembourg; Lëtzebuerg; Luxemburg; Grossherzogtum Luxemburg; Groussherzogtum Lëtzebuerg
LVA Latvija; Latvijas Republika; Republic of Latvia; Lettonie
MCO Principauté de Monaco
MDA Moldova; Republica Moldova; Republic of Moldova
MEX México; Estados Unidos Mexicanos; Mexique
MKD North Macedonia; Republic of North Macedonia; Republika Severna Makedonija
MLT Malta; Repubblika ta' Malta; Republic of Malta; Malte
MNE Crna Gora; Montenegro; Monténégro
NLD Nederland; Koninkrijk der Nederlanden; Kingdom of the Netherlands; Royaume des Pays-Bas; Pays-Bas; Netherlands; The Netherlands
NOR Norge; Noreg; Kongeriket Norge; Kingdom of Norway; Norvège
NZL New Zealand; Aotearoa; Nouvelle-Zélande; New Zealand Aotearoa; Aotearoa New Zealand
PER República del Perú; Perú
POL Polska; Rzeczpospolita Polska; Republic of Poland; Pologne; République de Pologne
PRT Portugal; República Portuguesa; Portuguese Republic
RKS Kosova; Republika e Kosovës; Republic of Kosovo
ROU România; Romania; Roumanie
RUS Russian Federation; Rossiyskaya Federatsiya; Fédération de Russie
SMR Repubblica di San Marino; San Marino
SRB Srbija; Republika Srbija; Republic of Serbia; Serbie
SVK Slovensko; Slovenská republika; Slovak Republic; Slovaquie
SVN Slovenija; Republika Slovenija; Republic of Slovenia; Slovénie
SWE Sverige; Konungariket Sverige; Kingdom of Sweden; Suède
THA Thailand; Kingdom of Thailand; Thaïlande
TUR Türkiye; Türkiye Cumhuriyeti; Republic of Turkey; Republic of Türkiye; Turquie; Turkey
UKR Ukraina; Ukraine; Ukrayina
URY República Oriental del Uruguay
USA United States of America; États-Unis d'Amérique; United States; The United States of America; Estados Unidos
UTO Utopia; Utopie; Utopía; Utopien; Utopië; Utópia; Ütopya; Republic of Utopia; République d'Utopie; Republik Utopia
VEN República Bolivariana de Venezuela
ZAF South Africa; Republic of South Africa
`

// peoples are the words by which documents name a nationality, in English, French and the state's own languages.
const peoples = `
ALB Albanian; Albanaise; Albanais; Shqiptare; Shqiptar
ARG Argentine; Argentina; Argentino; Argentinian
AUS Australian; Australienne
AUT Österreich; Österreicher; Österreicherin; Austrian; Autrichienne; Autrichien; österreichisch
BEL Belg; Belge; Belgian; Belgier; Belgische; Belgisch; Belgierin
BGR Bulgarian; Bulgare; Balgarsko; Bulgarische
BIH Bosnia and Herzegovina; BiH
BRA Brasileiro; Brasileira; Brazilian; Brasileiro(a); Brésilienne
CAN Canadian; Canadienne; Canadien
CHE Schweizer; Schweiz; Suisse; Swiss; Svizzera; Svizzero
CHN Chinese; Chinoise
CYP Cypriot; Chypriote; Kypria; Kyprios
CZE Česká republika; česká; česke; Czech; Tchèque; Česko
D deutsch; German; Allemande; Allemand; Deutsche; Deutscher
DNK Dansk; Danish; Danoise; Danois
ESP Española; Español; Spanish; Espagnole; Espagnol; Espainiarra; Espanyola
EST Eesti; Estonian; Estonienne
FIN Suomi; Finland; Finnish; Finsk; Finlandaise; Suomalainen
FRA Française; Français; French
GBR British citizen; British; Britannique; United Kingdom
GRC Hellenic; Greek; Elliniki; Grecque; Hellénique
HRV Hrvatsko; Hrvatsko državljanstvo; Croatian; Croate; Hrvatska; HRV
HUN Magyar; Hungarian; Hongroise; Hongrois
IND Indian; Indienne
IRL Éireannach; Irish; Irlandaise; Irlandais; Éireannach Irish
ISL Íslenskt; Íslensk; Íslendingur; Icelandic; Islandaise; Ísland
ISR Israeli; Israélienne
ITA Italiana; Italiano; Italian; Italienne; Italien
JPN Japanese; Japan; Japonaise
LTU Lietuvos; Lietuvos Respublikos; Lithuanian; Lituanienne; LR; Lietuvos Respublika
LUX Luxembourgeoise; Luxembourgeois; Luxembourgish; Lëtzebuerger; Luxemburgisch
LVA Latvijas; Latvian; Latvijas pilsonis; Lettonne
MEX Mexicana; Mexicano; Mexican
MLT Maltija; Maltese; Maltija Maltese; Maltaise
NLD Nederlandse; Nederlander; Dutch; Nederlands; Néerlandaise; Néerlandais
NOR Norsk; Norwegian; Norvégienne
NZL New Zealander; New Zealand
POL Polskie; Polska; Polish; Polonaise; Polonais; obywatelstwo polskie
PRT Portuguesa; Português; Portuguese; Portugaise; Portugais; Portuguesa(o)
ROU Română; Român; Romanian; Roumaine; Roumain
RUS Russian; Russe; Russian Federation
SRB Srpsko; Serbian; Republike Srbije; Serbe
SVK Slovenská republika; slovenská; slovenské; Slovak; Slovaque
SVN slovensko; Slovenian; Slovene; Republike Slovenije; Slovénienne; slovenska
SWE Svensk; Swedish; Suédoise; Suédois
THA Thai; Thaïlandaise
TUR T.C.; TC; Türk; Turkish; Turque; TUR; Türkiye Cumhuriyeti
UKR Ukrainian; Ukraina; Ukrainienne; Ukraine
USA United States of America; American; Américaine; États-Unis d'Amérique; USA
UTO Utopian; Utopienne; Utopien; Utopisch; Utopia; Utopiana; Utopiano; Utópica; Utopijska; Utopijskie; Utopisk; Utopialainen; Utopische
UTO Utopské; Utópiai; Utopiană; Ütopyalı
ZAF South African
XXA Stateless; Apatride; Staatenlos; Staatenlose; Apátrida; Apolide; Staatloos; Bezpaństwowiec
`

// regions of North America issue their own cards.
const regions = `
USA Alabama; Alaska; Arizona; Arkansas; California; Colorado; Connecticut; Delaware; District of Columbia; Florida; Georgia; Hawaii; Idaho
USA Illinois; Indiana; Iowa; Kansas; Kentucky; Louisiana; Maine; Maryland; Massachusetts; Michigan; Minnesota; Mississippi; Missouri; Montana
USA Nebraska; Nevada; New Hampshire; New Jersey; New Mexico; New York; New York State; North Carolina; North Dakota; Ohio; Oklahoma; Oregon
USA Pennsylvania; Rhode Island; South Carolina; South Dakota; Tennessee; Texas; Utah; Vermont; Virginia; Washington; West Virginia; Wisconsin
USA Wyoming; Guam; Puerto Rico; American Samoa; USA; Commonwealth of Virginia; Commonwealth of Pennsylvania; Commonwealth of Massachusetts
USA Commonwealth of Kentucky
CAN Alberta; British Columbia; Manitoba; New Brunswick; Nouveau-Brunswick; Newfoundland and Labrador; Newfoundland Labrador
CAN Northwest Territories; Nova Scotia; Nunavut; Ontario; Prince Edward Island; Québec; Saskatchewan; Yukon; Canada; CAN
`

func namesIn(table string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(table) {
		code, names, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, ";") {
			if l := Letters(name); len(l) > 1 {
				out[l] = code
			}
		}
	}
	return out
}

// StateNames returns the codes of states (ICAO 9303-3, section 5) by their names, folded:
// names in other languages, then English ones, then what states call themselves.
func StateNames() map[string]string { return stateNames() }

var stateNames = sync.OnceValue(func() map[string]string {
	out := translated()
	maps.DeleteFunc(out, func(_, code string) bool { return code == "" })
	for _, s := range icao.States() {
		if s.Kind != icao.Status {
			out[Letters(s.Name)] = s.Code
		}
	}
	for name, code := range namesIn(ownNames + easternStates) {
		out[name] = code
	}
	return out
})

// PeopleNames returns the codes of states by the names of their peoples, folded.
func PeopleNames() map[string]string { return peopleNames() }

var peopleNames = sync.OnceValue(func() map[string]string { return namesIn(otherPeoples + peoples + easternPeoples) })

// Provinces returns the codes of states by the names of those of their regions that issue documents, folded.
func Provinces() map[string]string { return provinces() }

var provinces = sync.OnceValue(func() map[string]string { return namesIn(regions) })

// NationalityOf returns the code of the state that a text names, as one or as a nationality, in one language or several; empty where it names none, or two.
func NationalityOf(text string) string {
	found := ""
	for part := range strings.FieldsFuncSeq(text, partsNations) {
		code, ok := nationOf(part)
		switch {
		case !ok:
		case found == "":
			found = code
		case found != code:
			return ""
		}
	}
	if found == "" && strings.ContainsFunc(text, partsNations) {
		found, _ = nationOf(text)
	}
	return found
}

// partsNations are the signs between a nationality in one language and in another.
func partsNations(r rune) bool { return strings.ContainsRune("/|·,()", r) }

func nationOf(text string) (string, bool) {
	folded := Letters(text)
	if len(folded) < 1 {
		return "", false
	}
	if code, ok := PeopleNames()[folded]; ok {
		return code, true
	}
	if code, ok := StateNames()[folded]; ok {
		return code, true
	}
	if s, ok := icao.StateByCode(folded); ok && (len(folded) == 3 || folded == "D") {
		return s.Code, true
	}
	return nearNation(folded)
}

// nearNation forgives one letter in long words, where only one state is meant.
func nearNation(folded string) (string, bool) {
	if len(folded) < leastNear {
		return "", false
	}
	found := ""
	for _, key := range ends(folded) {
		for _, n := range namesByEnd()[key] {
			if Distance(folded, n.name, 1) > 1 {
				continue
			}
			if found != "" && found != n.code {
				return "", false
			}
			found = n.code
		}
	}
	return found, found != ""
}

// leastNear is how many letters a name has at least of which one may be misread.
const leastNear = 7

// nation is a name of a state or of its people.
type nation struct{ name, code string }

// namesByEnd are the long names by both their ends: one letter is wrong in one of them at most.
var namesByEnd = sync.OnceValue(func() map[string][]nation {
	out := map[string][]nation{}
	for _, table := range []map[string]string{PeopleNames(), StateNames()} {
		for name, code := range table {
			if len(name) < leastNear {
				continue
			}
			for _, key := range ends(name) {
				out[key] = append(out[key], nation{name, code})
			}
		}
	}
	return out
})

func ends(name string) [2]string { return [2]string{name[:3] + "-", "-" + name[len(name)-3:]} }
