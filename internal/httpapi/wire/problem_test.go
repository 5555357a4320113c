package wire

import "testing"

func TestAFrameworkPlaceBecomesAPointer(t *testing.T) {
	for in, want := range map[string]string{
		"body": "", "body.items[3].name": "/items/3/name", "query.limit": "limit", "path.id": "id", "header.Last-Event-ID": "Last-Event-ID", "": "", "elsewhere": "",
	} {
		if got := pointer(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestOnlyExpectationsAreTakenOverFromTheFramework(t *testing.T) {
	for in, want := range map[string]string{
		"expected length <= 200": "The API expected length <= 200.",
		"expected string":        "The API expected string.",
		"expected string to be RFC 5322 email: mail: no angle-addr \"secret\"": "",
		"required query parameter is missing":                                  "A required query parameter is missing.",
		"json: cannot unmarshal secret":                                        "",
		"invalid value: secret":                                                "",
	} {
		if got := expectation(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
