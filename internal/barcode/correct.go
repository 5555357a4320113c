package barcode

// Reed-Solomon over the field of 929 elements, generator 3 (ISO/IEC 15438 §5.10), with erasures: cells whose reading is
// doubtful cost half of what wrong ones do.

const fieldSize = 929

// powers are those of 3 in their order, logarithm their exponents.
var powers, logarithm = func() (p [fieldSize - 1]int, l [fieldSize]int) {
	x := 1
	for i := range p {
		p[i], l[x] = x, i
		x = 3 * x % fieldSize
	}
	return p, l
}()

func times(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return powers[(logarithm[a]+logarithm[b])%(fieldSize-1)]
}

func inverse(a int) int { return powers[(fieldSize-1-logarithm[a])%(fieldSize-1)] }

// power is 3ⁿ for n ≥ 0.
func power(n int) int { return powers[n%(fieldSize-1)] }

// syndromes evaluates the codewords, highest degree first, at 3¹ to 3ᵏ; clean when all are zero.
func syndromes(words []int, k int) (s []int, clean bool) {
	s = make([]int, k+1) // s[0] is not used
	clean = true
	for i := 1; i <= k; i++ {
		at, v := power(i), 0
		for _, w := range words {
			v = (v*at + w) % fieldSize
		}
		s[i] = v
		clean = clean && v == 0
	}
	return s, clean
}

// evaluate a polynomial, lowest degree first.
func evaluate(p []int, x int) int {
	v := 0
	for i := len(p) - 1; i >= 0; i-- {
		v = (v*x + p[i]) % fieldSize
	}
	return v
}

// repair corrects words in a copy, of which the last k are for correction. erased are positions that are known to be
// doubtful. Two more corrections than used must be left over: with all of them in use any words are some text.
func repair(words []int, k int, erased []int) ([]int, bool) {
	s, clean := syndromes(words, k)
	if clean {
		return words, true
	}
	if len(erased) > k-spare {
		return nil, false
	}
	locator := locate(s, words, k, erased)
	degree := len(locator) - 1
	for degree > 0 && locator[degree] == 0 {
		degree--
	}
	if degree == 0 || 2*(degree-len(erased))+len(erased) > k-spare {
		return nil, false
	}
	out, ok := patch(s, words, k, locator[:degree+1])
	if !ok {
		return nil, false
	}
	_, clean = syndromes(out, k)
	return out, clean
}

// spare is how many correction codewords stay unused as proof; a wrong text passes one time in 929 for each.
const spare = 2

// locate is the polynomial whose roots tell where errors and erasures are (Berlekamp and Massey, begun with the erasures).
func locate(s, words []int, k int, erased []int) []int {
	lambda := make([]int, k+2)
	lambda[0] = 1
	for n, pos := range erased {
		x := power(len(words) - 1 - pos)
		for i := n + 1; i > 0; i-- {
			lambda[i] = (lambda[i] + (fieldSize-x)*lambda[i-1]) % fieldSize
		}
	}
	before := append([]int(nil), lambda...)
	length, e := len(erased), len(erased)
	for r := e + 1; r <= k; r++ {
		delta := 0
		for j := 0; j < r && j <= length; j++ {
			delta += lambda[j] * s[r-j] % fieldSize
		}
		delta %= fieldSize
		copy(before[1:], before[:len(before)-1])
		before[0] = 0
		if delta == 0 {
			continue
		}
		next := make([]int, len(lambda))
		for i := range next {
			next[i] = (lambda[i] + (fieldSize-delta)*before[i]) % fieldSize
		}
		if 2*length <= r+e-1 {
			by := inverse(delta)
			for i := range before {
				before[i] = lambda[i] * by % fieldSize
			}
			length = r - length + e
		}
		lambda = next
	}
	return lambda
}

// patch finds the roots of the locator and the size of the error at each (Forney).
func patch(s, words []int, k int, locator []int) ([]int, bool) {
	omega := make([]int, k)
	for i := range omega {
		for j := 0; j <= i && j < len(locator); j++ {
			omega[i] = (omega[i] + locator[j]*s[i-j+1]) % fieldSize
		}
	}
	derived := make([]int, len(locator)-1)
	for i := range derived {
		derived[i] = (i + 1) * locator[i+1] % fieldSize
	}
	out := append([]int(nil), words...)
	found := 0
	for pos := range out {
		at := inverse(power(len(out) - 1 - pos))
		if evaluate(locator, at) != 0 {
			continue
		}
		slope := evaluate(derived, at)
		if slope == 0 {
			return nil, false
		}
		found++
		out[pos] = (out[pos] + times(evaluate(omega, at), inverse(slope))) % fieldSize
	}
	return out, found == len(locator)-1
}
