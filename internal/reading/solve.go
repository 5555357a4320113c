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
	// Odds are, for each fact, the natural logarithm of how much likelier its value is than all others that were tried together: the best
	// page on which it has another one, and each other one on the page as it was solved. Not printed counts as a value.
	Odds [facts]float64
}

// solver is a problem with its weights applied.
type solver struct {
	problem *Problem
	weights Weights
	options [facts][]scored // best first
	worth   [facts][]scored // of these, those that may count more than not printed
	order   [facts]int      // facts in the order in which they are decided
	rest    [facts + 1]float64
	pairs   map[[4]int]float64
	gain    [facts + 1]float64
}

// scored is an option of a fact and what its own witnesses count.
type scored struct {
	at    int
	score float64
}

// Solve returns the best page, exactly: every other choice of options that keeps the constraints counts less.
func (p *Problem) Solve(w Weights) Solution {
	s := newSolver(p, w)
	best := found{score: math.Inf(-1)}
	s.searchFrom(&best, -1, nil)
	out := Solution{Score: best.score}
	for f := range facts {
		out.Choice[f] = best.choice[f]
	}
	for f := range facts {
		near, sum := s.others(best, f)
		other := near
		value := p.Options[f][best.choice[f]].Key
		s.searchFrom(&other, f, func(at int) bool { return p.Options[f][at].Key != value })
		if other.choice[f] != near.choice[f] {
			sum += math.Exp(other.score - best.score)
		} else {
			sum += math.Exp(other.score-best.score) - math.Exp(near.score-best.score)
		}
		out.Odds[f] = math.Min(-math.Log(sum), mostOdds)
	}
	return out
}

// mostOdds is how sure a solution is at most.
const mostOdds = 50

// others is how likely the other values of a fact are together on a page where all other facts are as they were found, next to the one
// that was found; and the page with the likeliest of them.
func (s *solver) others(best found, f int) (near found, sum float64) {
	value := s.problem.Options[f][best.choice[f]].Key
	own := s.beside(best, f, best.choice[f])
	near.score = math.Inf(-1)
	for _, o := range s.options[f] {
		if s.problem.Options[f][o.at].Key == value {
			continue
		}
		behind := s.beside(best, f, o.at) - own
		sum += math.Exp(behind)
		if best.score+behind > near.score {
			near = best
			near.choice[f], near.score = o.at, best.score+behind
		}
	}
	return near, sum
}

// beside is what an option of a fact counts beside the other facts of a page; −∞ where they exclude it.
func (s *solver) beside(page found, f, at int) float64 {
	sum := s.problem.Options[f][at].Score + s.weights.of(s.problem.OwnFeatures(f, at))
	for g := range facts {
		if g != f {
			sum += s.pair(f, at, g, page.choice[g])
		}
	}
	return sum
}

func newSolver(p *Problem, w Weights) *solver {
	s := &solver{problem: p, weights: w, pairs: map[[4]int]float64{}}
	for f := range facts {
		s.order[f] = f
		var all []scored
		for at, o := range p.Options[f] {
			all = append(all, scored{at, o.Score + w.of(p.OwnFeatures(f, at))})
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
	s.prune()
	s.bound()
	for k := facts - 1; k >= 0; k-- {
		s.rest[k] = s.rest[k+1] + s.options[s.order[k]][0].score
	}
	return s
}

// prune fills in the options that are worth trying. Not printed goes with everything: an option that counts less, with all that pairs can
// add, is on no best page.
func (s *solver) prune() {
	for f := range facts {
		none := slices.IndexFunc(s.options[f], func(o scored) bool { return o.at == 0 })
		for _, o := range s.options[f] {
			most := 0.0
			for g := range facts {
				best := 0.0
				for _, b := range s.options[g] {
					if g != f && pairedFact(f) && pairedFact(g) {
						best = max(best, s.pair(f, o.at, g, b.at))
					}
				}
				most += best
			}
			if o.at == 0 || o.score+most > s.options[f][none].score {
				s.worth[f] = append(s.worth[f], o)
			}
		}
	}
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

// searchFrom improves a page: it finds the best one on which the fact f has an option that may is true of; f < 0: any. A branch is left
// as soon as all that could still be gained on it is too little.
func (s *solver) searchFrom(best *found, f int, may func(at int) bool) {
	s.descend(0, found{}, f, may, best)
}

func (s *solver) descend(k int, so found, f int, may func(int) bool, best *found) {
	if k == facts {
		if so.score > best.score {
			*best = so
		}
		return
	}
	if so.score+s.rest[k]+s.gain[k] <= best.score {
		return
	}
	fact := s.order[k]
	options := s.worth[fact]
	if fact == f {
		options = s.options[fact]
	}
	for _, o := range options {
		if so.score+o.score+s.rest[k+1]+s.gain[k] <= best.score {
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

// bound fills in what pairs can add at most once k facts are decided: for each pair of facts that is not decided yet, its best two
// options'.
func (s *solver) bound() {
	for k := range facts {
		for j := range k {
			f, g := s.order[k], s.order[j]
			if !pairedFact(f) || !pairedFact(g) {
				continue
			}
			most := 0.0
			for _, a := range s.options[f] {
				for _, b := range s.options[g] {
					most = max(most, s.pair(f, a.at, g, b.at))
				}
			}
			for i := range k + 1 {
				s.gain[i] += most
			}
		}
	}
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
