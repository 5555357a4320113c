package httpapi

import "testing"

func TestACallThatIsLateForgetsNoShares(t *testing.T) {
	s := &shares{}
	now := s.of("ada", 8)
	if late := s.of("ada", 7); late == now {
		t.Error("a call of the minute before got the share of this one")
	}
	if s.of("ada", 8) != now {
		t.Error("a call of the minute before threw the shares of this one away")
	}
	if s.of("ada", 9) == now {
		t.Error("a share outlived its minute")
	}
}
