// Package lexicon has what documents print in the languages that their reader knows: names of fields, titles, states, peoples and sexes, in Latin, Cyrillic
// and Greek letters. Texts are compared folded: in capitals without marks (Fold), or as nothing but their letters (Letters).
package lexicon
