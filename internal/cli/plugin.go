package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// asPlugin makes help and messages say "kubectl wm" when the program was
// started by the name under which kubectl finds plugins.
func asPlugin(root *cobra.Command, program string) {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	if name != "kubectl-wm" && name != "kubectl_wm" {
		return
	}
	if root.Annotations == nil {
		root.Annotations = map[string]string{}
	}
	root.Annotations[cobra.CommandDisplayNameAnnotation] = "kubectl wm"
}
