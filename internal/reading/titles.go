package reading

import (
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
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

// kindsOfDocuments are the kinds of documents that have titles.
var kindsOfDocuments = []idv.DocumentKind{idv.DrivingLicence, idv.ResidencePermit, idv.Visa, idv.IDCard, idv.Passport}

// titleStem is what a title of a kind of document has in one language.
type titleStem struct {
	kind     idv.DocumentKind
	language string   // ISO 639-1
	parts    []string // beginnings of words, folded, that count together; = marks a whole word
}

// titleStems are what titles of documents have, in all languages.
var titleStems = sync.OnceValue(func() []titleStem {
	var out []titleStem
	for _, kind := range kindsOfDocuments {
		for entry := range strings.FieldsSeq(titleTable[kind] + " " + easternTitles[kind]) {
			language, stems, _ := strings.Cut(entry, ":")
			out = append(out, titleStem{kind, language, strings.Split(lexicon.Fold(stems), "+")})
		}
	}
	return out
})

// besideTitles are words that titles have beside their stems.
var besideTitles = strings.Fields(`THE OF AND DE DU DES LA LE D DI DA DO EL Y E CARD CARTE CARTA KARTA KARTE KORT CARTEIRA TARJETA NATIONAL
	NATIONALE NAZIONALE PERMIT
		PERMIS PERMISO PERMESSO LICENCE LICENSE LICENCIA PATENTE TITRE TITULO DOCUMENT DOCUMENTO DRIVERS DRIVER OFFICIAL SERVICE SCHENGEN ID K
		POVOLENI DOZVOLA PRUKAZ PREUKAZ IGAZOLVANY ENGEDELY DOKUMENT BELGESI KARTI IZNI CITIZEN RESIDENT IDENTITY UE EU EUROPEAN UNION NACIONAL`)

// begins reports whether a folded word begins with a stem; a letter of a long one may be misread.
func (t titleStem) begins(part, plain string) bool {
	if whole, ok := strings.CutPrefix(part, "="); ok {
		return plain == whole
	}
	if strings.HasPrefix(plain, part) {
		return true
	}
	return len(part) >= 7 && len(plain) >= len(part)-1 && lexicon.Distance(plain[:min(len(plain), len(part))], part, 1) <= 1
}

// easternTitles completes titleTable.
var easternTitles = map[idv.DocumentKind]string{
	idv.Passport: "ru:=паспорт uk:=паспорт be:=пашпарт sr:=пасош mk:=пасош kk:төлқұжат el:διαβατήριο",
	idv.DrivingLicence: `ru:водительск+удостоверен uk:посвідчен+воді be:вадзіцел bg:свидетелств+управление sr:возачк mk:возачк
		kk:жүргізуш el:οδήγηση`,
	idv.ResidencePermit: "ru:вид+жительств uk:посвідк be:від+жыхарств bg:разрешен+пребива sr:дозвол+боравк mk:дозвол+престој el:άδει+διαμον",
	idv.IDCard: `ru:удостоверен+личност uk:посвідчен+особ uk:=ідентифікаційна be:пасведчанн+асоб bg:личн+карт sr:личн+карт mk:личн+карт
		kk:жеке+куәл el:δελτίο+ταυτότητ`,
}
