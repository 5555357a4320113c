package reading

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// netShapes are the tensors of a network of five witnesses.
func netShapes() map[string][2]int {
	out := map[string][2]int{
		"parts": {PartBuckets, netDepth}, "forms": {FormBuckets, netDepth}, "word.weight": {netWidth, 2 * netDepth}, "word.bias": {1, netWidth},
		"number.weight": {netWidth, WordNumbers}, "places": {placeKinds, netLayers * netHeads}, "last.weight": {1, netWidth}, "last.bias": {1, netWidth},
		"ends.weight": {3 * netHidden, netWidth}, "ends.bias": {1, 3 * netHidden}, "judge.weight": {facts, netHidden}, "judge.bias": {1, facts},
		"page.weight": {netHidden, 2 * netWidth}, "page.bias": {1, netHidden}, "none.weight": {facts, netHidden}, "none.bias": {1, facts},
		"terms": {5, netHidden}, "direct": {5, facts}, "missed": {5, netHidden}, "absent": {5, facts},
	}
	for k := range netLayers {
		for name, shape := range map[string][2]int{
			"before.weight": {1, netWidth}, "before.bias": {1, netWidth}, "between.weight": {1, netWidth}, "between.bias": {1, netWidth},
			"into.weight": {3 * netWidth, netWidth}, "into.bias": {1, 3 * netWidth}, "out.weight": {netWidth, netWidth}, "out.bias": {1, netWidth},
			"up.weight": {netInner, netWidth}, "up.bias": {1, netInner}, "down.weight": {netWidth, netInner}, "down.bias": {1, netWidth},
		} {
			out[fmt.Sprintf("layers.%d.%s", k, name)] = shape
		}
	}
	return out
}

var fiveWitnesses = []string{"a", "b", "c", "d", "e"}

// inventedNet is the network of models/reading/test_net.py: its weights are a formula.
func inventedNet(t *testing.T) *Net {
	t.Helper()
	tensors := map[string]Tensor{}
	for name, shape := range netShapes() {
		x := Tensor{Rows: shape[0], Columns: shape[1], Values: make([]float32, shape[0]*shape[1])}
		for i := range x.Values {
			x.Values[i] = float32(.1 * math.Sin(.37*float64(i)+float64(len(name))))
		}
		tensors[name] = x
	}
	n, err := NewNet(fiveWitnesses, tensors)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// seenPage is the page of models/reading/test_net.py.
func seenPage() Sight {
	s := Sight{
		Words:  []SeenWord{{Parts: []int{1, 2}, Forms: []int{4}}, {Parts: []int{3, 500}, Forms: []int{5}}, {Parts: []int{16000}, Forms: []int{2000}}},
		Places: []uint8{0, 6, 24, 16, 0, 30, 54, 60, 0}, Absence: []Feature{{"b", 1}},
		Candidates: []SeenCandidate{
			{Words: []int{0, 1}, Terms: []Feature{{"a", 1}, {"d", .5}, {"not a witness", 9}}}, {Words: []int{2}, Terms: []Feature{{"e", 2}}},
		},
	}
	for i := range s.Words {
		for k := range s.Words[i].Numbers {
			s.Words[i].Numbers[k] = .01 * float32(i+k)
		}
	}
	return s
}

func TestTheNetworkAnswersAsItWasTrained(t *testing.T) {
	scores, none := inventedNet(t).Scores(seenPage())
	for i, x := range [][2]float64{{scores[0][0], .232707}, {scores[1][12], -.331018}, {none[0], .031854}, {none[12], .450610}} {
		if math.Abs(x[0]-x[1]) > 1e-3 {
			t.Errorf("answer %d is %f, want %f (models/reading/test_net.py)", i, x[0], x[1])
		}
	}
}

func TestAPageWithoutWordsIsJudgedByNothing(t *testing.T) {
	scores, none := inventedNet(t).Scores(Sight{})
	if len(scores) != 0 || none != [facts]float64{} {
		t.Errorf("got %v and %v", scores, none)
	}
}

// netFile is a network as models/reading/train.py writes it.
func netFile(t testing.TB, change func(named [][2]any, b *bytes.Buffer)) []byte {
	t.Helper()
	var named [][2]any
	var numbers bytes.Buffer
	for name, shape := range netShapes() {
		dims := []int{shape[0], shape[1]}
		if shape[0] == 1 {
			dims = dims[1:]
		}
		named = append(named, [2]any{name, dims})
		if err := binary.Write(&numbers, binary.LittleEndian, make([]float32, shape[0]*shape[1])); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(named, &numbers)
	}
	head, err := json.Marshal(named)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(head, '\n'), numbers.Bytes()...)
}

func TestNetworksOfAnotherShapeAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		raw        []byte
	}{
		{"none", "EOF", nil},
		{"no JSON", "invalid character", []byte("x\n")},
		{"three dimensions", "dimensions", []byte(`[["parts",[1,2,3]]]` + "\n")},
		{"too large", "too large", []byte(`[["parts",[16777216,16777216]]]` + "\n")},
		{"a tensor that breaks off", "EOF", netFile(t, func(_ [][2]any, b *bytes.Buffer) { b.Truncate(b.Len() - 1) })},
		{"a tensor of another name", "want", netFile(t, func(named [][2]any, _ *bytes.Buffer) { named[0][0] = "other" })},
		{"a weight that is no number", "no number", netFile(t, func(_ [][2]any, b *bytes.Buffer) { copy(b.Bytes(), []byte{0, 0, 0xc0, 0x7f}) })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ReadNet(bytes.NewReader(tc.raw), fiveWitnesses)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
	if _, err := ReadNet(bytes.NewReader(netFile(t, nil)), fiveWitnesses); err != nil {
		t.Error(err)
	}
}

func TestPackedTensorsAreNearlyTheSame(t *testing.T) {
	x := Tensor{Rows: 2, Columns: 3, Values: []float32{.5, -1, .25, 0, 0, 0}}
	got, err := packedOf(x, 0).tensor()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Values {
		if math.Abs(float64(v-x.Values[i])) > .005 {
			t.Errorf("weight %d is %f, want %f", i, v, x.Values[i])
		}
	}
	if small, err := packedOf(x, 2).tensor(); err != nil || small.Values[1] != 0 {
		t.Errorf("small rows are kept: %v, %v", small, err)
	}
	if _, err := (packed{Rows: 2, Columns: 3, Steps: []float32{1}}).tensor(); err == nil {
		t.Error("a tensor without its weights is taken")
	}
}

func FuzzNetworks(f *testing.F) {
	f.Add([]byte(`[["parts",[2]]]` + "\n12345678"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if n, err := ReadNet(bytes.NewReader(raw), fiveWitnesses); err == nil && n == nil {
			t.Error("neither a network nor an error")
		}
	})
}

func TestWhereWordsLieToEachOther(t *testing.T) {
	word := func(row, n int, x0, x1, y float64) placed { return placed{row, n, x0, x1, y, 10} }
	value := word(1, 0, 0, 50, 20)
	for _, tc := range []struct {
		name string
		to   placed
		want uint8
	}{
		{"itself", value, 0},
		{"the next of its row", word(1, 1, 55, 90, 20), 6},
		{"the one before it, far", word(1, -1, -200, -150, 20), 20},
		{"on its row, of another line", word(2, 0, 90, 120, 21), 3},
		{"right above, flush", word(0, 0, 0, 30, 0), 24 + 6},
		{"right below, over its end", word(3, 0, 40, 80, 40), 24 + 6*6 + 1},
		{"far below to the right", word(4, 0, 400, 500, 200), 24 + 6*9 + 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := placeOf(value, tc.to); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

func TestFormsOfWords(t *testing.T) {
	rows := rowsOf(sheet(printed{x: 100, y: 100, text: "Born: 12.08.1964 / Ab3"}))
	for i, want := range []string{
		"=Aaaa ~Aa l4 < >: #none", "=00 ~0 l2 <: >. #month 2", "=00 ~0 l2 <. >. #month 2",
		"=0000 ~0 l4 <. >/ #year 196", "=Aa0 ~Aa0 l3 </ > #none",
	} {
		if got := strings.Join(formsOf(rows[0], i), " "); got != want {
			t.Errorf("word %d: got %q, want %q", i, got, want)
		}
	}
}

func TestAPageIsSeenByItsWords(t *testing.T) {
	_, s := SightOf(sheet(printed{x: 100, y: 100, text: "Surname"}, printed{x: 100, y: 150, text: "ERIKA MUSTERFRAU"}))
	if len(s.Words) != 3 || len(s.Places) != 9 {
		t.Fatalf("%d words, %d places", len(s.Words), len(s.Places))
	}
	if got := s.Words[0].Numbers[11+fSurname]; got < .9 {
		t.Errorf("the label says %f of family names", got)
	}
	both := false
	for _, c := range s.Candidates {
		both = both || len(c.Words) == 2 && c.Words[0] == 1 && c.Words[1] == 2
	}
	if !both {
		t.Error("no candidate has both names")
	}
}
