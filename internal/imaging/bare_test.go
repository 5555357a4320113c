package imaging

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// located is an EXIF block with an orientation and, behind it, a place and a device as a camera writes them.
func located(order binary.AppendByteOrder, orientation uint16) []byte {
	return append(exif(order, orientation), "GPSLatitude 52/1 31/1 12/1 N; SecretCam 9000; 2026:11:21"...)
}

// secrets are what no bare picture may hold.
var secrets = []string{"GPSLatitude", "SecretCam", "http://ns.adobe.com", "a comment", "behind", "between", "palmtree"}

func segment(marker byte, body string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

// inJPEG puts segments behind the start of a JPEG.
func inJPEG(jpg []byte, segments ...[]byte) []byte {
	return append(append(append([]byte{}, jpg[:2]...), bytes.Join(segments, nil)...), jpg[2:]...)
}

func TestABarePictureShowsTheSameAndTellsNothingElse(t *testing.T) {
	q := quarters(32, 24)
	jpg, pn := asJPEG(t, q), asPNG(t, q)
	beside := [][]byte{
		segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>SecretCam</x:xmpmeta>"), segment(0xed, "Photoshop 3.0\x00SecretCam"), segment(0xfe, "a comment"),
		segment(0xe2, "MPF\x00SecretCam"), segment(0xe0, "JFXX\x00\x10SecretCam"),
	}
	colours := segment(0xe2, "ICC_PROFILE\x00\x01\x01colours")
	for name, raw := range map[string][]byte{
		"JPEG of a camera, upright": inJPEG(withEXIF(jpg, located(binary.BigEndian, 1)), beside...),
		"JPEG of a camera, turned": append(
			inJPEG(withEXIF(jpg, located(binary.LittleEndian, 6)), beside...), "behind the end: another picture"...,
		),
		"JPEG with a colour profile":       inJPEG(jpg, append([][]byte{colours}, beside...)...),
		"JPEG with a thumbnail in JFIF":    inJPEG(jpg, segment(0xe0, "JFIF\x00\x01\x02\x01\x00\x48\x00\x48\x03\x01palmtree.")),
		"JPEG with words behind Adobe's":   inJPEG(jpg, segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01SecretCam")),
		"JPEG with words between segments": inJPEG(jpg, segment(0xfe, "a comment"), []byte("between two segments")),
		"PNG, turned": append(
			withChunk(withChunk(pn, "tEXt", []byte("Comment\x00a comment SecretCam")), "eXIf", located(binary.BigEndian, 3)), "behind"...,
		),
		"PNG with a private chunk":                        withChunk(pn, "caNv", []byte("SecretCam")),
		"PNG with an unknown chunk that claims to matter": withChunk(pn, "SECR", []byte("SecretCam")),
		"PNG with a chunk that is a part of the list":     withChunk(pn, "NS c", []byte("SecretCam")),
		"PNG with words behind the size of a pixel":       withChunk(pn, "pHYs", []byte("\x00\x00\x0b\x13\x00\x00\x0b\x13\x01SecretCam")),
		"WebP with a second picture behind the first": riff(
			vp8x(0, 30, 20), vp8l(30, 20, 1, 2, 3), riffChunk("VP8L", append(vp8l(30, 20, 4, 5, 6)[8:], "SecretCam"...)),
		),
		"WebP, turned": append(
			riff(vp8x(0x0c, 30, 20), vp8l(30, 20, 1, 2, 3), riffChunk("EXIF", located(binary.LittleEndian, 6)), riffChunk("XMP ", []byte("SecretCam"))),
			"behind"...,
		),
		"WebP with what nobody knows":      riff(vp8x(0, 30, 20), riffChunk("JUNK", []byte("SecretCam")), vp8l(30, 20, 1, 2, 3)),
		"a picture with nothing beside it": jpg,
	} {
		t.Run(name, func(t *testing.T) {
			want, before, err := Decode(raw, Limits{})
			if err != nil {
				t.Fatalf("the picture of the test: %v", err)
			}
			bare, err := Bare(raw)
			if err != nil {
				t.Fatal(err)
			}
			got, after, err := Decode(bare, Limits{})
			if err != nil {
				t.Fatalf("it does not open any more: %v", err)
			}
			if got.W != want.W || !bytes.Equal(got.Pix, want.Pix) || before.Orientation != after.Orientation || before.Format != after.Format {
				t.Errorf("it shows something else: %+v, was %+v", after, before)
			}
			for _, s := range secrets {
				if bytes.Contains(bare, []byte(s)) {
					t.Errorf("it tells %q", s)
				}
			}
			if bytes.Contains(raw, colours) != bytes.Contains(bare, colours) {
				t.Error("the colour profile is gone")
			}
			if again, err := Bare(bare); err != nil || !bytes.Equal(again, bare) {
				t.Errorf("bare twice is another: %v", err)
			}
		})
	}
	if same, _ := Bare(jpg); !bytes.Equal(same, jpg) {
		t.Error("a picture with nothing beside it was changed")
	}
	if _, err := Bare([]byte("no picture")); err == nil {
		t.Error("what is no picture was taken for one")
	}
}

func FuzzBare(f *testing.F) {
	q := quarters(16, 12)
	f.Add(withEXIF(asJPEG(f, q), located(binary.BigEndian, 6)))
	f.Add(withChunk(asPNG(f, q), "eXIf", located(binary.LittleEndian, 5)))
	f.Add(inJPEG(asJPEG(f, q), segment(0xe0, "JFIF\x00\x01\x02\x01\x00\x48\x00\x48\x01\x01abc"), segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01more")))
	f.Add(riff(vp8x(0x08, 9, 7), vp8l(9, 7, 1, 2, 3), riffChunk("EXIF", located(binary.LittleEndian, 8))))
	f.Fuzz(func(t *testing.T, b []byte) {
		want, info, err := Decode(b, Limits{MaxPixels: 1 << 16})
		if err != nil {
			return
		}
		bare, err := Bare(b)
		if err != nil {
			t.Fatalf("what opens has no bare form: %v", err)
		}
		got, now, err := Decode(bare, Limits{MaxPixels: 1 << 16})
		if err != nil || !bytes.Equal(got.Pix, want.Pix) || now.Orientation != info.Orientation {
			t.Errorf("it shows something else: %+v, was %+v, %v", now, info, err)
		}
	})
}
