package text

import (
	"math"
	"testing"
)

func TestWhereLargerPrintMayBeginBehindSmaller(t *testing.T) {
	for _, tc := range []struct {
		name  string
		words []string
		lost  float64 // pixels of white where a first letter was lost
		room  bool
	}{
		{"right behind the label", []string{"Family", "name:", "Olsson"}, -12, false},
		{"a letter further", []string{"Family", "name:", "lsson"}, 12, true},
		{"behind a stroke", []string{"Family", "name", "/", "lsson"}, 12, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pixels := []float64{8, 8, 8, 8}
			pixels[len(tc.words)-1] = 16
			parts := moved(setLine(tc.words, pixels[:len(tc.words)]), len([]rune(tc.words[len(tc.words)-1])), tc.lost).bySize()
			small, large := parts[0], parts[len(parts)-1]
			s, room := large.after(small)
			if room != tc.room {
				t.Fatalf("room for a letter: %v, want %v", room, tc.room)
			}
			if !room {
				return
			}
			right := func(x, length float64) float64 { return x + length/2 }
			if math.Abs(right(s.X, s.Length)-right(large.Strip.X, large.Strip.Length)) > 1e-6 || s.Length < large.Strip.Length+10 {
				t.Errorf("got %v, want it longer than %v to the left", s, large.Strip)
			}
		})
	}
}

// moved is a line whose last characters are so many pixels further to the right.
func moved(l Line, last int, pixels float64) Line {
	long := l.Strip.Length + pixels
	for i := range l.At {
		l.At[i] *= l.Strip.Length / long
		if i >= len(l.At)-last {
			l.At[i] += pixels / long
		}
	}
	l.Strip.X, l.Strip.Length = l.Strip.X+pixels/2, long
	return l
}

func TestAReadingWithMoreLettersBeforeTheLine(t *testing.T) {
	for _, tc := range []struct {
		name, line, read string
		sure             float64
		want             bool
	}{
		{"a letter more", "avle", "Gävle", .99, true},
		{"a figure more", "25015561", "725015561", .99, true},
		{"as it was", "avle", "ävle", .99, false},
		{"other letters", "avle", "Gavlen", .99, false},
		{"a stroke more", "25015561", "/25015561", .99, false},
		{"a word more", "avle", "OFFICEavle", .99, false},
		{"unsurely", "avle", "Gävle", .6, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := Line{Reading: Reading{Text: tc.line}}
			if got := l.endOf(Reading{Text: tc.read, Confidence: tc.sure}); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
