// Package gallery finds who among many has a face like one: a flat scan over templates that were turned by a secret of the gallery.
//
// A template enters as 512 numbers and is kept as a Code: turned by the gallery's Rotation, which leaves the cosine of two templates as
// it is and makes codes of two galleries incomparable (ISO/IEC 24745:2022, renewability and unlinkability), and rounded to 8 bits a
// number. A Gallery holds codes in shelves that are never moved or copied: erasing a code overwrites the one place where it is.
// There is no index of neighbours, so nothing else has to forget, and a search has one answer.
//
// How alike two faces have to be depends on how many there are to be mistaken for: see PlanFor.
package gallery
