package reading

import (
	"cmp"
	"math"
	"slices"
)

// How many options of a fact are tried, and how much worse than its best one alone an option may be. What is left out is far from
// any solution: the weights are natural logarithms of odds.
const (
	mostOptions = 14
	mostBehind  = 16
)

// Solution is the best page: for each fact one of its problem's options.
type Solution struct {
	Choice [facts]int // of Problem.Options
	Score  float64
	// Odds are, for each fact, the natural logarithm of how much better the page is than the best page on which the fact has another
	// value. Not printed counts as a value.
	Odds [facts]float64
}

// solver is a problem with its weights applied.
type solver struct {
	problem *Problem
	weights Weights
	options [facts][]scored // best first
	order   [facts]int      // facts in the order in which they are decided
	rest    [facts + 1]float64
	pairs   map[[4]int]float64
	bonus   float64
}

// scored is an option of a fact and what its own witnesses count.
type scored struct {
	at    int
	score float64
}

// Solve returns the best page, exactly: every other choice of options that keeps the constraints counts less.
func (p *Problem) Solve(w Weights) Solution {
	s := newSolver(p, w)
	best := s.search(-1, nil, math.Inf(-1))
	out := Solution{Score: best.score}
	for f := range facts {
		out.Choice[f] = best.choice[f]
	}
	for f := range facts {
		value := p.Options[f][best.choice[f]].Value
		other := s.search(f, func(at int) bool { return p.Options[f][at].Value != value }, math.Inf(-1))
		out.Odds[f] = math.Min(best.score-other.score, 50)
	}
	return out
}

func newSolver(p *Problem, w Weights) *solver {
	s := &solver{problem: p, weights: w, pairs: map[[4]int]float64{}}
	for f := range facts {
		s.order[f] = f
		var all []scored
		for at, o := range p.Options[f] {
			all = append(all, scored{at, w.of(o.Features)})
		}
		slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		none := slices.IndexFunc(all, func(o scored) bool { return o.at == 0 })
		for i, o := range all {
			if i == none || i < mostOptions && o.score > all[0].score-mostBehind {
				s.options[f] = append(s.options[f], o)
			}
		}
	}
	slices.SortStableFunc(s.order[:], func(a, b int) int { return cmp.Compare(s.lead(b), s.lead(a)) })
	s.bonus = mostOfPairs(w)
	for k := facts - 1; k >= 0; k-- {
		s.rest[k] = s.rest[k+1] + s.options[s.order[k]][0].score
	}
	return s
}

// lead is how far a fact's best option is ahead of its second one.
func (s *solver) lead(f int) float64 {
	if len(s.options[f]) < 2 {
		return math.Inf(1)
	}
	return s.options[f][0].score - s.options[f][1].score
}

// found is the best page so far.
type found struct {
	choice [facts]int
	score  float64
}

// search finds the best page that scores more than least and on which the fact f has an option that may is true of; f < 0: any. A
// branch is left as soon as all that could still be gained on it is too little.
func (s *solver) search(f int, may func(at int) bool, least float64) found {
	best := found{score: least}
	s.descend(0, found{}, f, may, &best)
	return best
}

func (s *solver) descend(k int, so found, f int, may func(int) bool, best *found) {
	if k == facts {
		if so.score > best.score {
			*best = so
		}
		return
	}
	if so.score+s.rest[k]+s.bonusAfter(k) <= best.score {
		return
	}
	fact := s.order[k]
	for _, o := range s.options[fact] {
		if so.score+o.score+s.rest[k+1]+s.bonusAfter(k) <= best.score {
			break
		}
		if fact == f && !may(o.at) {
			continue
		}
		next := so
		next.choice[fact] = o.at
		next.score += o.score
		ok := true
		for j := 0; j < k && ok; j++ {
			with := s.pair(fact, o.at, s.order[j], so.choice[s.order[j]])
			next.score, ok = next.score+with, !math.IsInf(with, -1)
		}
		if ok {
			s.descend(k+1, next, f, may, best)
		}
	}
}

// bonusAfter bounds what pairs can still add once k facts are decided.
func (s *solver) bonusAfter(k int) float64 {
	if k == 0 {
		return s.bonus
	}
	left := 0
	for _, f := range s.order[k:] {
		if pairedFact(f) {
			left++
		}
	}
	if left == 0 {
		return 0
	}
	return s.bonus
}

// pair is what two facts count together; −∞ where they exclude each other.
func (s *solver) pair(f, a, g, b int) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	if f > g {
		f, a, g, b = g, b, f, a
	}
	key := [4]int{f, a, g, b}
	if v, seen := s.pairs[key]; seen {
		return v
	}
	v := math.Inf(-1)
	if s.problem.Together(f, a, g, b) {
		v = s.weights.of(s.problem.PairFeatures(f, a, g, b))
	}
	s.pairs[key] = v
	return v
}
