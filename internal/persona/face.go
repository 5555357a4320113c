package persona

import _ "embed" // the portraits

// The portraits are of generated faces, alder and birch of the project's specimens: no real person's. A test compares them with what the
// generator of specimens makes.
var (
	//go:embed face.jpg
	face []byte
	//go:embed face-other.jpg
	otherFace []byte
)

// Face returns the portrait in credentials and chips of test mode, as JPEG. It must not be changed.
func Face() []byte { return face }

// OtherFace returns the portrait of somebody else.
func OtherFace() []byte { return otherFace }
