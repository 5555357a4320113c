// Package icao holds what ICAO Doc 9303 lists rather than computes: the codes
// of states and organisations that issue travel documents or that nationality
// fields name (part 3, section 5), the document codes of parts 4 to 7, and the
// transliterations by which a name printed in a national alphabet becomes the
// A–Z of a machine readable zone (part 3, section 6).
//
// Transliteration is one to many: Ä may become AE or A. So names are never
// compared for equality but by asking whether the zone is *one of* the allowed
// forms of what is printed, with truncation and the order of names allowed for.
package icao
