package jq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/workloadmap/wm/jq"
)

func ExampleCompile() {
	_, err := jq.Compile(".metadata.labels.ray.io/group")
	var mistake *jq.Error
	if errors.As(err, &mistake) {
		fmt.Println(mistake.Message)
		fmt.Println(mistake.Expression[mistake.Start:mistake.End])
		fmt.Println(mistake.Help)
	}
	// Output:
	// function group/0 is not defined
	// group
	// a field with - or / in its name needs quotes: write .metadata.labels["ray.io/group"]
}

func ExampleProgram_Run() {
	program, err := jq.Compile(`.spec.groups[] | "\(.name): \(.replicas // 1)"`)
	if err != nil {
		fmt.Println(err)
		return
	}
	object, err := jq.NewInput(map[string]any{"spec": map[string]any{"groups": []any{
		map[string]any{"name": "small", "replicas": int64(3)},
		map[string]any{"name": "large"},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := program.Run(context.Background(), object)
	fmt.Println(results, err)
	// Output: [small: 3 large: 1] <nil>
}

func ExampleProgram_Base() {
	program, err := jq.Compile(".spec.services | to_entries[] | .key")
	if err != nil {
		fmt.Println(err)
		return
	}
	base, ok := program.Base()
	fmt.Println(base, ok)
	// Output: .spec.services[] true
}
