package reading

import (
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/bench/reading/relaid"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// How the network of senses is trained: texts of each round, and AdaGrad's rate. Parts are left out at random, so that no word is
// relied on alone.
const (
	senseTexts  = 60000
	senseRounds = 4
	senseRate   = .2
	senseRidge  = 3e-6
	partDropped = .3
)

// FitSenses trains a network to tell the senses of the texts of one half of the training words.
func FitSenses(h relaid.Half, progress func(round int, loss float64)) *reading.SenseNet {
	l := senseLearner{net: new(reading.SenseNet), sum: new(reading.SenseNet), rng: rand.New(rand.NewPCG(5, 6))}
	for b := range l.net.Parts {
		for k := range l.net.Parts[b] {
			l.net.Parts[b][k] = float32(l.rng.NormFloat64()) * .1
		}
	}
	for c := range l.net.Out {
		for k := range reading.SenseDepth {
			l.net.Out[c][k] = float32(l.rng.NormFloat64()) * .3
		}
	}
	for round := range senseRounds {
		texts, senses := relaid.Texts(h, senseTexts, uint64(round))
		loss := 0.0
		for i := range texts {
			loss += l.step(texts[i], senses[i])
		}
		progress(round, loss/senseTexts)
	}
	return l.net
}

// senseLearner has the network and what AdaGrad keeps of it.
type senseLearner struct {
	net, sum *reading.SenseNet
	rng      *rand.Rand
}

func (l *senseLearner) step(text string, sense int) float64 {
	var buckets []int
	parts := reading.SenseParts(text)
	for _, p := range parts {
		if len(parts) == 1 || l.rng.Float64() >= partDropped {
			buckets = append(buckets, reading.SenseBucket(p))
		}
	}
	mean, ok := l.net.Mean(buckets)
	if !ok {
		return 0
	}
	p := l.net.Softmax(mean)
	loss := -math.Log(float64(p[sense]) + 1e-9)
	p[sense]--
	var down [reading.SenseDepth]float32
	for c, g := range p {
		for k, x := range mean {
			down[k] += g * l.net.Out[c][k]
			moved(&l.net.Out[c][k], &l.sum.Out[c][k], g*x)
		}
		moved(&l.net.Out[c][reading.SenseDepth], &l.sum.Out[c][reading.SenseDepth], g)
	}
	for _, b := range buckets {
		for k, g := range down {
			moved(&l.net.Parts[b][k], &l.sum.Parts[b][k], g/float32(len(buckets))*4+senseRidge*l.net.Parts[b][k])
		}
	}
	return loss
}

// moved moves a weight against its gradient, by AdaGrad.
func moved(w, sum *float32, g float32) {
	*sum += g * g
	*w -= senseRate * g / float32(math.Sqrt(float64(*sum)+1e-4))
}
