// Package biometric looks at selfies and compares them with the portrait of a document.
//
// The extractor finds the one face of a selfie, judges whether it is fit to compare and makes its template; the checkers
// ask whether the selfie is usable, whether it shows the person of the portrait, and what the passive liveness signal
// says. Every threshold comes from the calibration of the model's card: a comparison without measured error rates is
// an error, never an answer. The portrait may come from a page, a chip or a wallet; nothing here knows which.
package biometric
