package lexicon

import "testing"

func TestWhatNamesVietnam(t *testing.T) {
	for text, want := range map[string]bool{
		"HUŸNH": true, "NGUYĒN": true, "ĐĂNG VIĒT": true, "Việt Nam": true, "VIET NAM": true, "Vietnam": true, "Nationality VNM": true, "THỊ HƯƠNG": false,
		"VIETNAMESE QUARTER": false, "NAM": false, "MUSTERFRAU": false, "Đorđević": false, "12.08.1964": false, "": false,
	} {
		if got := NamesVietnam(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestLettersThatOnlyVietnameseWrites(t *testing.T) {
	for text, want := range map[string]bool{"THỊ HƯƠNG": true, "ơ": true, "HUỲNH": false, "OUO": false, "": false} {
		if got := HasVietnameseLetter(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
