package reading

import (
	_ "embed" // the weights
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Guess is one answer to what a page is, or to who issued it, with what the witnesses say of it.
type Guess struct {
	Value    string // empty: not known
	Features []Feature
}

//go:embed identity.tsv
var identityTable string

var identityWeights = sync.OnceValue(func() Weights {
	w, err := ParseWeights(identityTable)
	if err != nil {
		panic(err) // the table is part of the program, and a test parses it
	}
	return w
})

// sureOfIdentity is how sure a kind or an issuer must be, 0–1. With it, of 300 pages of bench/reading/relaid whose words were held back
// (seed 22), the kind is told of 207 and wrongly of none, and the issuer of 217, wrongly of 1; at .9 of 210 and 244, as wrongly.
const sureOfIdentity = .95

// identity is the kind of the page and the code of its issuer, each as it is known from elsewhere, or as its print surely tells.
func (p *Problem) identity() (idv.DocumentKind, string) {
	kind := p.page.Kind
	if kind == "" || kind == idv.UnknownKind {
		kind = idv.UnknownKind
		if v, sure := Likeliest(p.Kinds(), identityWeights()); v != "" && sure >= sureOfIdentity {
			kind = idv.DocumentKind(v)
		}
	}
	return kind, p.issuer()
}

// issuer returns the code of the state that issued the page. It takes the zone's; without one, it takes what the print says, if that is sure.
// Otherwise it returns "".
func (p *Problem) issuer() string {
	if p.page.Issuer != "" {
		return p.page.Issuer
	}
	return surest(p.Issuers())
}

// surest returns the value of the likeliest guess, or "" if that is not sure.
func surest(all []Guess) string {
	if v, sure := Likeliest(all, identityWeights()); sure >= sureOfIdentity {
		return v
	}
	return ""
}

// Likeliest is the guess that its witnesses make likeliest, and its probability among all.
func Likeliest(all []Guess, w Weights) (string, float64) {
	best, most, sum := "", math.Inf(-1), 0.0
	scores := make([]float64, len(all))
	for i, g := range all {
		if scores[i] = w.of(g.Features); scores[i] > most {
			best, most = g.Value, scores[i]
		}
	}
	for _, s := range scores {
		sum += math.Exp(s - most)
	}
	return best, 1 / max(1, sum)
}

// Kinds are the guesses at the kind of the page, the first of them "not known".
func (p *Problem) Kinds() []Guess {
	all := p.flags()
	out := []Guess{{Features: prefixed("kind none ", all)}}
	var titled [][]Feature
	for _, k := range kindsOfDocuments {
		titled = append(titled, p.titles(k))
	}
	for i, k := range kindsOfDocuments {
		own := append(titled[i], rivals(titled, i)...)
		if len(own) > 0 {
			out[0].Features = append(out[0].Features, Feature{"kind none though titled", 1})
		}
		features := append(prefixed("kind ", own), prefixed("kind "+string(k)+" ", append(all, own...))...)
		out = append(out, Guess{Value: string(k), Features: features})
	}
	return out
}

// rivals says whether a kind alone has a title, or alone has a row of one.
func rivals(titled [][]Feature, i int) []Feature {
	if len(titled[i]) == 0 {
		return nil
	}
	whole := func(all []Feature) bool {
		return slices.ContainsFunc(all, func(f Feature) bool { return f.Name == "title whole" })
	}
	alone, wholly := 1.0, 0.0
	if whole(titled[i]) {
		wholly = 1
	}
	for k, other := range titled {
		if k != i && len(other) > 0 {
			alone = 0
		}
		if k != i && whole(other) {
			wholly = 0
		}
	}
	return []Feature{{"title alone", alone}, {"title wholly alone", wholly}}
}

func prefixed(name string, features []Feature) []Feature {
	out := make([]Feature, len(features))
	for i, f := range features {
		out[i] = Feature{name + f.Name, f.Value}
	}
	return out
}

// titles says how the page shows titles of a kind.
func (p *Problem) titles(kind idv.DocumentKind) []Feature {
	best := map[string]float64{}
	rows := 0
	for k := range p.rows {
		share, language := p.titleShare(k, kind)
		if language == "" {
			continue
		}
		rows++
		how := "within"
		if share > .6 {
			how = "whole"
		}
		best["title "+how] = 1
		best["title share"] = max(best["title share"], share)
		best["title "+how+" height"] = max(best["title "+how+" height"], clamp(math.Log(p.rows[k].h/p.usual), -1, 1)+1)
		best["title "+how+" up"] = max(best["title "+how+" up"], 1-p.depth(k))
	}
	if rows == 0 {
		return nil
	}
	out := sorted(best)
	return append(out, Feature{"title rows", float64(min(rows, 4))})
}

// depth is how far down the print of the page a row is, 0–1.
func (p *Problem) depth(k int) float64 {
	top, low := math.Inf(1), math.Inf(-1)
	for _, r := range p.rows {
		top, low = min(top, r.y), max(low, r.y)
	}
	return (p.rows[k].y - top) / max(1, low-top)
}

// titleShare is the share of a row's letters that are a title of the kind, and the title's language; empty where it has none.
func (p *Problem) titleShare(k int, kind idv.DocumentKind) (float64, string) {
	language := ""
	var hit []string
	for _, t := range titleStems() {
		if t.kind == kind && p.shows(k, t) {
			language, hit = t.language, append(hit, t.parts...)
		}
	}
	if language == "" {
		return 0, ""
	}
	all, within := 0, 0
	for _, w := range p.rows[k].words {
		all += len([]rune(w.text))
		if ofTitle(bare(w), hit) {
			within += len([]rune(w.text))
		}
	}
	return float64(within) / float64(max(1, all)), language
}

// shows reports whether a row has the first part of a title and it or the row below it the others.
func (p *Problem) shows(k int, t titleStem) bool {
	has := func(k int, part string) bool {
		for _, w := range p.rows[k].words {
			if plain := bare(w); plain != "" && t.begins(part, plain) {
				return true
			}
		}
		return false
	}
	for i, part := range t.parts {
		found := has(k, part)
		for j := range p.rows {
			dy := math.Abs(p.rows[j].y-p.rows[k].y) / p.rows[k].h
			found = found || i > 0 && j != k && dy < 2.2 && has(j, part)
		}
		if !found {
			return false
		}
	}
	return true
}

// categoriesOfLicences are those of directive 2006/126/EC whose letters are hardly anything else.
var categoriesOfLicences = []string{"AM", "A1", "A2", "B1", "BE", "C1", "CE", "D1", "DE", "C1E", "D1E"}

// flags are signs of a kind beside its titles: how the fields are numbered, which facts have labels, the categories of vehicles.
func (p *Problem) flags() []Feature {
	seen := map[string]float64{"is": 1, "family " + p.Family: 1}
	for _, l := range p.labels {
		for f, fits := range l.fits {
			if fits > .6 && !l.number {
				seen["label "+string(FactNames[f])] = 1
			}
		}
	}
	categories := 0
	for _, r := range p.rows {
		for _, w := range r.words {
			switch w.plain {
			case "ENTRIES", "ENTREES", "ENTRADAS", "EINREISEN", "MULT", "DURATION", "SEJOURS", "WJAZDOW", "INGRESSI", "VSTUPU", "BINNENKOMSTEN", "DAUER":
				seen["word of visas"] = 1
			case "CLASS", "REST", "RESTR", "END", "ENDORSEMENTS", "RESTRICTIONS", "DONOR", "DLN", "DL", "CATEGORIES", "KLASSE", "CATEGORIE", "CATEGORIAS":
				seen["word of licences"] = 1
			}
			if slices.Contains(categoriesOfLicences, w.text) {
				categories++
			}
		}
	}
	if categories > 1 {
		seen["categories"] = 1
	}
	return sorted(seen)
}

// bare is a folded word without the article or preposition that it is elided with: d'identité.
func bare(w word) string {
	if _, rest, ok := strings.Cut(strings.ReplaceAll(w.text, "’", "'"), "'"); ok && len(rest) > 3 {
		return lexicon.Letters(rest)
	}
	return w.plain
}
