// Package verified answers "who is this?" from a report: each fact once, with the sources that agree on it and the rule that chose
// it, so that nobody who integrates has to choose between DANIEL and DANIËL.
//
// One rule holds for every fact. A reviewer's correction comes first. Then what an issuer signed, where the signature was verified;
// then the machine-readable zone, where it was read beyond doubt; then the barcode; then print; a zone that was not verified comes
// last. Of the sources that agree with the one that was chosen, the value is written as the fullest and most exact of them writes
// it: whole names before truncated ones, letters with diacritics before their transliteration, known days before unknown ones, years
// with a century before the two digits of a zone, and print's capitals before a zone's. The zone says which of its words are the
// family name, and print how they are spelt.
//
// Where sources contradict each other, and neither a signature nor a reviewer settles it, there is no value, and the fact names the
// sources. Nothing is stored: what is answered is computed from the report and erased with it.
package verified
