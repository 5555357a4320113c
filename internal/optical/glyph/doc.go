// Package glyph measures printed signs that readers of lines confuse and that the picture tells apart: strokes of Roman numerals, of which readers often
// see one too few, and noughts and letters O.
package glyph
