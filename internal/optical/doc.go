// Package optical turns one picture of a document into facts: where the page is, which way is up, what its
// machine-readable zone says, which printed lines state the same, where the portrait is and how good the picture is.
//
// The order is that of usefulness. The machine-readable zone comes first: it is found by its glyphs, which stand at one
// pitch like nothing else, and it says where the page is, how it lies and how large it is. Text is then looked for on
// the page alone. Where no zone is found so, text is looked for everywhere, and the zone among its rows. Each row is cut
// straight from the picture as the camera stored it.
//
// Two networks read the rows of the zone: mrz-read, and text-line held to the characters of ICAO 9303. They differ in
// architecture, alphabet and training text. A row is decoded under what its format fixes, its length and the class of
// each position; nothing is ever substituted until check digits pass. text-line also reads what is printed elsewhere.
//
// A machine-readable zone is Verified when its check digits pass, its fields say what they can (no check digit covers the
// issuer), both readers agree (where other ink lies across a character that no check digit covers: nearly certainly), and no
// printed fact on the page disagrees. Anything less is reported as read but unproven.
package optical
