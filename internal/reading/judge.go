package reading

// JudgeWidth is how many hidden units the network has that judges candidates.
const JudgeWidth = 64

// Judge is a small network: for a candidate, or for what is not printed, how well it fits each fact, as natural logarithms of odds. Inputs
// go to the facts directly too.
type Judge struct {
	At     map[string]int // of the inputs
	In     [][JudgeWidth]float32
	Direct [][facts]float32
	Bias   [JudgeWidth]float32
	Out    [facts][JudgeWidth]float32
}

// Scores are the network's answers to inputs; those that it does not know count nothing. Without a network all are 0.
func (j *Judge) Scores(inputs []Feature) (out [facts]float64) {
	if j == nil {
		return out
	}
	hidden := j.Bias
	for _, x := range inputs {
		at, ok := j.At[x.Name]
		if !ok || x.Value == 0 {
			continue
		}
		v := float32(x.Value)
		for k, w := range &j.In[at] {
			hidden[k] += v * w
		}
		for f, w := range &j.Direct[at] {
			out[f] += float64(v * w)
		}
	}
	for f := range out {
		var sum float32
		for k, h := range hidden {
			if h > 0 {
				sum += h * j.Out[f][k]
			}
		}
		out[f] += float64(sum)
	}
	return out
}
