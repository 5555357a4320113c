package store

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// flowLogos: a logo is kept once, by its pixels, and a draft names only one that is kept.
func flowLogos(t *testing.T, d *deployment) {
	ctx := as(t, senta)
	var raw bytes.Buffer
	if err := png.Encode(&raw, image.NewNRGBA(image.Rect(0, 0, 4, 2))); err != nil {
		t.Fatal(err)
	}
	first, err := d.flows().AddLogo(ctx, raw.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.flows().AddLogo(ctx, append(raw.Bytes(), "more"...)); err != nil || again != first {
		t.Errorf("the same pixels again: %s, %v, want %s", again, err, first)
	}
	wantAudited(t, d, "workflow.logo_added")
	kept, err := d.flows().Logo(ctx, first)
	if err != nil || bytes.Contains(kept, []byte("more")) {
		t.Errorf("kept: %d bytes, %v", len(kept), err)
	}
	for _, other := range []string{strings.Repeat("a", 64), "", "../" + first} {
		if _, err := d.flows().Logo(ctx, other); !problem.Has(err, problem.NotFound) {
			t.Errorf("logo %q: %v", other, err)
		}
	}
	draft := d.flowDraft(t, ctx, "branded", func(w *idv.WorkflowVersion) { w.Brand = idv.Brand{Name: "Example Bank", Logo: first} })
	spec := draft.WorkflowVersion
	spec.Brand.Logo = strings.Repeat("a", 64)
	if _, err := d.flows().Save(ctx, draft.Workflow, draft.Revision, spec); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a draft with a logo that nobody sent: %v", err)
	}
}

// beforeLogos undoes the migration of logos.
var beforeLogos = []string{"DROP TABLE logos", "DELETE FROM schema_versions WHERE version_id = 19"}
