package pdf

import "testing"

// Compiled returns a Renderer of its own that uses what another one compiled.
func Compiled(t testing.TB, from *Renderer, o Options) *Renderer {
	t.Helper()
	leave := Enter(t, from)
	defer leave()
	if from.sandbox.cache == nil {
		if err := from.sandbox.start(); err != nil {
			t.Fatal(err)
		}
	}
	r := New(o)
	r.sandbox.cache = from.sandbox.cache
	return r
}

// Enter takes the turn of a file.
func Enter(t testing.TB, r *Renderer) (leave func()) {
	t.Helper()
	leave, err := r.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return leave
}
