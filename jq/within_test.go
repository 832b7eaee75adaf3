package jq

import "testing"

func TestReadsOnly(t *testing.T) {
	kept := []Path{mustPath(t, ".metadata.labels"), mustPath(t, ".spec.containers[].name")}
	for text, want := range map[string]bool{
		`.metadata.labels["a/b"]`:                      true,
		`.metadata.labels`:                             true,
		`.metadata.labels.a // .metadata.labels.b`:     true,
		`.metadata.labels.a + .metadata.annotations.b`: false,
		`.metadata`: false,
		`.`:         false,
		`[.spec.containers[]?.name | select(. != "x")] | join("-")`: true,
		`.spec.containers[].image`:                                  false,
		// Also a "no" that could be a "yes" is safe.
		`.spec.containers[0].name`:      false,
		`.metadata.labels as $l | $l.a`: true,
		`. as $p | $p.spec.nodeName`:    false,
		`"constant"`:                    true,
	} {
		program, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := program.ReadsOnly(kept...); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func mustPath(t *testing.T, text string) Path {
	t.Helper()
	program, err := Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	path, plain := program.Path()
	if !plain {
		t.Fatalf("%s is no plain path", text)
	}
	return path
}
