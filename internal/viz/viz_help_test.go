package viz

import (
	"math"
	"strings"
)

// tilted turns a page's lines about its corner, clockwise by radians.
func tilted(by float64, lines ...Line) Page {
	sin, cos := math.Sincos(by)
	for i := range lines {
		s := &lines[i].Strip
		s.X, s.Y, s.Tilt = s.X*cos-s.Y*sin, s.X*sin+s.Y*cos, by
	}
	return pageOf(lines...)
}

// across joins two lines of one row as a detector does that takes them for one.
func across(a, b Line) Line {
	left, right := a.Strip.X-a.Strip.Length/2, b.Strip.X+b.Strip.Length/2
	out := Line{Text: a.Text + " " + b.Text, Strip: Strip{X: (left + right) / 2, Y: a.Strip.Y, Length: right - left, Height: a.Strip.Height}}
	for _, l := range []Line{a, {}, b} {
		n := len([]rune(l.Text))
		if n == 0 { // the space between them
			out.At = append(out.At, (a.Strip.X+a.Strip.Length/2-left)/out.Strip.Length)
		}
		for i := range n {
			x := l.Strip.X - l.Strip.Length/2 + (float64(i)+.5)/float64(n)*l.Strip.Length
			out.At = append(out.At, (x-left)/out.Strip.Length)
		}
	}
	return out
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}
