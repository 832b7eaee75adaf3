// Package suggest answers "did you mean": the known word nearest to one that
// somebody wrote.
package suggest

import "strings"

// longest is the length in bytes of the longest word worth a suggestion; nobody
// meant anything near to a longer one.
const longest = 100

// Nearest returns the candidate spelt most like word, ignoring case: at most
// two changes away, and in words of under six letters at most one for every
// three letters, since any two short words are near. Of equally near candidates
// the first wins, so sorted candidates give stable answers.
func Nearest(word string, candidates []string) (string, bool) {
	if len(word) > longest {
		return "", false
	}
	best, bestDistance := "", min(2, len(word)/3)+1
	for _, candidate := range candidates {
		if distance := Distance(strings.ToLower(word), strings.ToLower(candidate)); distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best, best != ""
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
