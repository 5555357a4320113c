// Package viz turns the printed lines of a document page into facts. It sees no pixels: a line is a text, how sure its
// reader was of each character, and where it stands. (ICAO 9303 calls the printed part the visual inspection zone.)
//
// A fact is found by its label: the words that documents print beside a value, in some thirty languages, or the field
// numbers of driving licences. Labels and values are paired by where they stand and by whether the value can be one:
// a date of birth is a date, a surname has no digits. What is printed in ordinary letters becomes what it means:
// 12 AUG/AOÛT 74 is 1974-08-12, K/F is F, DEUTSCH is D.
//
// What can be read in two ways is left out. 03/04/2030 is no date until the issuer, or another date on the page, says
// which number is the month; a year of two digits has its century by the field's meaning; nothing is guessed.
//
// Compare then holds the page against what the machine-readable zone says, by the set of allowed transliterations.
package viz
