package reading

import (
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// What pages in Cyrillic and Greek call their fields and themselves, as they print it. Fold writes it in Latin letters, as it does the lines of a
// page, so that all else is as for Latin print. Of these languages, as of the others, the fields are those of ICAO 9303-4 to -7, of directive
// 2006/126/EC, annex I, and of the states' identity cards.

// Twins are letters that print shows alike, in each of Latin, Cyrillic and Greek; _ where a script has none.
var Twins = strings.Fields(`
	AАΑ BВΒ CС_ EЕΕ HНΗ IІΙ JЈ_ KКΚ MМΜ N_Ν OОΟ PРΡ SЅ_ TТΤ XХΧ YУΥ Z_Ζ _ГΓ _ЛΛ _ПΠ _ФΦ aа_ cс_ eе_ iі_ jј_ oоο pр_ sѕ_ xх_ yу_ v_ν u_υ`)

// latinTwins is the Latin twin of Cyrillic and Greek letters.
var latinTwins = func() map[rune]rune {
	out := map[rune]rune{}
	for _, row := range Twins {
		all := []rune(row)
		for _, r := range all[1:] {
			if r != '_' && all[0] != '_' {
				out[r] = all[0]
			}
		}
	}
	return out
}()

// asLatin is a text with Latin letters for their twins, if it has no Cyrillic or Greek letter without one: no reader can tell which they are.
func asLatin(text string) (string, bool) {
	latin := strings.Map(func(r rune) rune {
		if twin, ok := latinTwins[r]; ok {
			return twin
		}
		return r
	}, text)
	return latin, isLatin(latin)
}

// easternStems completes stemTable: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh and Greek.
var easternStems = map[concept]string{
	cBirth:  `рожден =родился =родилась народж нараджэн =раждане =роден =родена рођењ раѓањ =туған =туылған γέννησ γεννήσε =γεννηθείς`,
	cDate:   `=дата =датум =күні =число ημερομην`,
	cPlace:  `=место =місце =месца място =жері τόπος =град`,
	cIssue:  `выдач =выдан =выдано видач =видано =видав выдадзен издаван =издаден =издадена издавањ =издато =берілген έκδοσ εκδόσε =εκδόθηκε`,
	cExpiry: `действ =годен дійсн =закінчення дзеян сапраўд валидн =валиден =важи важењ важност қолданыл жарамд λήξη λήξεω =ισχύει ισχύο ισχύς`,
	cFrom:   `=с =від =од =от =από`,
	cUntil:  `=до =да =дейін =έως =μέχρι`,
	cNumber: `=номер =нумар =число =број =бр =нөмірі =номері αριθμ =αρ =серия =серія =серыя`,
	cDocument: `паспорт пашпарт =пасош пасоша пасошот төлқұжат документ дакумент құжат посвідчен удостоверен пасведчан =карта картка картата =куәлік
		свидетелств дозвол =исправа =исправе διαβατηρ ταυτότητ δελτίο =δελτίου έγγραφο εγγράφου αδεία =άδεια =άδειας`,
	cPersonal:  `ідэнтыфікац идентификац =личен личен =лични матичн матичен =егн =јмбг =ембг =жсн =иин =рнокпп =снилс =инн =запис =μητρώου =αφμ =αμκα`,
	cName:      `=имя =ім'я =імя =имена =аты =есімі =όνομα =ονόματος`,
	cSurname:   `фамил прізвищ прозвішч =презиме =тегі επώνυμ =επωνύμου`,
	cGiven:     `=имя =ім'я =імя =име =имена собствен =власне =уласнае =лично =дато =аты =есімі =κύριο =όνομα`,
	cSex:       `=пол =стать =жынысы =φύλο =φύλου`,
	cNation:    `гражданств громадянств грамадзянств држављанств државјанств азаматты =националност =ұлты ιθαγέν υπηκοότ`,
	cAddress:   `=адрес =адреса =адрас жительств проживан жыхарств пребивалишт живеалишт тұрғылықт κατοικ διεύθυνσ =διεύθυνση διαμονής`,
	cAuthority: `=орган =органом =органот =издаје =издал =издала =отделом =ведомство =берген =підрозділ подраздел =αρχή =αρχής αρχή`,
	cState:     `=государства =держави =дзяржавы =държавата =државе =држава =мемлекет =страна =країна =χώρα =χώρας`,
	cCode:      `=код =коды =κωδικός`,
	cOther: `подпис підпис подпіс потпис =қолы υπογραφ =рост =зріст =ръст =висина =бойы =ύψος =глаз =очей =вачэй =очите =очију =очи =көзінің χρώμα
		=тип =тып =врста =түрі =τύπος отчеств =батькові =бацьку =оца =татково =әкесінің =πατρός =μητρός =πατέρα =μητέρας =цвет =колір =цвят =боја μάτια ματιών
		категор κατηγορ =примечания =особые`,
	cLink: `=держателя =притежателя =κατόχου =и =і =на =по =се =та =του =της =και`,
}

// inOneScript gives names and places the key of the transliteration that is printed as well: which of both is taken is no doubt about what
// the page states.
func inOneScript(f int, options []Option) []Option {
	named := f == fSurname || f == fGiven || f == fBirthplace
	left := mostNames
	for i := range options {
		o := &options[i]
		o.Key = o.Value
		if f == fGiven {
			o.Key = withoutFathersName(o.Value)
		}
		if !named || isLatin(o.Value) {
			continue
		}
		for _, other := range options {
			if !isLatin(other.Value) || other.Value == "" {
				continue
			}
			if left--; left < 0 {
				break
			}
			if icao.SameName(o.Value, letters(other.Value), 0) {
				o.Key = other.Value
				break
			}
		}
	}
	return options
}

// isLatin reports whether a text has no Cyrillic or Greek letter.
func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) })
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

// easternTongues completes tongues.
var easternTongues = map[string]string{
	"ru": "RUS BLR KAZ KGZ", "uk": "UKR", "be": "BLR", "mk": "MKD", "kk": "KAZ",
}

// easternStates completes ownNames and peoples.
const easternStates = `
BGR България; Република България
BIH Босна и Херцеговина
BLR Беларусь; Республика Беларусь; Рэспубліка Беларусь
CYP Κύπρος; Κυπριακή Δημοκρατία
GRC Ελλάς; Ελλάδα; Ελληνική Δημοκρατία
KAZ Қазақстан; Қазақстан Республикасы; Республика Казахстан; Казахстан
KGZ Кыргыз Республикасы; Кыргызстан; Кыргызская Республика
MKD Северна Македонија; Република Северна Македонија; Република Македонија; Македонија
MNE Црна Гора
MNG Монгол Улс
RUS Россия; Российская Федерация
SRB Србија; Република Србија
TJK Ҷумҳурии Тоҷикистон; Тоҷикистон
UKR Україна; Украина
`

const easternPeoples = `
BGR българско; българин; българка
BLR Рэспублікі Беларусь; Республики Беларусь
GRC Ελληνική; Έλλην; Ελληνίδα
CYP Κυπριακή
KAZ Қазақстан; Казахстан
MKD македонско; Македонија
RUS российское; Россия; Российская Федерация; гражданин Российской Федерации
SRB Република Србија; српско
UKR Україна; громадянин України; громадянка України
`

// easternSexes completes sexWords: by word in capitals, as Ч and Θ are CH and TH in Latin letters.
var easternSexes = map[string]string{
	"М": "M", "МУЖ": "M", "МУЖСКОЙ": "M", "МУЖЧИНА": "M", "ЧОЛ": "M", "ЧОЛОВІЧА": "M", "Ч": "M", "МЪЖ": "M", "МУШКИ": "M", "МАШКИ": "M", "ЕР": "M", "ΑΡΡΕΝ": "M",
	"ΆΡΡΕΝ": "M", "ΑΝΔΡΑΣ": "M", "ЖЕН": "F", "ЖЕНСКИЙ": "F", "ЖЕНЩИНА": "F", "ЖІН": "F", "ЖІНОЧА": "F", "Ж": "F", "ЖЕНА": "F", "ЖЕНСКИ": "F", "ӘЙЕЛ": "F",
	"ΘΗΛΥ": "F", "ΓΥΝΑΙΚΑ": "F", "Θ": "F",
}

// easternMonths completes monthNames.
var easternMonths = map[string]string{
	"ru": "ЯНВАРЬ/ЯНВАРЯ ФЕВРАЛЬ/ФЕВРАЛЯ МАРТ/МАРТА АПРЕЛЬ/АПРЕЛЯ МАЙ/МАЯ ИЮНЬ/ИЮНЯ ИЮЛЬ/ИЮЛЯ АВГУСТ/АВГУСТА " +
		"СЕНТЯБРЬ/СЕНТЯБРЯ/СЕНТ ОКТЯБРЬ/ОКТЯБРЯ НОЯБРЬ/НОЯБРЯ ДЕКАБРЬ/ДЕКАБРЯ",
	"uk": "СІЧЕНЬ/СІЧНЯ ЛЮТИЙ/ЛЮТОГО БЕРЕЗЕНЬ/БЕРЕЗНЯ КВІТЕНЬ/КВІТНЯ ТРАВЕНЬ/ТРАВНЯ ЧЕРВЕНЬ/ЧЕРВНЯ ЛИПЕНЬ/ЛИПНЯ " +
		"СЕРПЕНЬ/СЕРПНЯ ВЕРЕСЕНЬ/ВЕРЕСНЯ ЖОВТЕНЬ/ЖОВТНЯ ЛИСТОПАД/ЛИСТОПАДА ГРУДЕНЬ/ГРУДНЯ",
	"be": "СТУДЗЕНЬ/СТУДЗЕНЯ ЛЮТЫ/ЛЮТАГА САКАВІК/САКАВІКА КРАСАВІК/КРАСАВІКА МАЙ/МАЯ ЧЭРВЕНЬ/ЧЭРВЕНЯ ЛІПЕНЬ/ЛІПЕНЯ " +
		"ЖНІВЕНЬ/ЖНІЎНЯ ВЕРАСЕНЬ/ВЕРАСНЯ КАСТРЫЧНІК/КАСТРЫЧНІКА ЛІСТАПАД/ЛІСТАПАДА СНЕЖАНЬ/СНЕЖНЯ",
	"bg": "ЯНУАРИ ФЕВРУАРИ МАРТ АПРИЛ МАЙ ЮНИ ЮЛИ АВГУСТ СЕПТЕМВРИ ОКТОМВРИ НОЕМВРИ ДЕКЕМВРИ",
	"sr": "ЈАНУАР ФЕБРУАР МАРТ АПРИЛ МАЈ ЈУН ЈУЛ АВГУСТ СЕПТЕМБАР ОКТОБАР НОВЕМБАР ДЕЦЕМБАР",
	"mk": "ЈАНУАРИ ФЕВРУАРИ МАРТ АПРИЛ МАЈ ЈУНИ ЈУЛИ АВГУСТ СЕПТЕМВРИ ОКТОМВРИ НОЕМВРИ ДЕКЕМВРИ",
	"el": "ΙΑΝΟΥΑΡΙΟΣ/ΙΑΝΟΥΑΡΙΟΥ ΦΕΒΡΟΥΑΡΙΟΣ/ΦΕΒΡΟΥΑΡΙΟΥ ΜΑΡΤΙΟΣ/ΜΑΡΤΙΟΥ ΑΠΡΙΛΙΟΣ/ΑΠΡΙΛΙΟΥ ΜΑΙΟΣ/ΜΑΙΟΥ " +
		"ΙΟΥΝΙΟΣ/ΙΟΥΝΙΟΥ/ΙΟΥΝ ΙΟΥΛΙΟΣ/ΙΟΥΛΙΟΥ/ΙΟΥΛ ΑΥΓΟΥΣΤΟΣ/ΑΥΓΟΥΣΤΟΥ/ΑΥΓ ΣΕΠΤΕΜΒΡΙΟΣ/ΣΕΠΤΕΜΒΡΙΟΥ/ΣΕΠ " +
		"ΟΚΤΩΒΡΙΟΣ/ΟΚΤΩΒΡΙΟΥ/ΟΚΤ ΝΟΕΜΒΡΙΟΣ/ΝΟΕΜΒΡΙΟΥ/ΝΟΕ ΔΕΚΕΜΒΡΙΟΣ/ΔΕΚΕΜΒΡΙΟΥ/ΔΕΚ",
}
