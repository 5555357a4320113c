package idv

import "time"

// HandoffLife is how long the link of a hand-off can be opened after it was made (PRODUCT §9).
const HandoffLife = 30 * time.Minute
