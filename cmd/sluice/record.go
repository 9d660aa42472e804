package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
)

func newRecord() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "record --out DIR [flags]",
		Short: "Run a gateway that stores the answers that pass through it",
		Long: `Record runs the gateway like "sluice serve" and stores the answers of providers in a
directory, byte for byte as they arrived: NAME.sse for event streams, NAME.json for
bodies, and NAME.request.json for the request (NAME.request.json.zst or .gz if the
client compressed it). Names begin with the time, the wire format and the id of the
exchange. "sluice inspect" and "sluice policy try" read the answers.

Nothing is enforced: the policies are those of the configuration, all in shadow
mode. The audit log says what they would have done.

Headers, and so keys, are not stored. CONTENTS ARE: prompts, files that an agent
read, and whatever secrets are in them. Only you can read the files (mode 0600);
look at them before you give them to anybody.

Exit codes: as for "sluice serve".`,
		Example: `  sluice record --out recordings
  ANTHROPIC_BASE_URL=http://127.0.0.1:8484 _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1 claude
  sluice inspect recordings/*.sse
  sluice policy try --policies policies.yaml recordings/NAME.sse`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return errors.New("record: name a directory with --out DIR")
			}
			s, err := loadSettings(cmd)
			if err != nil {
				return err
			}
			return serve(cmd, s, server.Options{Recordings: out, Shadow: true})
		},
	}
	settings.Flags(cmd.Flags())
	settings.ServeFlags(cmd.Flags())
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory for the recordings")
	return cmd
}
