package jq

// places finds the source range of every event. The engine's tree has no
// positions, but the events and the tokens of the kinds they come from are the
// same words in the same order. Should they ever differ, no place is known and
// the whole expression is marked instead of a wrong part of it.
func places(events []event, text *lexed) []token {
	tokens := make([]token, 0, len(text.tokens))
	for _, t := range text.tokens {
		switch t.kind {
		case tokenName, tokenVariable, tokenFormat, tokenRecurse, tokenUpdate:
			tokens = append(tokens, t)
		}
	}
	found := make([]token, len(events))
	next := 0
	for i, e := range events {
		if e.kind == eventModule {
			// Imports come first and contain names of their own.
			return unknownPlaces(events, text)
		}
		if next == len(tokens) || text.text(tokens[next]) != e.text {
			return unknownPlaces(events, text)
		}
		found[i] = tokens[next]
		next++
	}
	if next != len(tokens) {
		return unknownPlaces(events, text)
	}
	return found
}

func unknownPlaces(events []event, text *lexed) []token {
	found := make([]token, len(events))
	for i := range found {
		found[i] = token{start: 0, end: len(text.source)}
	}
	return found
}
