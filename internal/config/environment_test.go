package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAVariableThatIsAlmostASettingIsNamedWithIt(t *testing.T) {
	known := map[string]bool{"BONAFIDE_PUBLIC_URL": true, "BONAFIDE_DATABASE": true, "BONAFIDE_MASTER_KEY": true, "BONAFIDE_TLS_KEY": true}
	tests := map[string]struct {
		environ []string
		want    string
	}{
		"letters that are swapped": {[]string{"BONAFIDE_PUBLIC_ULR=x"}, "BONAFIDE_PUBLIC_ULR is no setting: did you mean BONAFIDE_PUBLIC_URL?"},
		"two slips at once": {
			[]string{"BONAFIDE_PUBLICURL=x", "BONAFIDE_DATABSE=y"},
			"BONAFIDE_PUBLICURL is no setting: did you mean BONAFIDE_PUBLIC_URL?\nBONAFIDE_DATABSE is no setting: did you mean BONAFIDE_DATABASE?",
		},
		"a short name of something else":    {[]string{"BONAFIDE_TEST_KEY=secret"}, ""},
		"a variable that an argument names": {[]string{"BONAFIDE_MASTER_KEY2=secret"}, ""},
		"a setting":                         {[]string{"BONAFIDE_DATABASE=sqlite:x"}, ""},
		"something else":                    {[]string{"BONAFIDE_DATA=/data", "HOME=/root", "ONAFIDE_DATABASE=x"}, ""},
		"a variable that a setting names":   {[]string{"BONAFIDE_MASTER_KEYS=secret", "BONAFIDE_MASTER_KEY=env:BONAFIDE_MASTER_KEYS"}, ""},
		"nothing of what the variable says": {
			[]string{"BONAFIDE_MASTER_KE=bonafide-master-1:secret"},
			"BONAFIDE_MASTER_KE is no setting: did you mean BONAFIDE_MASTER_KEY?",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := CheckEnvironment(tt.environ, []string{"serve", "--master-key", "env:BONAFIDE_MASTER_KEY2"}, known); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
