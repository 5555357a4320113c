package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenPicture reads a picture that a data set's list names: in the folder of the list or in images below it.
func OpenPicture(dir, file string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		b, err = os.ReadFile(filepath.Join(dir, "images", file))
	}
	if err != nil {
		return nil, fmt.Errorf("open a picture of the data set: %w", err)
	}
	return b, nil
}
