// Package suggest answers "did you mean": the known word nearest to one that
// somebody wrote.
package suggest

import "strings"

// Nearest returns the candidate spelt most like word, ignoring case. A
// candidate that needs more than a third of its letters changed (at least one,
// at most three) is no suggestion. Of equally near candidates the first wins,
// so sorted candidates give stable answers.
func Nearest(word string, candidates []string) (string, bool) {
	best, bestDistance := "", 0
	for _, candidate := range candidates {
		distance := Distance(strings.ToLower(word), strings.ToLower(candidate))
		if distance > tolerance(candidate) {
			continue
		}
		if best == "" || distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best, best != ""
}

func tolerance(candidate string) int {
	return min(max(1, len(candidate)/3), 3)
}

// Distance is the least number of characters to insert, delete, replace or
// swap with their neighbour that makes b of a.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	beforeLast := make([]int, len(to)+1)
	last := make([]int, len(to)+1)
	current := make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		current[0] = i
		for j := 1; j <= len(to); j++ {
			cost := 1
			if from[i-1] == to[j-1] {
				cost = 0
			}
			current[j] = min(last[j]+1, current[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				current[j] = min(current[j], beforeLast[j-2]+1)
			}
		}
		beforeLast, last, current = last, current, beforeLast
	}
	return last[len(to)]
}
