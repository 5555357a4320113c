package optical

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/bonafide-id/bonafide/internal/aamva"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// barcodeTime bounds the search for a code on a page that may well have none.
const barcodeTime = 3 * time.Second

// readBarcode looks for a code where documents carry one: not on passports and visas, whose zone states the same. It searches the
// whole picture at full size: a code that spans a sixth of it has two pixels a module, which a smaller copy would lose.
func (w *work) readBarcode(ctx context.Context) error {
	if w.page.Kind == idv.Passport || w.page.Kind == idv.Visa {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, barcodeTime)
	defer cancel()
	code, err := barcode.Read(limited, w.img.Luma())
	if errors.Is(err, barcode.ErrNotFound) || err != nil && limited.Err() != nil && ctx.Err() == nil {
		return nil // none, or none in the time that a page is worth
	}
	if err != nil {
		return err
	}
	b := &idv.Barcode{Format: string(code.Format), Text: code.Text}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range code.Quad {
		x0, x1 = math.Min(x0, p.X), math.Max(x1, p.X)
		y0, y1 = math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	b.Box = page.BoxOf(x0, y0, x1, y1, w.img)
	w.page.Barcode = b
	w.readLicence(b)
	return nil
}

// readLicence adds the facts of a North American driving licence or identity card that its code states.
func (w *work) readLicence(b *idv.Barcode) {
	p, err := aamva.Parse(b.Text)
	if err != nil {
		return // some other code: shown, not understood
	}
	b.Fields, b.HeightCM, b.Jurisdiction = p.Elements, p.HeightCM, subdivision(p)
	for _, f := range p.Faults {
		b.Faults = append(b.Faults, f.String())
	}
	if w.page.Kind == idv.UnknownKind {
		w.page.Kind = idv.DrivingLicence
		if p.Type == "ID" {
			w.page.Kind = idv.IDCard
		}
	}
	if w.page.Issuer == "" {
		w.page.Issuer = p.Country
	}
	for _, c := range []struct {
		name  idv.ClaimName
		value string
	}{
		{idv.FamilyName, p.FamilyName}, {idv.GivenNames, p.GivenNames}, {idv.DocumentNumber, p.Number},
		{idv.DateOfBirth, p.DateOfBirth}, {idv.DateOfExpiry, p.DateOfExpiry}, {idv.DateOfIssue, p.DateOfIssue},
		{idv.Sex, p.Sex}, {idv.Issuer, p.Country}, {idv.Address, p.Address},
	} {
		if c.value != "" {
			box := b.Box
			// Error correction leaves no doubt about what was read.
			w.page.Claims = append(w.page.Claims, idv.Claim{Name: c.name, Value: c.value, Source: idv.FromBarcode, Confidence: 1, Box: &box})
		}
	}
}

// subdivision returns the ISO 3166-2 code of the state or province that issued the card, empty where its number is not listed or
// belongs to a country's own office.
func subdivision(p aamva.Payload) string {
	country := map[string]string{"USA": "US", "CAN": "CA"}[p.Country]
	if country == "" || p.Jurisdiction == "" {
		return ""
	}
	return country + "-" + p.Jurisdiction
}
