package idv

import "time"

// HandoffLife is how long the link of a hand-off can be opened.
const HandoffLife = 30 * time.Minute
