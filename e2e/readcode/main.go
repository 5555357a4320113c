// Command readcode reads the QR code in a picture and prints its text, as a phone would that is held before a screen. The
// browser tests use it on what they see.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func main() {
	text, err := read(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "readcode:", err)
		os.Exit(1)
	}
	fmt.Println(text)
}

func read(args []string) (string, error) {
	if len(args) != 1 {
		return "", errors.New("name one picture")
	}
	raw, err := os.ReadFile(args[0])
	if err != nil {
		return "", fmt.Errorf("read the picture: %w", err)
	}
	picture, _, err := imaging.Decode(raw, imaging.Limits{})
	if err != nil {
		return "", err
	}
	code, err := barcode.Read(context.Background(), picture.Gray())
	return code.Text, err
}
