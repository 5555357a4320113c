// Package page finds a document's page in an upright picture and says what it is worth as evidence.
//
// A View holds the picture with what was found on it: runs of text, the machine-readable zone, faces. The page's edges are sought
// round its print as steps in colour; the zone, where there is one, predicts where they are. Inspect measures the page that is
// between them, rectified, in units of the document (line pairs a millimetre), names what prevents reading it, and looks for the
// signs of a copy and of an exchanged portrait.
package page
