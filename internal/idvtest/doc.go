// Package idvtest is the test kit: an engine whose pictures say what is in them, and the databases and object
// stores that tests run against.
//
// A picture of this kit is a small JPEG followed by a line of JSON (Scene). The gates, extractors and checkers
// read the scene instead of the pixels, so that a test decides what is found and the whole life of a session
// can be walked in milliseconds. Nothing here is part of the program.
package idvtest
