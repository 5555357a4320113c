package viz

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// titleRow is a kind of document and the titles that it prints, folded by use.
type titleRow struct {
	kind   idv.DocumentKind
	titles string
}

// titles in the order in which they are looked for: a residence permit may say IDENTITY CARD too, and every page that is
// not a passport may speak of one. The names of the driving licence are those of directive 2006/126/EC, annex I.
var titles = []titleRow{
	{idv.DrivingLicence, `driving licence; driving license; driver license; driver's license; drivers license; driver licence; driver's licence; permis de conduire; führerschein; patente di guida;
		permiso de conducción; permiso de conducir; licencia de conducir; carnet de conducir; rijbewijs; körkort; kørekort; førerkort; førarkort; ajokortti; prawo jazdy; carta de condução; řidičský průkaz; vodičský preukaz;
		vozniško dovoljenje; vezetői engedély; permis de conducere; juhiluba; vozačka dozvola; vadītāja apliecība; vairuotojo pažymėjimas; liċenzja tas-sewqan; ceadúnas tiomána; sürücü belgesi; ökuskírteini;
		operator license; operator's license; commercial driver license; learner permit; instruction permit; carteira nacional de habilitação; leje drejtimi`},
	{idv.ResidencePermit, `residence permit; aufenthaltstitel; aufenthaltserlaubnis; titre de séjour; carte de séjour; carte de résident; permesso di soggiorno; permiso de residencia; tarjeta de residencia;
		título de residência; autorização de residência; verblijfstitel; verblijfsvergunning; karta pobytu; povolení k pobytu; povolenie na pobyt; tartózkodási engedély; permis de ședere; uppehållstillstånd; opholdstilladelse;
		oppholdstillatelse; oppholdskort; opholdskort; oleskelulupa; dozvola boravka; dozvola za boravak; dovoljenje za prebivanje; ikamet izni; elamisluba; uzturēšanās atļauja; leidimas gyventi; dvalarleyfi; permanent resident; residence card; leje qëndrimi;
		permis de séjour; niederlassungserlaubnis; biometric residence permit; ausländerausweis; aufenthaltskarte; residency permit`},
	{idv.Visa, "visa; visum; visto; visado; wiza; vízum; viza; viisumi; vize; vīza; visering; schengen visa"},
	{idv.IDCard, `identity card; identitycard; identification card; identiteitskaart; carte d'identité; carte nationale d'identité; personalausweis; identitätskarte; carta d'identità; carta di identità; documento nacional de identidad;
		cartão de cidadão; cédula de identidad; cédula de ciudadanía; bilhete de identidade; dowód osobisty; občanský průkaz; občiansky preukaz; osebna izkaznica; osobna iskaznica; személyazonosító igazolvány; személyi igazolvány; carte de identitate; identitetskort; nationellt identitetskort;
		id-kort; henkilökortti; isikutunnistus; personas apliecība; asmens tapatybės kortelė; kimlik kartı; nüfus cüzdanı; nafnskírteini; karta e identitetit; letërnjoftim; lična karta; national identity card; photo card; carte photo; passport card; carte passeport; passkarte; tarjeta pasaporte; carta passaporto; cartão passaporte; paspoortkaart; karta paszportowa; cestovní karta; útlevélkártya; card pașaport; passkort; paskort; passikortti; pasaport kartı; cartão de identidade; tarjeta de identidad; nederlandse identiteitskaart; tarjeta de identidad; non-driver id; id card; carte d'identité nationale`},
	{idv.Passport, `passport; passeport; reisepass; pasaporte; passaporto; passaporte; paszport; paspoort; cestovní pas; cestovný pas; útlevél; pașaport; pass; passi; putovnica; potni list; pasaport; pase; pasas; vegabréf; pas; pasaportë`},
}

type title struct {
	kind idv.DocumentKind
	text string
	lone bool // short words are titles only where nothing else stands beside them
}

var titleWords = func() []title {
	var out []title
	for _, row := range titles {
		for t := range strings.SplitSeq(row.titles, ";") {
			if l := letters(t); l != "" {
				out = append(out, title{row.kind, l, len(l) < 8})
			}
		}
	}
	return out
}()

// tellKind tells the kind of document from its titles where neither the machine-readable zone nor a barcode did.
func (r *reader) tellKind() {
	if r.kind == idv.UnknownKind {
		r.kind = r.kindByTitle()
	}
}

// tellIssuer tells it from the names of states in the page's headings where neither the zone nor a barcode did.
func (r *reader) tellIssuer() {
	if r.issuer == "" {
		r.issuer = r.issuerByHeading()
	}
}

// asLarge is the part of the largest title's height from which another title counts beside it: what is set smaller speaks of
// another document.
const asLarge = 0.75

// kindByTitle is the kind of the largest titles, and of those the one that is looked for first.
func (r *reader) kindByTitle() idv.DocumentKind {
	largest := 0.0
	for _, s := range r.texts {
		if kindOf(s) != idv.UnknownKind {
			largest = math.Max(largest, s.h)
		}
	}
	best := idv.UnknownKind
	rank := len(titles)
	for _, s := range r.texts {
		k := kindOf(s)
		at := slices.IndexFunc(titles, func(t titleRow) bool { return t.kind == k })
		if k != idv.UnknownKind && at < rank && s.h >= asLarge*largest {
			best, rank = k, at
		}
	}
	if best == idv.UnknownKind && r.american && r.identification() {
		return idv.IDCard
	}
	return best
}

// identification: North American cards that are no licence say IDENTIFICATION, or ID in a line of their own.
func (r *reader) identification() bool {
	return slices.ContainsFunc(r.texts, func(s segment) bool { return strings.Contains(joined0(s.words), "IDENTIFICATION") })
}

func joined0(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.plain)
	}
	return b.String()
}

// denials say that a document is not what they stand before.
var denials = []string{"NOT", "NO", "NON", "KEIN", "KEINE", "PAS", "NIE", "GEEN"}

// restOf is what a text says beside titles and the names of states.
func restOf(text string) string {
	for _, t := range titleWords {
		if !t.lone {
			text = strings.ReplaceAll(text, t.text, "")
		}
	}
	for _, name := range longStateNames() {
		text = strings.ReplaceAll(text, name, "")
	}
	return text
}

// longStateNames are the names of states of five letters and more, the longest first, so that EQUATORIAL GUINEA is not what
// GUINEA leaves of it.
var longStateNames = sync.OnceValue(func() []string {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(stateNames())), func(s string) bool { return len(s) < 5 })
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return names
})

// kindOf is the kind whose title a text shows: one that says little else. A sentence that speaks of a driving licence is no
// title. Titles in several languages stand between strokes.
func kindOf(s segment) idv.DocumentKind {
	if k := titleOf(s); k != idv.UnknownKind {
		return k
	}
	for from, i := 0, 1; i <= len(s.words); i++ {
		if i < len(s.words) && !strings.ContainsAny(s.words[i].before, "/|·•-–") {
			continue
		}
		if from > 0 || i < len(s.words) {
			part := s
			part.words = s.words[from:i]
			if k := titleOf(part); k != idv.UnknownKind {
				return k
			}
		}
		from = i
	}
	return idv.UnknownKind
}

// titleOf is the kind whose title a text is.
func titleOf(s segment) idv.DocumentKind {
	text := joined0(s.words)
	if slices.ContainsFunc(s.words, func(w word) bool { return slices.Contains(denials, w.plain) }) {
		return idv.UnknownKind
	}
	for _, t := range titleWords {
		switch {
		case t.lone && !holdsWord(s.words, t.text):
		case t.lone && len(s.words) > 4:
		case !t.lone && strings.Contains(text, t.text):
			if rest := len(restOf(text)); rest > len(t.text) && 2*rest > len(text) {
				return idv.UnknownKind
			}
			return t.kind
		case t.lone, len(text) >= 10 && len(t.text) >= 10 && Distance(text, t.text, 2) <= 2,
			t.kind == idv.DrivingLicence && len(text) >= 8 && len(t.text) >= 8 && Distance(text, t.text, 1) <= 1: // PASSKORT is no passport, but AJOKORTI is AJOKORTTI
			return t.kind
		}
	}
	return idv.UnknownKind
}

// titleAt is how many words at the beginning of a text are a title of several words, 0 for none.
func titleAt(words []word) int {
	if words[0].plain == "" { // a label's number, rather
		return 0
	}
	for n := min(5, len(words)); n > 1; n-- {
		text := joined0(words[:n])
		if len(text) < 10 {
			continue
		}
		for _, t := range titleWords {
			if Distance(text, t.text, 1) <= 1 {
				return n
			}
		}
	}
	return 0
}

func holdsWord(words []word, text string) bool {
	for i := range words {
		for n := 1; n <= 3 && i+n <= len(words); n++ {
			if joined0(words[i:i+n]) == text {
				return true
			}
		}
	}
	return false
}

// american reports whether a page is laid out as North American cards are: by its issuer, its title, or their labels.
func american(p Page) bool {
	if p.Issuer == "USA" || p.Issuer == "CAN" {
		return p.Kind != idv.Passport && p.Kind != idv.Visa
	}
	if p.Issuer != "" {
		return false
	}
	seen, numbered := map[string]bool{}, map[string]bool{}
	for _, l := range p.Lines {
		text := letters(strings.NewReplacer("0", "O", "1", "I").Replace(l.Text))
		for _, t := range []string{"DRIVERLICEN", "DRIVERSLICEN", "IDENTIFICATIONCARD", "OPERATORLICEN", "OPERATORSLICEN", "LEARNERPERMIT"} {
			if strings.Contains(text, t) {
				return true
			}
		}
		if titleLetterLost(text) {
			return true
		}
		for w := range strings.FieldsFuncSeq(l.Text, func(c rune) bool { return c == ' ' || c == '/' }) {
			w = strings.TrimLeft(Alphanumerics(w), "0123456789ABCD")
			if slices.Contains([]string{"LN", "OB", "DOB", "EXP", "ISS", "HGT", "WGT", "EYES", "HAIR"}, w) {
				seen[w] = true
			}
			if label := bothTongues(w); label != "" {
				seen[label] = true
			}
		}
		if n, rest, _ := strings.Cut(l.Text, " "); slices.Contains(americanOnly, n) && letters(rest) != "" {
			numbered[n] = true
		}
	}
	return len(seen) >= 4 || len(numbered) >= 3 || numbersLabels(p)
}

// titleLetterLost reports whether a line is a North American card's title with a letter lost: DRVER LICENSE.
func titleLetterLost(text string) bool {
	return slices.ContainsFunc([]string{"DRIVERLICENSE", "DRIVERSLICENSE", "DRIVERLICENCE", "DRIVERSLICENCE", "IDENTIFICATIONCARD"}, func(t string) bool {
		return len(text) == len(t)-1 && Distance(text, t, 1) <= 1
	})
}

// canadian are labels of Canadian cards in English and in French, with a stroke between them.
var canadian = [][2]string{{"OB", "DDN"}, {"EXP", "EXP"}, {"ISS", "DEL"}, {"HGT", "HAUT"}, {"WGT", "POIDS"}, {"EYES", "YEUX"}, {"HAIR", "CHEV"}}

// bothTongues is the English one of two such labels that were read as one word, with the stroke lost or taken for a letter.
func bothTongues(word string) string {
	for _, l := range canadian {
		rest, begins := strings.CutPrefix(word, l[0])
		if begins && (rest == l[1] || len(rest) == len(l[1])+1 && rest[1:] == l[1]) {
			return l[0]
		}
	}
	return ""
}

// americanOnly are the numbers of fields that no European licence has on its front.
var americanOnly = []string{"15", "16", "17", "18", "19"}

// issuerByHeading is the state that a heading names, if all headings that name one name the same. Names of persons and places
// are names of states too (JORDAN, GEORGIA): what follows a label, stands below the highest of them or in a column of other
// values is no heading, unless it is a state's long name or stands beside a title.
func (r *reader) issuerByHeading() string {
	found := ""
	top := math.Inf(1)
	for _, l := range r.labels {
		top = math.Min(top, l.y-0.5*l.h)
	}
	for _, s := range r.texts {
		if s.sequence >= 0 { // what follows a label is a value
			continue
		}
		sure := kindOf(s) != idv.UnknownKind || len(s.words) > 1 && len(joined0(s.words)) >= longState
		if !sure && (s.y > top || r.inColumn(s)) {
			continue
		}
		code := headingState(s, r.american)
		switch {
		case code == "":
		case found == "":
			found = code
		case found != code:
			return ""
		}
	}
	return found
}

// longState is the number of letters from which a text of several words that is a state's name is nothing else's.
const longState = 15

// inColumn reports whether a text begins a column of texts that are set alike, as the values of a page do: two more below it.
func (r *reader) inColumn(s segment) bool {
	below := 0
	for _, t := range r.texts {
		if t.y > s.y+0.5*s.h && math.Abs(t.x0-s.x0) < s.h && math.Max(t.h, s.h) < nextSize*math.Min(t.h, s.h) && kindOf(t) == idv.UnknownKind {
			below++
		}
	}
	return below >= 2
}

// headingState is the state whose name or title a text is: the whole text or, for names that nothing else contains, a part.
func headingState(s segment, american bool) string {
	for i := range s.words {
		for n := min(6, len(s.words)-i); n > 0; n-- {
			text := joined0(s.words[i : i+n])
			if code, ok := stateNames()[text]; ok && (n == len(s.words) || len(text) >= 12 || separated(s.words, i, i+n)) {
				return code
			}
			if code, ok := provinces()[text]; ok && american {
				return code
			}
		}
	}
	return ""
}

// separated reports whether words stand by themselves between strokes or points: "UTOPIA · UTOPIE".
func separated(words []word, from, to int) bool {
	const signs = "/|·•:–*"
	return (from == 0 || strings.ContainsAny(words[from].before, signs)) && (to == len(words) || strings.ContainsAny(words[to].before, signs))
}
