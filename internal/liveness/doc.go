// Package liveness judges a run of frames against the challenge that the server drew: was every movement shown, in its
// order and its time, by one head that is not flat, in frames that a camera took one after the other?
//
// It sees no pixels, only what was measured in them (idv.Track), and it believes nothing that a browser says of itself.
// What decides is the shape of a head: when it turns, the tip of the nose moves against eyes and mouth, because it lies
// before them. A photograph that is moved, turned, tilted or bent keeps the nose where it is (Relief).
//
// Thresholds and the error rates measured at them are one file, measured.json. All of them are of generated runs, none
// of people. What a challenge cannot show, and what stands against it, is in docs/decisions.
package liveness
