package report

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/workloadmap/wm/source"
)

// address is a file's name as a URI: relative to the folder that wm ran in, or
// absolute where that is not known or the file lies elsewhere. base names what a
// relative URI starts from.
func address(folder, name string) (uri, base string) {
	if name == source.Stdin {
		return "stdin", ""
	}
	name = path.Clean(filepath.ToSlash(name))
	if below, ok := strings.CutPrefix(name, folder+"/"); ok && folder != "" {
		name = below
	}
	if path.IsAbs(name) {
		return (&url.URL{Scheme: "file", Path: name}).String(), ""
	}
	// String puts ./ before a name whose colon would make a scheme of it.
	return (&url.URL{Path: name}).String(), "%SRCROOT%"
}
