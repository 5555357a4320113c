package httpapi

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/barcode"
)

func (s *Server) handOver(ctx context.Context, _ *posted) (*answer[Handoff], error) {
	made, err := s.sessions.Handoffs.HandOver(ctx, applicantOf(ctx))
	if err != nil {
		return nil, err
	}
	out := Handoff{URL: s.publicURL + "/v/" + made.Link, ExpiresAt: made.ExpiresAt.UTC()}
	out.QR, err = qrOf(out.URL)
	return reply(out, err)
}

func (s *Server) keepHere(ctx context.Context, _ *none) (*answer[Task], error) {
	t, err := s.sessions.Handoffs.KeepHere(ctx, applicantOf(ctx))
	return s.next(ctx, t, err)
}

func (s *Server) handBack(ctx context.Context, _ *posted) (*none, error) {
	return nil, s.sessions.Handoffs.HandBack(ctx, applicantOf(ctx))
}

// qrOf draws a text as a QR code: each run of dark modules in a row is one rectangle of the path.
func qrOf(text string) (QRCode, error) {
	code, err := barcode.WriteQR(text)
	if err != nil {
		return QRCode{}, err
	}
	var path strings.Builder
	for y := range code.H {
		for x := 0; x < code.W; x++ {
			from := x
			for code.At(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	return QRCode{Size: code.W, Path: path.String()}, nil
}
