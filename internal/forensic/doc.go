// Package forensic looks for signs that a picture of a document is not a picture of that document: of a screen's grid, of
// the dots of a print, of colour that is missing where the scene has colour, of a portrait that is not part of its page.
//
// It sees pixels only and knows no decisions. Every sign is one number with a unit and a direction; what number is too
// high, and how often that errs, is measured elsewhere (bench/copies) and stated with the number.
//
// Signs fade with resolution: a print of 150 lines an inch cannot be told from a page at 8 pixels a millimetre. Where a
// picture is too coarse or too blurred for a sign its number is low, which says nothing.
package forensic
