package lexicon

import "testing"

func TestWhatSpeaksForVietnamese(t *testing.T) {
	for text, want := range map[string]bool{
		"HUŸNH": true, "NGUYĒN": true, "ĐĂNG VIĒT": true, "Việt Nam": true, "VIET NAM": true, "Vietnam": true, "Nationality VNM": true, "THỊ HƯƠNG": true,
		"VIETNAMESE QUARTER": false, "NAM": false, "MUSTERFRAU": false, "Đorđević": false, "12.08.1964": false, "": false,
	} {
		if got := SpeaksForVietnamese(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
