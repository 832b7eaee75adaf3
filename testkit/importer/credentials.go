package importer

import (
	"regexp"
	"strings"
	"unicode"
)

const redacted = "redacted"

var (
	// credentialForm are the tokens of well-known services, JSON Web Tokens and
	// private keys.
	credentialForm = regexp.MustCompile(`\b(hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|` +
		`sk-[A-Za-z0-9_-]{16,}|nvapi-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|A[KS]IA[A-Z0-9]{16}|` +
		`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----`)
	bearerForm   = regexp.MustCompile(`(?i)\b(bearer|basic) +[A-Za-z0-9._~+/=-]{8,}`)
	userInfoForm = regexp.MustCompile(`://[^/@\s"']+@`)
	settingForm  = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]*)=([^\s"';&|,]+)`)
)

// credential redacts a value that is one by its name. A reference to something
// else stays.
func (s *scrubber) credential(text string) string {
	if text == "" || strings.Contains(text, "$(") || strings.Contains(text, "${") || strings.Contains(text, "{{") {
		return s.text(text)
	}
	return s.replaced(credentials, text, redacted)
}

func (s *scrubber) credentialsIn(text string) string {
	text = each(credentialForm, text, func(match, _, _ string) string { return s.replaced(credentials, match, redacted) })
	text = each(bearerForm, text, func(match, _, _ string) string {
		scheme, _, _ := strings.Cut(match, " ")
		return s.replaced(credentials, match, scheme+" "+redacted)
	})
	text = eachWith("://", userInfoForm, text, func(match, _, _ string) string { return s.replaced(credentials, match, "://"+redacted+"@") })
	return eachWith("=", settingForm, text, func(match, _, _ string) string {
		name, value, _ := strings.Cut(match, "=")
		if !isCredential(name) || strings.HasPrefix(value, "$") || strings.Trim(value, "0123456789") == "" {
			return match
		}
		return s.replaced(credentials, match, name+"="+redacted)
	})
}

// isCredential reports whether something with this name holds a credential
// itself: HF_TOKEN, --api-key, clientPassword, but not SECRET_NAME or authSecret,
// which name an object.
func isCredential(name any) bool {
	text, _ := name.(string)
	words := wordsOf(text)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "token", "password", "passwd", "passphrase", "credential", "credentials", "apikey":
		return true
	case "secret":
		return strings.ToUpper(text) == text
	case "key":
		if len(words) > 1 {
			switch words[len(words)-2] {
			case "api", "access", "secret", "private", "auth", "account":
				return true
			}
		}
	}
	return false
}

// namesCredential reports a flag whose value is the next argument.
func namesCredential(argument any) bool {
	text, _ := argument.(string)
	return strings.HasPrefix(text, "-") && !strings.ContainsAny(text, "= ") && isCredential(strings.TrimLeft(text, "-"))
}

// wordsOf splits HF_TOKEN, hf-token and hfToken into lowercase words.
func wordsOf(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	var before rune
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			end()
		} else {
			if unicode.IsUpper(c) && unicode.IsLower(before) {
				end()
			}
			word.WriteRune(c)
		}
		before = c
	}
	end()
	return words
}
