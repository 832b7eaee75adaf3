package suggest

import "testing"

func TestNearest(t *testing.T) {
	fields := []string{"kind", "name", "ownerRef", "podSelector", "podSpecPath", "podTemplateSpecPath"}
	for _, test := range []struct {
		word, want string
	}{
		{"ownerName", ""},
		{"ownerref", "ownerRef"},
		{"onwerRef", "ownerRef"},
		{"podSpecpth", "podSpecPath"},
		{"podTemplatePath", ""},
		{"knd", "kind"},
		{"x", ""},
	} {
		got, ok := Nearest(test.word, fields)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", test.word, got, ok, test.want)
		}
	}
}

func TestNearestPrefersTheFirstOfEquals(t *testing.T) {
	if got, _ := Nearest("nam", []string{"name", "namx"}); got != "name" {
		t.Errorf("got %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"日本", "日木", 1},
	} {
		if got := Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := Distance(test.b, test.a); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
