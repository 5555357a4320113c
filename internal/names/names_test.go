package names

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// rare is a reference in which every name is rare but a few.
type rare struct{}

func (rare) Bits(t Token) float64 {
	if strings.Contains(" mohamad mohamed ali hasan ", " "+t.Sound+" ") {
		return 5
	}
	return 12
}

func (rare) Equivalent(a, b string) bool { return ordered(a, b) == [2]string{"bil", "viliam"} }

func band(searched, listed string) Band {
	c := Compare(Parse(searched), Parse(listed), rare{})
	return Assess(c, c.Grade(false), Facts{})
}

func TestNamesThatHaveToAlarm(t *testing.T) {
	for name, pairs := range map[string][][2]string{
		"any order, with a comma or without": {{"Morozov, Vladimir", "Vladimir Morozov"}, {"MOROZOV VLADIMIR", "Vladimir Morozov"}},
		"Cyrillic against Latin and back":    {{"Владимир Морозов", "Vladimir Morozov"}, {"Vladimir Morozov", "ВЛАДИМИР МОРОЗОВ"}},
		"German, Ukrainian and Czech forms": {
			{"Wladimir Morozow", "Vladimir Morozov"}, {"Volodymyr Morozov", "Vladimir Morozov"}, {"Vladimír Morozov", "Vladimir Morozov"},
		},
		"spaces that are none, too many, or invisible": {
			{"VLADIMIRMOROZOV", "Vladimir Morozov"}, {"Vladimir\u00a0\u00a0Morozov", "Vladimir Morozov"},
			{"Vladi\u00admir Moro\u200dzov", "Vladimir Morozov"},
		},
		"a zone that cuts the last name": {{"MOROZOV<<VLADIMIR<VLADIMIROVI", "Vladimir Vladimirovich Morozov"}},
		"Usama, Osama, bin and ibn":      {{"Osama bin Zahran", "Usama bin Zahran"}, {"Usama ibn Zahran", "Osama bin Zahran"}},
		"Arabic against Latin":           {{"محمد حسن زهران", "MOHAMMAD HASSAN ZAHRAN"}, {"مُحَمَّد حَسَن زَهْران", "Mohamed Hassan Zahran"}},
		"Persian and Arabic letters":     {{"یوسف کرزی", "يوسف كرزي"}},
		"what one Arabic letter is in English, French, Persian and Egyptian": {
			{"بشير علوش زهران", "Bachir Allouche Zahran"}, {"ظاهر فضل زهران", "Zahir Fazel Zahran"}, {"ظاهر فضل زهران", "Dhahir Fadl Zahran"},
			{"رجب جمال زهران", "Ragab Gamal Zahran"}, {"ثاقب قاسمي زهران", "Saqib Gasmi Zahran"},
		},
		"letters that are no digraph beside each other": {{"انتصار متصدق زهران", "Intisar Mutasaddiq Zahran"}},
		"a servant's name as one word or as two": {
			{"عبدالحليم زهران", "Abd al-Halim Zahran"}, {"عبد الحق زهران", "Abdul Haq Zahran"}, {"عبدالله زهران", "Abdullah Zahran"},
		},
		"compounds as one word or as two": {
			{"نور الدين زهران", "Noureddine Zahran"}, {"نورالدین زهران", "Nooruddin Zahran"}, {"خير الله زهران", "Khayrallah Zahran"},
			{"صلاح الدين زهران", "Salahaldin Zahran"},
		},
		"a final letter that is an a":           {{"موسى مصطفى زهران", "Moussa Mustafa Zahran"}, {"هدى زهران", "Huda Zahran"}},
		"an article that has grown to the word": {{"سامي الصيد زهران", "Sami Elsseid Zahran"}},
		"the word for servant": {{"Abdullah Zahran", "Abd Allah Zahran"}, {"Abd-ul-lah Zahran", "ʿAbdallāh Zahran"},
			{"Abdurrahman Tevfik", "Abd al-Rahman Tevfik"},
		},
		"families of transliteration": {{"Salem Qadhafi", "Salem Gaddafi"}, {"Salem Kadhafi", "Salem al-Qaddafi"}},
		"umlauts, Vietnamese, dotless i": {{"Hans Müller", "Hans MUELLER"}, {"Đặng Van", "Dang Van"}, {"İbrahim Kaya", "ibrahim KAYA"},
			{"IBRAHIM KAYA", "ıbrahım kaya"},
		},
		"a letter lost, wrong or added": {{"Sergi Lavrenko", "Sergei Lavrenko"}, {"Vladimir Morozof", "Vladimir Morozov"},
			{"Bashar xal-Zahran", "Bashar al-Zahran"},
		},
		"a look-alike letter":           {{"MОRОZОV Vladimir", "Vladimir Morozov"}},
		"Hangul and Chinese characters": {{"박지성", "Park Ji Sung"}, {"王伟", "Wang Wei"}},
		"hyphens, apostrophes and joining": {{"Jean-Pierre Dupontel", "Jeanpierre Dupontel"}, {"O'Brien Patrik", "Patrik O’Brien"},
			{"OBrien Patrik", "Patrik O Brien"},
		},
		"a patronymic that is left out":    {{"Vladimir Morozov", "Morozov, Vladimir Vladimirovich"}},
		"a woman's form of the name":       {{"Anna Kuznetsova", "Anna Kuznetsov"}},
		"forms that the lists use for one": {{"Bill Zahran", "William Zahran"}},
		"Georgian, Armenian, Greek, Devanagari": {
			{"გიორგი ბერიძე", "Giorgi Beridze"}, {"Հայկ Սարգսյան", "Hayk Sargsyan"},
			{"Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos"}, {"रजनीकांत शर्मा", "Rajnikant Sharma"},
		},
		"Hebrew": {{"משה רובין", "Moshe Rubin"}},
		"kana":   {{"やまだ たろう", "Yamada Taro"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, p := range pairs {
				if got := band(p[0], p[1]); got.Rank() < BandPossible.Rank() {
					t.Errorf("%q against %q: got %s: %+v", p[0], p[1], got, Compare(Parse(p[0]), Parse(p[1]), rare{}))
				}
			}
		})
	}
}

func TestNamesThatMustNotAlarm(t *testing.T) {
	for name, p := range map[string][2]string{
		"two names of many parts":                 {"Usama bin Zahran", "Shaikh Isa Bin Tarif Al Bin Ali"},
		"short names that begin alike":            {"Pol Pott", "Paul Murphy"},
		"another given name":                      {"Boris Netanel", "Benjamin Netanel"},
		"another ending of the family name":       {"Mark Zuckermann", "Mark Zuckerberg"},
		"a family name alone in common":           {"Octavian Scholten", "Olaf Scholten"},
		"only a title":                            {"Sheikh", "Sheikh Zahran"},
		"two common names of a longer name":       {"Ali Hassan", "Ali Hassan Zahran Tevfik"},
		"initials only":                           {"N. N.", "Nursultan Nazaret"},
		"another patronymic":                      {"Malik Magomedovich Barkhan", "Malik Ruslanovich Barkhan"},
		"a name of nothing but consonants":        {"نوف", "Nayif"},
		"one syllable of a Chinese name more":     {"王大伟", "Wang Xiao Wei"},
		"another Arabic name of like letters":     {"حسين زهران", "Ehsan Zahran"},
		"a servant of another":                    {"عبدالحليم زهران", "Abd al-Hamid Zahran"},
		"a syllable of two given names in common": {"재호 성 김", "Kim Sung"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := band(p[0], p[1]); got.Rank() >= BandPossible.Rank() {
				t.Errorf("got %s: %+v", got, Compare(Parse(p[0]), Parse(p[1]), rare{}))
			}
		})
	}
}

func TestALookAlikeLetterIsSaid(t *testing.T) {
	c := Compare(Parse("PUTТІNEN Vladimir"), Parse("Vladimir Puttinen"), rare{})
	if !c.Mixed || c.Score < Threshold {
		t.Errorf("got mixed %v, score %.2f; want the name found, and said to mix scripts", c.Mixed, c.Score)
	}
	for text, want := range map[string]string{"ANTO\u039dIA Morozova": "antonia", "А\u0048НА Морозова": "анна"} {
		n := Parse(text)
		if !n.Mixed || !slices.ContainsFunc(n.Tokens, func(t Token) bool { return t.Folded == want }) {
			t.Errorf("%q: got %+v, mixed %v; want the word %s in one script", text, n.Tokens, n.Mixed, want)
		}
	}
	if Parse("Владимир Morozov").Mixed {
		t.Error("two words of two scripts are no mixed word")
	}
}

func TestNamesThatCannotBeSearchedFor(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "  ": false, "-": false, "Dr": false, "al": false, "X": false, "Yo": false, "Sheikh al": false, "A. B.": false,
		"Zahran": true, "Li Na": true, "王伟": true, "Dr Zahran": true,
	} {
		if got := Parse(text).Usable(); got != want {
			t.Errorf("%q: got usable %v, want %v", text, got, want)
		}
	}
}

func TestFactsDecideTheBand(t *testing.T) {
	day := Day(1965, 3, 4)
	exact := Compare(Parse("Ilyan Zahran"), Parse("Ilyan Zahran"), rare{})
	fuzzy := Compare(Parse("Ilyan Zahram"), Parse("Ilyan Zahran"), rare{})
	for name, c := range map[string]struct {
		c    Comparison
		weak bool
		born []Dates
		f    Facts
		want Band
	}{
		"exact, and the list has no birth":                 {exact, false, nil, Facts{}, BandPossible},
		"exact, born on the day":                           {exact, false, []Dates{day}, Facts{}, BandStrong},
		"exact, day and month exchanged":                   {exact, false, []Dates{Day(1965, 4, 3)}, Facts{}, BandPossible},
		"exact, a year apart":                              {exact, false, []Dates{Year(1966)}, Facts{}, BandPossible},
		"exact, twenty years apart":                        {exact, false, []Dates{Day(1985, 3, 4)}, Facts{}, BandDistant},
		"one of several births agrees":                     {exact, false, []Dates{Day(1985, 3, 4), day}, Facts{}, BandStrong},
		"fuzzy, sex and nationality differ":                {fuzzy, false, nil, Facts{Sex: Differs, Nationality: Differs}, BandDistant},
		"fuzzy, the number of a document agrees":           {fuzzy, false, nil, Facts{Number: Agrees}, BandStrong},
		"a weak alias alone":                               {exact, true, nil, Facts{}, BandDistant},
		"a weak alias and the nationality":                 {exact, true, nil, Facts{Nationality: Agrees}, BandPossible},
		"a weak alias that is only alike, born on the day": {fuzzy, true, []Dates{day}, Facts{}, BandNone},
	} {
		t.Run(name, func(t *testing.T) {
			c.f.Birth, c.f.BirthBits = CompareBirth(day, c.born)
			if got := Assess(c.c, c.c.Grade(c.weak), c.f); got != c.want {
				t.Errorf("got %s, want %s (%s)", got, c.want, c.c.Grade(c.weak))
			}
		})
	}
}

func TestDatesOfBirth(t *testing.T) {
	for name, c := range map[string]struct {
		searched, listed Dates
		want             BirthGrade
	}{
		"circa 1962 and a day of 1963":       {Day(1963, 5, 4), Year(1962).Circa(), BirthClose},
		"1960 to 1962 and its last day":      {Day(1962, 12, 31), Years(1960, 1962), BirthClose},
		"a year and a day of it":             {Day(1945, 7, 1), Year(1945), BirthClose},
		"the same day":                       {Day(1945, 7, 1), Day(1945, 7, 1), BirthSame},
		"another day of a far year":          {Day(1945, 7, 1), Day(1965, 7, 1), BirthConflict},
		"a range that ends two years before": {Day(1965, 7, 1), Years(1960, 1963), BirthConflict},
		"nothing known":                      {Day(1965, 7, 1), Dates{}, BirthUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := CompareBirth(c.searched, []Dates{c.listed}); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDatesThatAreNone(t *testing.T) {
	now := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	for _, s := range []string{"", "2027-01-01", "1879-12-31", "1965-02-31", "1965-13", "65-01-01", "1965-2-1", "yesterday"} {
		if d, err := ParseBirth(s, now); err == nil {
			t.Errorf("%q was taken for %s", s, d)
		}
	}
	for _, s := range []string{"1965", "1965-02", "1965-02-28"} {
		d, err := ParseBirth(s, now)
		if err != nil || d.String() != s {
			t.Errorf("%q: got %s, %v", s, d, err)
		}
	}
}

func TestTheListsTeachForms(t *testing.T) {
	c := NewCorpus()
	for _, family := range []string{"Zahran", "Tevfik", "Lindqvist", "Barkhan"} {
		c.Add([]Name{Parse("Yusuf " + family), Parse("Joseph " + family)})
	}
	for _, family := range []string{"Zahran", "Tevfik"} {
		c.Add([]Name{Parse("Ahmed " + family), Parse("Mohamed " + family)})
	}
	if !c.Equivalent("iusuf", "josef") {
		t.Errorf("four people have both names; got %v", c.Equivalents())
	}
	if c.Equivalent("ahmed", "mohamed") {
		t.Error("two people with two unlike names are no rule")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"Morozov, Vladimir", "MOROZOV<<VLADIMIR<", "محمد بن سلمان", "王伟", "ウラジーミル", "'", "<<", "a\u0301\u200d,b", "ﷺ"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Parse(a), Parse(b)
		if len(x.Tokens) > MaxTokens {
			t.Fatalf("%d tokens", len(x.Tokens))
		}
		for _, token := range x.Tokens {
			if !utf8.ValidString(token.Folded) || len(token.Keys()) == 0 {
				t.Fatalf("a token that cannot be kept: %+v", token)
			}
		}
		c := Compare(x, y, rare{})
		if c.Score < 0 || c.Score > 1 {
			t.Fatalf("score %f", c.Score)
		}
		if again := Compare(x, x, rare{}); x.Usable() && again.Words > 0 && again.Score < 0.99 {
			t.Fatalf("%q is not like itself: %+v", a, again)
		}
	})
}

func TestTheLettersOfTwoWordsNeverRuleOutWhatTheirDistanceAllows(t *testing.T) {
	draw := rand.New(rand.NewPCG(24, 7)) //nolint:gosec // the test needs the same words each time
	word := func() string {
		out := make([]byte, 2+draw.IntN(9))
		for i := range out {
			out[i] = "abcdeghkmnosuyzz"[draw.IntN(16)]
		}
		return string(out)
	}
	near := 0
	for range 200_000 {
		a := word()
		b := []byte(a)
		for range draw.IntN(4) {
			i := draw.IntN(len(b))
			b = append(b[:i], append([]byte(word()[:draw.IntN(3)]), b[min(len(b), i+draw.IntN(2)):]...)...)
			if len(b) == 0 {
				b = []byte("a")
			}
		}
		x, y := []rune(a), []rune(string(b))
		if len(x) > len(y) {
			x, y = y, x
		}
		d := distance(x, y, 10)
		if least := leastDistance(a, string(b)); least > d+1e-9 {
			t.Fatalf("%q and %q: got at least %.2f by letters, their distance is %.2f", a, b, least, d)
		}
		if d <= 2 {
			near++
		}
	}
	if near < 10_000 {
		t.Errorf("only %d pairs were near", near)
	}
}
