package barcode

import (
	"bytes"
	"context"
	"syscall"
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

// processor is the processor time of this process so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
