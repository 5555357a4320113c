// Package optical turns one picture of a document into facts: where the page is, which way is up, what its machine-readable zone
// says, which printed lines state the same, where the portrait is and how good the picture is.
//
// The machine-readable zone comes first (optical/zone): it says where the page is, how it lies and how large it is. Print is then
// looked for on the page alone (optical/ocr); without a zone, everywhere. Each line is cut straight from the picture as the camera
// stored it. Lines of print are read by optical/text, and understood here, with reading; optical/page measures the page.
//
// A machine-readable zone is Verified when its check digits pass, every field holds a possible value (no check digit covers the
// issuer), both readers agree (nearly certainly where other ink crosses a character that no check digit covers), it is wholly in
// view, no other document may be the one that is meant, and no printed fact on the page disagrees. Anything less is reported as
// read but unproven.
package optical
