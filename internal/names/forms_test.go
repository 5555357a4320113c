package names

import (
	"slices"
	"strings"
	"testing"
)

// TestOneNameInManyForms has invented people whose names are written as languages, romanisations and offices write them.
func TestOneNameInManyForms(t *testing.T) {
	for what, pairs := range map[string][][2]string{
		"Wade-Giles and pinyin": {
			{"Hsu Chih-ming", "Xu Zhiming"}, {"Tsai Chien-kuo", "Cai Jianguo"}, {"Chang Hsueh-liang", "Zhang Xueliang"}, {"Kuo Tzu-i", "Guo Ziyi"},
			{"Jen Po-wen", "Ren Bowen"}, {"Teng Pei-lun", "邓培伦"},
		},
		"surnames in Cantonese and Hokkien": {{"Wong Zhiming", "Huang Zhiming"}, {"Chan Jianguo", "Chen Jianguo"}, {"Tan Wei Lun", "陈伟伦"}},
		"Korean as the South, the North and its bearers romanise it": {
			{"Lee Min Ho", "Yi Min Ho"}, {"Rhee Sung Chul", "Lee Seong Cheol"}, {"Kwon Gi Deok", "Gwon Ki Dok"}, {"곽정은", "Kwak Jong Un"},
			{"조영철", "Cho Yong-chol"}, {"Jang Song-chol", "Chang Seongcheol"}, {"Kwak Jongun", "곽정은"}, {"Roh Tae Gyu", "No Tae Kyu"},
		},
		"j, y and i of Slavic names": {
			{"Sergej Jurjev", "Sergey Yuryev"}, {"Jevgenij Zahranov", "Evgeny Zahranov"},
			{"Jelena Barkhan", "Yelena Barkhan"},
		},
		"Russian, Ukrainian and Belarusian": {
			{"Mykola Zahranenko", "Nikolai Zahranenko"}, {"Dzmitry Barkhan", "Dmitri Barkhan"},
			{"Yauhen Barkhau", "Evgenii Barkhav"},
		},
		"one given name in several tongues": {
			{"Juan Quillfeather", "John Quillfeather"}, {"Giuseppe Oglethorpe", "Joseph Oglethorpe"},
			{"Yorgos Barkhanidis", "Georgios Barkhanidis"},
		},
		"short forms": {
			{"Bob Quillfeather", "Robert Quillfeather"}, {"Sasha Barkhan", "Alexander Barkhan"},
			{"Саша Бархан", "Alexander Barkhan"},
		},
		"abbreviations": {
			{"Mohd Zahran Tevfik", "Mohammed Zahran Tevfik"}, {"Md. Zahran", "Muhammad Zahran"},
			{"Wm Quillfeather", "William Quillfeather"},
		},
		"an article that has grown to a word": {
			{"Alzahran Ilyan", "Ilyan Zahran"}, {"Ilyan Arrashdi", "Ilyan al-Rashdi"},
			{"Ilyan el Masrani", "Ilyan Almasrani"}, {"Ilyan Alaqeel", "Ilyan Aqil"},
		},
		"the article before sun letters": {{"Ilyan ar-Rashdi", "Ilyan al-Rashdi"}, {"Ilyan an-Nuaimani", "Ilyan al-Nuaimani"}},
		"compounds of God and the faith": {
			{"Noureddine Barkhan", "Nur al-Din Barkhan"}, {"Salahuddin Barkhan", "Salah-ed-Dine Barkhan"}, {"Saifullah Barkhan", "Seif Allah Barkhan"},
			{"Ziaul Haq Tevfik", "Zia al-Haq Tevfik"}, {"Zia-ur-Rahman Tevfik", "Ziaurrahman Tevfik"}, {"Nasridin Barkhan", "Nasiruddin Barkhan"},
		},
		"West African and Somali servants":           {{"Abdoulaye Barkhan", "Abdullahi Barkhan"}, {"Abdoulrahman Barkhan", "Abdul Rahman Barkhan"}},
		"a patronymic more in the name searched for": {{"Ali Petrovich Hasanov", "Ali Hasanov"}},
		"an honorific more or less": {
			{"Sayyid Ali Barkhan", "Ali Barkhan"}, {"Ali Barkhan", "Syed Ali Barkhan"},
			{"Daw Thaung Barkhan", "Thaung Barkhan"},
		},
		"generations": {
			{"Ilyan Barkhan III", "Ilyan Barkhan"}, {"Ilyan Barkhan, Jr.", "Ilyan Barkhan"},
			{"Joao Barkhan Filho", "Joao Barkhan"},
		},
		"initials written together": {
			{"TR Quillfeather", "Thomas Ronald Quillfeather"}, {"Quillfeather, TR", "Thomas Ronald Quillfeather"}, {"Jan Srb", "Jan Srb"}, {"Srb, Jan", "Jan Srb"},
		},
	} {
		t.Run(what, func(t *testing.T) {
			for _, p := range pairs {
				for _, d := range [][2]string{p, {p[1], p[0]}} {
					if c := Compare(Parse(d[0]), Parse(d[1]), rare{}); c.Score < Threshold {
						t.Errorf("%q is not found as %q: %+v", d[1], d[0], c)
					}
				}
			}
		})
	}
}

func TestNamesThatAFormMustNotMakeOne(t *testing.T) {
	for what, pairs := range map[string][][2]string{
		"one Chinese syllable is another":    {{"Li Jianguo", "Li Jianhua"}, {"Wang Xiaoming", "Wang Xiaodong"}, {"Hsu Chih-ming", "Xu Jianming"}},
		"one Korean syllable is another":     {{"곽정은", "Kwak Jong Su"}, {"Jang Song-chol", "Jang Song-il"}},
		"a Chinese character read as Korean": {{"岩 平 张", "Chang Ping Yun"}},
		"a servant of another beside a word": {{"Sayed Mohammad Abdul Agha", "Sayed Mohammad Naim Agha"}, {"Ilyan Abdul Barkhan", "Ilyan Wali Barkhan"}},
		"every word is misspelt":             {{"Angelo Mercat", "Angela Merked"}},
		"another gift, another light":        {{"Salah al-Din Barkhan", "Nur al-Din Barkhan"}, {"Saifullah Barkhan", "Habibullah Barkhan"}},
		"names that only sound like cousins": {{"Robert Quillfeather", "Albert Quillfeather"}, {"Oleksandr Barkhan", "Oleksiy Zahran"}},
		"the father of another":              {{"Abu Yusuf Barkhan", "Abu Hamza Barkhan"}},
		"another patronymic is another man":  {{"Ali Petrovich Hasanov", "Ali Ivanovich Hasanov"}},
		"a patronymic is no given name":      {{"Ivan Petrovich", "Pyotr Ivanovich"}},
		"initials written together, others":  {{"TR Quillfeather", "Simon Karl Quillfeather"}},
		"a family name is no initials":       {{"Srb, Jan", "Jan Stepan Roman Barkhan"}, {"Jan Srb", "Jan Stepan Roman Barkhan"}},
		"a syllable of Hangul more":          {{"유진 박", "Ryu Jin"}},
	} {
		t.Run(what, func(t *testing.T) {
			for _, p := range pairs {
				if c := Compare(Parse(p[0]), Parse(p[1]), rare{}); c.Score >= Threshold {
					t.Errorf("%q is found as %q: %+v", p[1], p[0], c)
				}
			}
		})
	}
}

func TestANameThatIsAPartOfALongerOneIsShownAndDoesNotAlarm(t *testing.T) {
	for listed, want := range map[string]Band{
		"Zahran Quill Barkhan Tevfik Oglethorpe Lindqvist": BandDistant, "Quill Barkhan Tevfik": BandNone,
	} {
		if got := band("Zahran", listed); got != want {
			t.Errorf("%q: got %s, want %s", listed, got, want)
		}
	}
	if got := band("Zahran Somebody", "Zahran Quill Barkhan Tevfik"); got != BandNone {
		t.Errorf("a name with another word: got %s", got)
	}
}

func TestEachLineOfTheFamiliesIsOneName(t *testing.T) {
	for line := range strings.Lines(familiesText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		forms := strings.Fields(line)
		first, last := Parse(forms[0]+" Quillfeather"), Parse(forms[len(forms)-1]+" Quillfeather")
		if c := Compare(last, first, rare{}); c.Score < Threshold || c.Words != 2 {
			t.Errorf("%s is not found by %s: %+v", forms[0], forms[len(forms)-1], c)
		}
		for _, form := range forms {
			if n := Parse(form); len(n.Tokens) != 1 || n.Tokens[0].Sort != Word || !isASCII(form) || strings.ToLower(form) != form {
				t.Errorf("%q is not one plain word: %+v", form, n.Tokens)
			}
		}
	}
	if f := FamilyOf(NewToken("robert").Sound); !slices.Contains(f, "bob") {
		t.Errorf("got %v for Robert", f)
	}
}

func TestWadeAndGilesSpellPinyin(t *testing.T) {
	for giles, pinyin := range map[string]string{
		"tsetung": "zedong", "hsiaoping": "xiaoping", "chihkang": "zhigang", "jung": "rong", "kuei": "gui", "yuehhan": "yuehan", "szuyuan": "siyuan",
		"chienyeh": "jianye", "shuo": "shuo", "lo": "luo",
	} {
		if !oneRomanisation(giles, pinyin) {
			t.Errorf("%s is not read as %s", giles, pinyin)
		}
	}
	for giles, pinyin := range map[string]string{"tsetung": "zedang", "hsiaoping": "xiaobin", "": "x", "smith": "smyth"} {
		if oneRomanisation(giles, pinyin) {
			t.Errorf("%s is read as %s", giles, pinyin)
		}
	}
}
