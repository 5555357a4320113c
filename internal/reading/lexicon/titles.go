package lexicon

import (
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// titleTable has, for each kind of document, the beginnings of words of its titles, folded, by language. Words that count only together
// are joined by +, which may be on rows below each other; = marks a whole word.
var titleTable = map[idv.DocumentKind]string{
	idv.Passport: `en:passport fr:passepor de:reisepass es:pasaport it:passaport pt:passaport pl:paszport nl:paspoort cs:cestovn+=pas sk:cestovn+=pas
		hu:utlevel ro:pasaport hr:putovnic sl:potni+=list sv:=pass nb:=pass da:=pas fi:=passi lv:=pase lt:=pasas et:=pass is:vegabref
		tr:pasaport mt:passaport sq:pasaport id:paspor bg:=pasport vi:=ho+chieu ga:=pas el:diavatirio`,
	idv.DrivingLicence: `en:driv+licen en:driving en:driv+permit en:operator+licen en:learner+permit fr:conduire de:fuhrerschein de:fuhrerausweis es:conducir
		es:conduccion it:guida pt:conducao pt:habilitac nl:rijbewijs pl:jazdy cs:ridicsk sk:vodicsk hu:vezetoi ro:conducere hr:vozack
		sl:voznisk sr:vozack sv:korkort da:korekort nb:forerkort fi:ajokort et:juhilub lv:vaditaj lt:vairuotoj mt:sewqan ga:tioman tr:surucu
		is:okuskirt sq:drejtim id:mengemudi`,
	idv.ResidencePermit: `en:residen+permit en:residen+card en:permanent+residen en:permit+reside fr:sejour fr:resident de:aufenthalt de:niederlassung
		es:residenc+permis es:residenc+tarjet es:extranjer it:soggiorno pt:residenc+titul pt:residenc+autoriz nl:verblijf pl:pobytu cs:pobyt
		sk:pobyt hu:tartozkod ro:sedere hr:boravk sr:boravak sl:prebivan sv:uppehall da:opholds nb:opphold fi:oleskel et:elamislub lv:uztures
		lt:gyvent is:dvalarleyf tr:ikamet sq:qendrim`,
	idv.Visa: `en:=visa fr:=visa de:=visum es:=visado es:=visa it:=visto pt:=visto nl:=visum pl:=wiza cs:=vizum sk:=vizum hu:=vizum ro:=viza hr:=viza
		sl:=vizum sv:visering da:=visum nb:=visum fi:=viisumi et:=viisa lv:=viza lt:=viza tr:=vize`,
	idv.IDCard: `en:identi+card en:national+=id en:citizen+card en:registration+card en:passport+card en:=id+card en:=photo+card fr:carte+=photo
		fr:carte+passepor de:passkart es:tarjeta+pasaport it:carta+passaport pt:cartao+passaport nl:paspoortkaart pl:kart+paszport
		cs:cestovn+kart hu:utlevelkart ro:card+pasaport sv:passkort da:paskort nb:passkort fi:passikort tr:pasaport+kart fr:identit+carte
		de:personalausweis de:identitat es:identidad es:cedula es:ciudadan it:identita pt:identidade pt:cidadao pt:bilhete nl:identiteit
		pl:dowod+osob cs:obcansk sk:obciansk hu:szemelyazon hu:szemelyi ro:identitate hr:osobna+iskaz sr:licna+kart sl:osebna+izkaz
		sv:identitet da:identitet da:legitimation nb:=id+kort sv:idkort nb:idkort sv:=id+kort fi:henkilokort et:isikutunn lv:personas+aplieci
		lt:tapatyb mt:identita ga:aitheant tr:kimlik tr:nufus is:nafnskirt sq:leternjoft sq:identitet id:=kartu+penduduk vi:=can+cuoc
		sw:kitambul`,
}

// KindsOfDocuments are the kinds of documents that have titles.
var KindsOfDocuments = []idv.DocumentKind{idv.DrivingLicence, idv.ResidencePermit, idv.Visa, idv.IDCard, idv.Passport}

// tongues are the states that issue documents in a language, beside those that do in English.
var tongues = map[string]string{
	"fr": "FRA BEL CHE LUX MCO CAN", "de": "D AUT CHE LIE LUX BEL", "es": "ESP MEX ARG CHL COL PER URY VEN",
	"it": "ITA CHE SMR", "pt": "PRT BRA", "nl": "NLD BEL",
	"pl": "POL", "cs": "CZE", "sk": "SVK", "hu": "HUN", "ro": "ROU MDA", "hr": "HRV BIH",
	"sr": "SRB MNE BIH", "sl": "SVN", "sv": "SWE FIN", "da": "DNK", "nb": "NOR",
	"fi": "FIN", "et": "EST", "lv": "LVA", "lt": "LTU", "mt": "MLT", "ga": "IRL", "is": "ISL", "tr": "TUR CYP", "sq": "ALB RKS", "id": "IDN", "vi": "VNM",
	"el": "GRC CYP", "bg": "BGR", "sw": "KEN TZA",
}

// StatesOf are the codes of the states that issue documents in a language, by its ISO 639-1 code; none for English, in which all do.
func StatesOf(language string) []string {
	return strings.Fields(tongues[language] + " " + easternTongues[language])
}

// TitleStem is what a title of a kind of document has in one language.
type TitleStem struct {
	Kind     idv.DocumentKind
	Language string   // ISO 639-1
	Parts    []string // beginnings of words, folded, that count together; = marks a whole word
}

// TitleStems returns what titles of documents have, in all languages.
func TitleStems() []TitleStem { return titleStems() }

var titleStems = sync.OnceValue(func() []TitleStem {
	var out []TitleStem
	for _, kind := range KindsOfDocuments {
		for entry := range strings.FieldsSeq(titleTable[kind] + " " + easternTitles[kind]) {
			language, stems, _ := strings.Cut(entry, ":")
			out = append(out, TitleStem{kind, language, strings.Split(Fold(stems), "+")})
		}
	}
	return out
})

// BesideTitles are words that titles have beside their stems.
var BesideTitles = strings.Fields(`THE OF AND DE DU DES LA LE D DI DA DO EL Y E CARD CARTE CARTA KARTA KARTE KORT CARTEIRA TARJETA NATIONAL
	NATIONALE NAZIONALE PERMIT
		PERMIS PERMISO PERMESSO LICENCE LICENSE LICENCIA PATENTE TITRE TITULO DOCUMENT DOCUMENTO DRIVERS DRIVER OFFICIAL SERVICE SCHENGEN ID K
		POVOLENI DOZVOLA PRUKAZ PREUKAZ IGAZOLVANY ENGEDELY DOKUMENT BELGESI KARTI IZNI CITIZEN RESIDENT IDENTITY UE EU EUROPEAN UNION NACIONAL`)

// Begins reports whether a folded word begins with a stem; a letter of a long one may be misread.
func (t TitleStem) Begins(part, plain string) bool {
	if whole, ok := strings.CutPrefix(part, "="); ok {
		return plain == whole
	}
	if strings.HasPrefix(plain, part) {
		return true
	}
	return len(part) >= 7 && len(plain) >= len(part)-1 && Distance(plain[:min(len(plain), len(part))], part, 1) <= 1
}
