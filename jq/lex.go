package jq

import "strings"

// tokenKind groups the tokens of jq by what this package needs to find.
type tokenKind int

const (
	tokenOther    tokenKind = iota // punctuation and operators that read
	tokenName                      // a function or an object key
	tokenVariable                  // $name
	tokenKeyword                   // if, reduce, true, ...
	tokenField                     // .name
	tokenString                    // a string, or a part of it between interpolations
	tokenNumber
	tokenFormat  // @name
	tokenRecurse // ..
	tokenUpdate  // = |= += -= *= /= %= //=
	tokenBad     // a character that jq does not know
)

// token is one token of the text: source[start:end].
type token struct {
	kind       tokenKind
	start, end int
}

// lexed is a text cut into tokens.
type lexed struct {
	source string
	tokens []token
	// openQuote is the offset of a quote that nothing closes, or -1.
	openQuote int
	// openBracket is the offset of the innermost bracket that nothing
	// closes, or -1.
	openBracket int
	// trailingComment is a comment that no line break ends.
	trailingComment bool
}

func (l *lexed) text(t token) string { return l.source[t.start:t.end] }

// lex cuts text into tokens as jq's own lexer does. It never fails: it serves
// to find places in texts that the parser has accepted and to explain those
// that it has not.
func lex(source string) *lexed {
	s := scanner{lexed: lexed{source: source, openQuote: -1, openBracket: -1}}
	for s.at < len(source) {
		s.next()
	}
	for i := len(s.brackets) - 1; i >= 0; i-- {
		if open := s.brackets[i]; source[open] != '"' {
			s.openBracket = open
			break
		}
	}
	return &s.lexed
}

// scanner holds the brackets that are open. A quote among them is a string
// whose interpolation is being read.
type scanner struct {
	lexed
	at       int
	brackets []int
}

func (s *scanner) add(kind tokenKind, start, end int) {
	s.tokens = append(s.tokens, token{kind, start, end})
	s.at = end
}

func (s *scanner) next() {
	start, c := s.at, s.source[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.at++
	case c == '#':
		s.comment()
	case c == '"':
		s.str(start)
	case isLetter(c):
		s.name(start)
	case isDigit(c), c == '.' && s.peek(1, isDigit):
		s.add(tokenNumber, start, s.numberEnd(start))
	case c == '.' && s.peek(1, isLetter):
		s.add(tokenField, start, s.identifierEnd(start+1))
	case c == '.' && s.follows(".."):
		s.add(tokenRecurse, start, start+2)
	case c == '$' && s.peek(1, isLetter):
		s.add(tokenVariable, start, s.qualifiedEnd(start+1))
	case c == '@' && s.peek(1, func(c byte) bool { return isLetter(c) || isDigit(c) }):
		s.add(tokenFormat, start, s.identifierEnd(start+1))
	case strings.IndexByte("([{", c) >= 0:
		s.brackets = append(s.brackets, start)
		s.add(tokenOther, start, start+1)
	case strings.IndexByte(")]}", c) >= 0:
		s.closeBracket(start)
	default:
		s.operator(start)
	}
}

func (s *scanner) peek(ahead int, is func(byte) bool) bool {
	return s.at+ahead < len(s.source) && is(s.source[s.at+ahead])
}

func (s *scanner) follows(text string) bool { return strings.HasPrefix(s.source[s.at:], text) }

// comment skips to the end of the line; an odd backslash before the line break
// continues the comment, as in Tcl and jq 1.7.
func (s *scanner) comment() {
	for s.at++; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case '\n', '\r':
			return
		case '\\':
			if s.follows("\\\r\n") {
				s.at += 2
			} else if s.at+1 < len(s.source) && strings.IndexByte("\\\n\r", s.source[s.at+1]) >= 0 {
				s.at++
			}
		}
	}
	s.at = len(s.source)
	s.trailingComment = true
}

// str reads a string, or the rest of one after an interpolation, up to its
// quote or its next interpolation.
func (s *scanner) str(quote int) {
	start := s.at
	for i := s.at + 1; i < len(s.source); i++ {
		switch {
		case s.source[i] == '"':
			s.add(tokenString, start, i+1)
			return
		case s.source[i] == '\\' && i+1 < len(s.source) && s.source[i+1] == '(':
			s.add(tokenString, start, i+2)
			s.brackets = append(s.brackets, quote)
			return
		case s.source[i] == '\\':
			i++
		}
	}
	s.openQuote = quote
	s.add(tokenString, start, len(s.source))
}

func (s *scanner) closeBracket(start int) {
	last := len(s.brackets) - 1
	if last < 0 {
		s.add(tokenOther, start, start+1)
		return
	}
	open := s.brackets[last]
	s.brackets = s.brackets[:last]
	if s.source[open] == '"' && s.source[start] == ')' {
		s.str(open)
		return
	}
	s.add(tokenOther, start, start+1)
}

func (s *scanner) name(start int) {
	end := s.qualifiedEnd(start)
	kind := tokenName
	if isKeyword(s.source[start:end]) {
		kind = tokenKeyword
	}
	s.add(kind, start, end)
}

func (s *scanner) identifierEnd(i int) int {
	for i < len(s.source) && (isLetter(s.source[i]) || isDigit(s.source[i])) {
		i++
	}
	return i
}

// qualifiedEnd is the end of a name that may name a module: a::b.
func (s *scanner) qualifiedEnd(i int) int {
	i = s.identifierEnd(i)
	if rest := s.source[i:]; len(rest) > 2 && rest[:2] == "::" && isLetter(rest[2]) {
		return s.identifierEnd(i + 2)
	}
	return i
}

func (s *scanner) numberEnd(i int) int {
	for i < len(s.source) {
		switch c := s.source[i]; {
		case isDigit(c), c == '.':
			i++
		case (c == 'e' || c == 'E') && i+1 < len(s.source) && (s.source[i+1] == '+' || s.source[i+1] == '-'):
			i += 2
		case isLetter(c):
			i++
		default:
			return i
		}
	}
	return i
}

func (s *scanner) operator(start int) {
	for _, update := range []string{"//=", "|=", "+=", "-=", "*=", "/=", "%="} {
		if s.follows(update) {
			s.add(tokenUpdate, start, start+len(update))
			return
		}
	}
	for _, operator := range []string{"//", "==", "!=", "<=", ">="} {
		if s.follows(operator) {
			s.add(tokenOther, start, start+len(operator))
			return
		}
	}
	if s.follows("=") {
		s.add(tokenUpdate, start, start+1)
		return
	}
	end := start + 1
	for end < len(s.source) && !isRuneStart(s.source[end]) {
		end++
	}
	kind := tokenOther
	if strings.IndexByte(".|,+-*/%<>:;?", s.source[start]) < 0 {
		kind = tokenBad
	}
	s.add(kind, start, end)
}

func isKeyword(word string) bool {
	switch word {
	case "or", "and", "module", "import", "include", "def", "as", "label", "break",
		"null", "true", "false", "if", "then", "elif", "else", "end",
		"try", "catch", "reduce", "foreach":
		return true
	default:
		return false
	}
}
