// Package optical turns one picture of a document into facts: where the page is, which way is up, what its
// machine-readable zone says, which printed lines state the same, where the portrait is and how good the picture is.
//
// The order is that of usefulness. Text is detected once on a small copy; the row that looks most like a
// machine-readable line anchors everything else: its slope levels the page, its pitch gives the distance and the
// ends of its sister rows, and each row is cut straight from the full picture. Two readers that share nothing read
// the rows: our own (mrz-read) and PP-OCR held to the characters of ICAO 9303. A row is decoded under what its
// format fixes, its length and the class of each position; nothing is ever substituted until check digits pass.
// The printed zone is then searched for what the machine-readable zone says, and only as long as facts are missing.
//
// A machine-readable zone is Verified when its check digits pass, both readers agree, and no printed fact on the
// page disagrees. Anything less is reported as read but unproven.
package optical
