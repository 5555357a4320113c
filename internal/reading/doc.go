// Package reading turns the printed lines of a page into facts, all of them at once.
//
// Each run of text becomes candidates by what it can be: a day, a number, a name, a sex, a state, a free text. Each fact of a document is one
// candidate or not printed. A network with attention (Net) makes odds of them. It sees each word by its letters, so that no language is
// particular; by its form; by its place on the page; and by how it lies to each other word. And it hears witnesses: labels that are understood
// by the stems of their words, field numbers, edges, the form of the text, the other days and numbers, the zone. models/reading trains it on
// pages that bench/reading draws; nothing is set by hand. Constraints that hold on every document bind the facts to each other: nobody is
// documented before birth, and no two facts share a text.
//
// The page is solved exactly. How much worse the best page is on which a fact has another value says how sure its claim is. What is likely, but
// not sure, is no claim: a person may want to look there.
//
// Compare holds the page against what the machine-readable zone says, by the set of allowed transliterations.
package reading
