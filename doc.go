// Package bonafide is the root of the module. It holds no code; the tests beside it guard the shape of the
// whole: the import ladder.
package bonafide
