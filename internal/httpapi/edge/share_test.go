package edge

import "testing"

func TestACallThatIsLateForgetsNoShares(t *testing.T) {
	s := &shares{}
	now := s.shareOf("ada", 8)
	if late := s.shareOf("ada", 7); late == now {
		t.Error("a call of the minute before got the share of this one")
	}
	if s.shareOf("ada", 8) != now {
		t.Error("a call of the minute before threw the shares of this one away")
	}
	if s.shareOf("ada", 9) == now {
		t.Error("a share outlived its minute")
	}
}
