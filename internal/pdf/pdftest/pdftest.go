// Package pdftest makes PDF files for tests.
package pdftest

import (
	"bytes"
	"crypto/md5" //nolint:gosec // as PDF 1.1 encrypts
	"crypto/rc4" //nolint:gosec // as PDF 1.1 encrypts
	"fmt"
	"image/jpeg"
)

// File returns a PDF file with one page for each JPEG picture, which fills a page of A4's width.
func File(pictures ...[]byte) []byte {
	d := newDocument(len(pictures))
	for i, p := range pictures {
		d.picture(i, p)
	}
	return d.end("")
}

// Blank returns a PDF file of that many empty pages.
func Blank(pages int) []byte {
	d := newDocument(pages)
	for i := range pages {
		d.page(i, "", "", 595, 842)
	}
	return d.end("")
}

// Drawn returns a PDF file of one page of that size in points, with content as its content stream.
func Drawn(content string, width, height float64) []byte {
	d := newDocument(1)
	d.page(0, content, "", width, height)
	return d.end("")
}

// padding fills a password up to 32 bytes (ISO 32000-1 §7.6.3.3).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// Encrypted returns a PDF file that opens with the password "secret" only (ISO 32000-1 §7.6, algorithm 2 and 3 of revision 2).
func Encrypted() []byte {
	id := bytes.Repeat([]byte{7}, 16)
	padded := append([]byte("secret"), padding...)[:32]
	ownerKey := md5.Sum(padded)
	owner := cipher(ownerKey[:5], padded)
	key := md5.Sum(append(append(append(bytes.Clone(padded), owner...), 0xfc, 0xff, 0xff, 0xff), id...))
	user := cipher(key[:5], []byte(padding))
	d := newDocument(1)
	d.page(0, "", "", 595, 842)
	d.object(fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P -4 >>", owner, user))
	return d.end(fmt.Sprintf("/Encrypt %d 0 R /ID [<%x> <%x>]", len(d.at), id, id))
}

func cipher(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}

// document is a file in the making: the catalogue and the tree of pages are its first two objects.
type document struct {
	bytes.Buffer
	at []int // where each object begins
}

// objectsOfPage is how many objects a page takes: itself, its content, its picture.
const objectsOfPage = 3

func newDocument(pages int) *document {
	d := &document{}
	d.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	d.object("<< /Type /Catalog /Pages 2 0 R >>")
	var kids bytes.Buffer
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstOf(i))
	}
	d.object(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [ %s] >>", pages, kids.String()))
	return d
}

func firstOf(page int) int { return 3 + objectsOfPage*page }

func (d *document) object(body string) {
	d.at = append(d.at, d.Len())
	_, _ = fmt.Fprintf(d, "%d 0 obj\n%s\nendobj\n", len(d.at), body)
}

func (d *document) stream(entries string, b []byte) {
	d.object(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(b), b))
}

func (d *document) page(i int, content, resources string, width, height float64) {
	first := firstOf(i)
	d.object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R /Resources << %s >> >>",
		width, height, first+1, resources))
	d.stream("", []byte(content))
	if resources == "" {
		d.object("null")
	}
}

func (d *document) picture(i int, b []byte) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		panic(err)
	}
	width := 595.0
	height := width * float64(c.Height) / float64(c.Width)
	d.page(i, fmt.Sprintf("q %.2f 0 0 %.2f 0 0 cm /P Do Q", width, height), fmt.Sprintf("/XObject << /P %d 0 R >>", firstOf(i)+2), width, height)
	d.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
		c.Width, c.Height), b)
}

// end writes the cross-reference table and the trailer.
func (d *document) end(entries string) []byte {
	start := d.Len()
	_, _ = fmt.Fprintf(d, "xref\n0 %d\n0000000000 65535 f \n", len(d.at)+1)
	for _, at := range d.at {
		_, _ = fmt.Fprintf(d, "%010d 00000 n \n", at)
	}
	_, _ = fmt.Fprintf(d, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(d.at)+1, entries, start)
	return d.Bytes()
}
