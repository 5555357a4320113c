package idv

import "time"

// HandoffLife is how long the link of a hand-off can be opened after it was made.
const HandoffLife = 30 * time.Minute
