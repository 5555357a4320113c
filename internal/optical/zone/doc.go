// Package zone finds the machine-readable zone of a document in a picture and reads it.
//
// It is found by its glyphs, which are at one pitch like nothing else (FindByGlyphs), or among detected runs of text (FindInText).
// Either way a row that looks like a machine-readable line is the anchor; its sisters are sought above and below it, and all rows
// get common ends. Where they make no whole lines, second looks follow the rows beyond their ends, cut them where a format fits, or
// detect text on other copies, until the zone is whole.
//
// Two networks read its lines: mrz-read, and text-line held to the characters of ICAO 9303. A row is decoded by Viterbi search over
// the frames under what its format fixes, its length and the class of each position; no character is replaced until check digits
// pass. Each character's confidence is bounded by its posterior over all paths.
//
// Placement says where the zone is, and with it the page: ICAO 9303 fixes the sizes of both.
package zone
