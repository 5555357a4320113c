package idv

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"
)

func packedChip(t testing.TB) (ChipRead, []byte) {
	t.Helper()
	read := ChipRead{
		Files:     []ChipFile{{"EF.SOD", []byte("signed")}, {"DG1", []byte("zone")}, {"DG2", []byte("face")}},
		Challenge: []byte("12345678"), Response: []byte("answer"), ReceivedAt: time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC),
	}
	raw, err := PackChip(read)
	if err != nil {
		t.Fatal(err)
	}
	return read, raw
}

func TestFilesOfAChipArePackedAndOpened(t *testing.T) {
	t.Parallel()
	want, raw := packedChip(t)
	got, err := OpenChip(raw)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "another thing": []byte("bonafide frames 1\n0000"), "cut off": raw[:len(raw)-1], "with more": append(bytes.Clone(raw), 0),
		"head cut off": raw[:len(chipMagic)+6],
	} {
		if _, err := OpenChip(b); !errors.Is(err, ErrNotChip) {
			t.Errorf("%s: %v, want ErrNotChip", name, err)
		}
	}
	if _, err := PackChip(ChipRead{Files: make([]ChipFile, MostChipFiles+1)}); err == nil {
		t.Error("too many files are packed")
	}
}

func FuzzOpenChip(f *testing.F) {
	_, raw := packedChip(f)
	f.Add(raw)
	f.Add([]byte(chipMagic + "\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		read, err := OpenChip(b)
		if err != nil {
			if !errors.Is(err, ErrNotChip) {
				t.Fatalf("another error: %v", err)
			}
			return
		}
		total := 0
		for _, file := range read.Files {
			total += len(file.Bytes)
		}
		if len(read.Files) > MostChipFiles || total > len(b) {
			t.Fatalf("%d files of %d bytes from %d", len(read.Files), total, len(b))
		}
	})
}
