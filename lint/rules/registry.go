// Package rules holds the rules of wm lint, one file each, and beside each its
// explanation, a Markdown page whose examples are the rule's tests.
//
// To add a rule: write wmNNN_name.go with a function that returns the rule and
// wmNNN_name.md with the sections What it finds, Why, Wrong and Right, add the
// function to All, and put more cases into testdata/WMNNN. Tests fail when one
// of these is missing. Then run "make generate".
package rules

import (
	"embed"
	"fmt"

	"github.com/workloadmap/wm/lint"
)

//go:embed wm*.md
var pages embed.FS

// All returns the rules, sorted by id.
func All() []lint.Rule {
	rules := []lint.Rule{
		syntaxError(),
		notADefinition(),
		schemaViolation(),
		duplicateKey(),
		componentNameNotUnique(),
		rootKindIncomplete(),
		rootHasOwner(),
		rootStatusMissing(),
		componentNameEmpty(),
		severalPodDefinitions(),
		typeSelectorEmpty(),
		typeSelectorValueWithoutKey(),
		instancePathWithoutSelector(),
		instanceSelectorWithoutPath(),
		ownerMissing(),
		ownerUnknown(),
		ownerCycle(),
		metadataWithoutPodSpec(),
		podDefinitionEmpty(),
		kindIncomplete(),
		additionalKindRepeated(),
		jqSyntax(),
		jqUnknownName(),
		pathNotInSchema(),
		jqNotAllowed(),
		suspendValueNotJSON(),
		pathNotAssignable(),
		trailingComment(),
		canFailOnNull(),
		resultOfWrongType(),
		severalResults(),
		otherBaseThanInstances(),
		suspendValueOfWrongType(),
		phaseMatcherWithoutPhase(),
		conditionMatcherWithoutConditions(),
		emptyMatcher(),
		conditionExistenceOnly(),
		comparisonNeverTrue(),
		matcherNeverMatches(),
		gangMemberUnknown(),
		gangSubgroupUnknown(),
		bothGangForms(),
		podsWithoutSelector(),
	}
	for i := range rules {
		rules[i].Explanation = explanation(rules[i])
	}
	return rules
}

func explanation(rule lint.Rule) string {
	name := rule.FileName() + ".md"
	page, err := pages.ReadFile(name)
	if err != nil {
		// The page is part of the program, and a test reads every one.
		panic(fmt.Errorf("read the explanation of %s: %w", rule.ID, err))
	}
	return string(page)
}
