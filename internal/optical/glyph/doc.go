// Package glyph measures printed characters on the picture, to settle what line readers guess: how many strokes a Roman numeral has, and whether a round
// character is a zero or the letter O.
package glyph
