package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/internal/words"
)

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell",
		Long: `Completion prints a script that lets a shell complete commands and flags: bash (with
the package bash-completion), zsh, fish or powershell. Packages of Sluice install
the scripts; otherwise write them to where the shell looks for them, as in the
examples, and start a new shell.

Exit codes: 0 it was printed; 2 wrong usage.`,
		Example: `  sluice completion bash > ~/.local/share/bash-completion/completions/sluice
  sluice completion zsh > "${fpath[1]}/_sluice"
  sluice completion fish > ~/.config/fish/completions/sluice.fish
  sluice completion powershell >> $PROFILE`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      exactlyOne("SHELL (bash, zsh, fish, powershell)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return fmt.Errorf("there is no completion for the shell %q: use %s", args[0], words.OneOf(cmd.ValidArgs))
		},
	}
}
