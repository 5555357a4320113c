// Package text reads lines of ordinary print: Latin, Cyrillic and Greek letters, and Vietnamese. It reads each row of a page with the networks of optical/ocr,
// tells in which script that is, and looks at parts of a line a second time: in several crops, which it combines by likelihood, and letter by letter
// (optical/letter). What these networks guess and the picture shows it measures (optical/glyph). It knows nothing of machine-readable zones, of
// documents or of what lines say: those who ask for a line tell it which readings are possible.
package text
