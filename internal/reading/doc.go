// Package reading turns the printed lines of a page into facts, all of them at once.
//
// Each run of text becomes candidates by what it can be: a day, a number, a name, a sex, a state, a free text. Each fact of a document is one
// candidate or not printed. Witnesses say what is around a candidate: labels that are understood by the stems of their words, texts whose
// sense a small network tells from their letters (SenseNet: of no language in particular, so also where no table has the word), field
// numbers, edges, the place and the size of the print, the form of the text, the other days and numbers. A second small network (Judge) makes
// odds of them for each fact. Both are fitted to pages whose truth is known (bench/reading/fit); nothing is set by hand. Constraints that
// hold on every document bind the facts to each other: nobody is documented before birth, and no two facts share a text.
//
// Nothing that is served reads with it yet: viz does, until this reads better. bench/reading compares the two on kept lines.
//
// The page is solved exactly. How much worse the best page is on which a fact has another value says how sure its claim is.
package reading
