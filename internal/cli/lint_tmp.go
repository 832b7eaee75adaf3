package cli

import "github.com/spf13/cobra"

func newLint(World) *cobra.Command { return &cobra.Command{Use: "lint"} }
