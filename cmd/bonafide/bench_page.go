package main

import "github.com/bonafide-id/bonafide/bench"

// benchPage is `bonafide bench page`.
type benchPage struct {
	Dir string `arg:"" help:"The folder of galleries, docs/failures."`
}

// galleries are the folders that measurements keep their failures in, by --failures.
var galleries = []bench.Section{
	{Dir: "mrz", Title: "Machine-readable zones", About: "Camera pictures of all formats, hard ones among them. Shown is the zone as it lies in the picture."},
	{Dir: "facts", Title: "Facts of the printed zone", About: "Documents of every kind and language. Shown is the page."},
	{Dir: "barcode", Title: "Barcodes", About: "PDF417 and QR, alone and on a page, tilted, small, blurred, damaged."},
	{Dir: "aamva", Title: "North American driving licences", About: "Cards of every AAMVA version; every field must be equal."},
	{Dir: "copies", Title: "Copies and changed portraits", About: "Genuine pictures that were taken for copies, and copies that were not noticed."},
}

// Run writes the page of what the readers failed on.
func (c *benchPage) Run() error { return bench.WritePage(c.Dir, galleries) }
