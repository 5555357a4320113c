// Package calendar finds days in printed text: in figures and words, in every order, with what a reader takes for something else (12 0CT 1989).
package calendar
