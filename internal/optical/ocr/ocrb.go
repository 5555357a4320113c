package ocr

// OCR-B, size I, as ICAO 9303-3 §4.3 and -4, -5, -6 place it, in units of the pitch, which is 2.54 mm.
const (
	CapHeight   = 2.40 / 2.54     // height of a capital
	LineSpacing = 6.35 / 2.54     // from one line to the next
	CropHeight  = CapHeight / 0.6 // height of a crop that shows one line, as its readers were trained
	CropMargin  = 1.5 * CapHeight // paper left and right of the outermost characters of such a crop
)
