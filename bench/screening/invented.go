package screening

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// script is how invented words are written: syllables in its letters beside the same in Latin ones.
type script struct {
	own, latin []string
	syllables  int  // of a given name; a family name may have one more
	spaced     bool // given names of several syllables are written apart in Latin
}

// syllables reads syllables, each followed by the same in Latin letters.
func syllables(n int, spaced bool, table string) script {
	s := script{syllables: n, spaced: spaced}
	f := strings.Fields(table)
	for i := 0; i+1 < len(f); i += 2 {
		s.own, s.latin = append(s.own, f[i]), append(s.latin, f[i+1])
	}
	return s
}

// scripts are the ones that the invented lists are written in. The first has no letters of its own.
var scripts = []script{
	syllables(2, false, `ka ka le le mi mi no no ru ru sa sa te te vo vo di di ba ba gar gar han han lin lin mor mor nel nel pe pe
		rik rik son son tor tor ur ur ve ve wal wal ze ze bri bri cla cla dor dor es es fa fa gui gui hor hor is is jo jo`),
	syllables(2, false, `ва va ле le ми mi но no ру ru са sa те te во vo ди di ба ba гор gor жан zhan лин lin мор mor нел nel пе pe
		рик rik сон son тор tor хар khar че che шин shin юр yur яв yav зе ze бри bri кла kla дор dor цев tsev`),
	syllables(2, false, `با ba بر bar جا ja جم jam حا ha حس has خا kha خل khal دا da دين din را ra رش rash زا za زه zah سا sa سل sal شا sha
		شم sham صا sa ضا da طا ta عا a غا gha فا fa فر far قا qa كا ka كر kar لي li ما ma مح mah نا na نو nu ها ha وا wa يا ya`),
	syllables(2, true, `王 wang 李 li 张 zhang 刘 liu 陈 chen 杨 yang 赵 zhao 黄 huang 周 zhou 吴 wu 伟 wei 芳 fang 娜 na 敏 min 静 jing 强 qiang 磊 lei
		军 jun 洋 yang 勇 yong 艳 yan 杰 jie 涛 tao 明 ming 超 chao 霞 xia 平 ping 刚 gang 桂 gui 英 ying 华 hua 玉 yu 兰 lan 文 wen 林 lin 国 guo`),
	syllables(2, true, `김 kim 박 park 정 jung 강 kang 조 cho 윤 yoon 장 jang 한 han 서 seo 민 min 지 ji 수 su 현 hyun 우 woo 준 jun 영 young 진 jin
		호 ho 성 sung 재 jae 은 eun 희 hee 경 kyung 미 mi 상 sang 철 chul 선 sun 나 na 라 ra 동 dong`),
	syllables(3, false, `κα ka λε le μι mi νο no ρα ra σα sa τε te δι di θα tha πο po γι gi ζη zi λο lo πα pa ρο ro στα sta`),
	syllables(2, false, `בר bar גל gal דן dan זל zel חן chen טל tal כץ katz לב lev מן man נר ner סל sal פר par צו tzu רון ron שי shi תם tam`),
	syllables(3, false, `का ka खा kha गो go जी ji ता ta दे de ना na पा pa बा ba मो mo रा ra ला la वी vi शा sha सू su हा ha`),
	syllables(3, false, `ბა ba გი gi დე de ვა va ზა za კო ko ლა la მი mi ნი ni რა ra სო so ში shi ჩა cha ძე dze`),
}

// inventor makes up people. The same seed makes the same people.
type inventor struct {
	draw *rand.Rand
}

func newInventor(seed uint64) *inventor {
	return &inventor{rand.New(rand.NewPCG(seed, 24))} //nolint:gosec // a seed has to make the same invented people again
}

// Invented words are drawn by Zipf's law: a few given names are common, most family names are rare.
const (
	givenNames  = 4_000
	familyNames = 150_000
)

// rank draws a number below n, the small ones often.
func (v *inventor) rank(n int) int {
	return int(math.Pow(float64(n), v.draw.Float64())) - 1
}

// word writes the word of a number, in its own letters and in Latin ones.
func (s script) word(number, least int) (own, latin []string) {
	number += len(s.own) // no word has only the first syllable
	for len(own) < least || number > 0 {
		i := (number*7 + len(own)*3) % len(s.own)
		own, latin = append(own, s.own[i]), append(latin, s.latin[i])
		number /= len(s.own)
	}
	return own, latin
}

// invention is a name in both forms.
type invention struct {
	given, family, own string
}

func (v *inventor) name(s script) invention {
	gap := ""
	if s.spaced {
		gap = " "
	}
	g, gl := s.word(v.rank(givenNames), s.syllables)
	f, fl := s.word(v.rank(familyNames), 1)
	given := strings.Join(gl, gap)
	ownGiven, ownFamily := strings.Join(g, ""), strings.Join(f, "")
	if v.draw.IntN(3) == 0 && !s.spaced {
		more, moreLatin := s.word(v.rank(givenNames), s.syllables)
		given, ownGiven = given+" "+strings.Join(moreLatin, ""), ownGiven+" "+strings.Join(more, "")
	}
	out := invention{given, strings.Join(fl, ""), ownGiven + " " + ownFamily}
	if s.spaced {
		out.own = ownFamily + ownGiven
	}
	return out
}

func (v *inventor) script() script {
	if v.draw.IntN(3) > 0 { // most names of lists are Latin, whatever they were
		return scripts[v.draw.IntN(2)*v.draw.IntN(3)]
	}
	return scripts[v.draw.IntN(len(scripts))]
}

func (v *inventor) birth() names.Dates {
	return names.Day(1935+v.draw.IntN(70), time.Month(1+v.draw.IntN(12)), 1+v.draw.IntN(28))
}

// respell writes a Latin word as another language may.
func (v *inventor) respell(s string) string {
	pairs := [][2]string{{"kh", "h"}, {"sh", "ch"}, {"v", "w"}, {"i", "y"}, {"u", "ou"}, {"k", "c"}, {"zh", "j"}, {"e", "ee"}, {"a", "e"}}
	p := pairs[v.draw.IntN(len(pairs))]
	return strings.Replace(s, p[0], p[1], 1)
}

// entity makes up an entry of one to four names.
func (v *inventor) entity(id int) watchlist.Entity {
	s := v.script()
	n := v.name(s)
	e := watchlist.Entity{
		ID: strconv.Itoa(id), Kind: watchlist.Person, Topics: []string{"sanction"}, Births: []names.Dates{v.birth()},
		Names: []watchlist.ListedName{{Text: n.given + " " + n.family, Given: n.given, Family: n.family, Strength: watchlist.Primary}},
	}
	add := func(text string, strength watchlist.Strength) {
		e.Names = append(e.Names, watchlist.ListedName{Text: text, Strength: strength})
	}
	if v.draw.IntN(2) == 0 {
		add(v.respell(n.given)+" "+v.respell(n.family), watchlist.Good)
	}
	if s.own[0] != s.latin[0] && v.draw.IntN(2) == 0 {
		add(n.own, watchlist.Good)
	}
	if v.draw.IntN(2) == 0 {
		other := v.name(s)
		add(other.given+" "+n.family, watchlist.Good)
	}
	return e
}

// mangle writes a name as a document, a form or a careless hand has it.
func (v *inventor) mangle(text string) string {
	r := []rune(text)
	words := strings.Fields(text)
	switch v.draw.IntN(4) {
	case 0:
		if i := 1 + v.draw.IntN(max(1, len(r)-1)); i < len(r) && r[i] != ' ' && len(r) > 6 {
			return string(r[:i]) + string(r[i+1:])
		}
	case 1:
		if len(words) > 2 {
			return strings.Join(words[1:], " ")
		}
	case 2:
		return strings.Join(append(words[1:], words[0]), " ")
	}
	return text
}
