package resolver

import (
	"testing"

	"github.com/workloadmap/wm/jq"
)

// TestSameKey compares what two keys read. A default and the spelling make no
// difference; what goes on after a default, or is done with the value, does.
func TestSameKey(t *testing.T) {
	const label = ".metadata.labels.role"
	for other, want := range map[string]bool{
		`.metadata.labels.role`:                           true,
		`.metadata.labels["role"]`:                        true,
		`.metadata["labels"] | .role`:                     true,
		`.metadata?.labels.role // "none"`:                true,
		`((.metadata.labels.role) // ("a" // "b"))`:       true,
		`.metadata.labels.role // "a//b" `:                true,
		`.metadata.labels.role // "p" | ltrimstr("p")`:    false,
		`(.metadata.labels.role // "p") | length`:         false,
		`.metadata.labels["role//x"]`:                     false,
		`.metadata.labels["role\"//x"]`:                   false,
		`.metadata.labels.other // .metadata.labels.role`: false,
	} {
		a, b := key(t, label), key(t, other)
		if sameKey(a, b) != want || sameKey(b, a) != want {
			t.Errorf("%s reads %q, %s reads %q: same is %v, want %v", label, a.reads, other, b.reads, !want, want)
		}
	}
	if sameKey(key(t, `.metadata.labels["a//b"]`), key(t, `.metadata.labels["a//c"]`)) {
		t.Error("two labels with // in their names are taken for one")
	}
}

func key(t *testing.T, text string) *expression {
	t.Helper()
	program, err := jq.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return &expression{program: program, reads: readsOf(program)}
}
