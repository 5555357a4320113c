package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/store/erasing"
)

// erasingPage tells what erasing does, from the table that it runs.
func erasingPage() []byte {
	var rows, columns [][]string
	for _, f := range erasing.Fates() {
		where := f.Place
		if f.Table != "" {
			where = "`" + f.Table + "`"
		}
		pictures := f.Pictures
		if pictures == "" {
			pictures = "–"
		}
		rows = append(rows, []string{where, f.Holds, f.All, pictures, f.Ground})
		if len(f.Keeps) > 0 {
			lost := slices.Sorted(maps.Keys(f.Sets))
			columns = append(columns, []string{where, strings.Join(f.Keeps, ", "), strings.Join(lost, ", ")})
		}
	}
	var others [][]string
	for _, t := range slices.Sorted(maps.Keys(erasing.Untouched())) {
		others = append(others, []string{"`" + t + "`", erasing.Untouched()[t]})
	}
	return []byte("# What erasing removes, and what stays\n\n" + made +
		"Erasing a session (on request, or when its time is over) destroys its keys, then removes or reduces its rows, all in one transaction; " +
		"then deletes its blobs and clears the\n" +
		"database's files of what deleting leaves there. The receipt counts as finished after that. A server that dies in between goes on with " +
		"it: a job and a sweep look after it.\n" +
		"When only the pictures' time is over, or consent is declined, only the column *pictures* applies.\n\n" +
		table([]string{"where", "what is there", "everything is erased", "pictures are erased", "why"}, rows) +
		"\n## Columns of the rows that stay\n\n" + table([]string{"table", "stay as they are", "lose their value"}, columns) +
		"\n## Tables that hold nothing of applicants\n\n" + table([]string{"table", "what is there"}, others))
}
