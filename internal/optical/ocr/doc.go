// Package ocr finds lines of text in a picture and cuts them for their readers.
//
// Text is found in two ways: by a network, as runs of print anywhere (Detector), and without one, as glyphs of one size that stand
// in a straight line at one pitch (FindChains), which costs a fraction and finds machine-readable lines whichever way they lie.
// Either way a line is a Strip, a rectangle at any angle in pixels of the picture, from which Crop cuts it level.
//
// LineReader runs the network for printed lines and returns its scores. What they spell is decided by those who call it: held to
// the machine-readable alphabet for a zone, or as ordinary print.
package ocr
