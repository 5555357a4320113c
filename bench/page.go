package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Section is one gallery on the page of failures.
type Section struct {
	Dir   string // below the page's folder
	Title string
	About string // what was read, and what is shown
}

// WritePage writes README.md in dir: each section's failures with their pictures, what was wanted and what was read. A
// section whose folder keeps no failures says so; one without a folder was not measured, and says that.
func WritePage(dir string, sections []Section) error {
	var b strings.Builder
	b.WriteString("<!-- Made by `bonafide bench page`; do not edit. -->\n\n# Where the readers fail\n\n" +
		"Every picture here was generated (specimens of Utopia, seeds fixed) and read wrongly, or not at all, by the last run of `make bench`. " +
		"At most " + fmt.Sprint(galleryMost) + " of each are kept. How often this happens is in [the results](../../bench/results).\n")
	for _, s := range sections {
		kept, err := ReadGallery(filepath.Join(dir, s.Dir))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.Title, s.About)
		if kept == nil {
			b.WriteString("\nNot measured yet.\n")
			continue
		}
		if len(kept) == 0 {
			b.WriteString("\nNone in the last run.\n")
		}
		for _, f := range kept {
			b.WriteString(f.markdown(s.Dir))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(b.String()), 0o644); err != nil { //nolint:gosec // public
		return fmt.Errorf("write the page of failures: %w", err)
	}
	return nil
}

func (f Failure) markdown(dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s", f.Name, f.What)
	if len(f.Notes) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(f.Notes, ", "))
	}
	fmt.Fprintf(&b, "\n\n![%s](%s/%s)\n", f.What, dir, f.Picture)
	for _, t := range []struct {
		title string
		lines []string
	}{{"wanted", f.Want}, {"read", f.Got}} {
		if len(t.lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n\n```\n%s\n```\n", t.title, strings.Join(t.lines, "\n"))
		}
	}
	return b.String()
}
