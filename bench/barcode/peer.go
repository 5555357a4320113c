package barcode

import (
	"bytes"
	"context"
	"time"

	"github.com/bonafide-id/bonafide/bench/peer"
)

// askZxing shows a picture to libzxing's ZXingReader (Debian: zxing-cpp-tools) and answers the bytes of the codes that it
// reads; its time is that of the process, picture decoding and start included.
func askZxing(ctx context.Context, picture []byte) ([]byte, time.Duration, error) {
	a, err := peer.ZXing(ctx, picture, "-bytes", "-format", "PDF417,QRCode")
	return []byte(a.Text), a.CPU, err
}

// sameBytes compares what was read with the truth, which may be written in UTF-8 where the code holds Latin-1.
func sameBytes(got, want []byte) bool {
	if bytes.Equal(got, want) || bytes.Equal(got, bytes.TrimRight(want, "\n")) {
		return true
	}
	var utf []rune
	for _, b := range got {
		utf = append(utf, rune(b))
	}
	return string(utf) == string(want) || string(utf) == string(bytes.TrimRight(want, "\n"))
}
