package cli

import "testing"

func TestColoured(t *testing.T) {
	for _, c := range []struct {
		name        string
		terminal    bool
		environment map[string]string
		want        bool
	}{
		{"a terminal", true, nil, true},
		{"a pipe", false, nil, false},
		{"a dumb terminal", true, map[string]string{"TERM": "dumb"}, false},
		{"NO_COLOR", true, map[string]string{"NO_COLOR": "1"}, false},
		{"NO_COLOR that is empty", true, map[string]string{"NO_COLOR": ""}, true},
		{"NO_COLOR wins", true, map[string]string{"NO_COLOR": "1", "FORCE_COLOR": "1"}, false},
		{"FORCE_COLOR", false, map[string]string{"FORCE_COLOR": "1"}, true},
		{"FORCE_COLOR that is 0", false, map[string]string{"FORCE_COLOR": "0"}, false},
		{"CLICOLOR_FORCE", false, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"CLICOLOR", true, map[string]string{"CLICOLOR": "0"}, false},
	} {
		if got := coloured(c.terminal, func(name string) string { return c.environment[name] }); got != c.want {
			t.Errorf("%s: colours %t, want %t", c.name, got, c.want)
		}
	}
}
