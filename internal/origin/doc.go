// Package origin answers from which country and kind of network somebody comes, by files of the operator's own in the MaxMind DB format
// (https://maxmind.github.io/MaxMind-DB/). No such file is part of the program.
//
// A file is read into memory whole, so that one that is overwritten in place cannot be read half, and it is read again when it changes.
// One that cannot be read, is older than allowed or answers nothing leaves gaps: what it would have answered is not known then, and never
// good. Nothing of an address is kept or logged.
package origin
