package shell

import "testing"

func TestTerminalsRunWhatIsTypedIntoThem(t *testing.T) {
	for _, command := range []string{ // in a shell that was started before, whose variables are its own
		`tmux send-keys 'rm -rf ~' Enter`, `tmux send -t a:0 "rm -rf ~" C-m`, `tmux send-keys rm Space -rf Space '~' Enter`, `tmux send-keys -H 72 6d 20 2d 72 66 20 7e`,
		`tmux new -d \; send-keys 'rm -rf ~' Enter`,
		`screen -dm rm -rf ~`, `screen -dmS a sh -c 'rm -rf ~'`, `screen -S a -X stuff 'rm -rf ~\n'`, `screen -X stuff 'rm -rf ~^M'`, `screen -X exec rm -rf ~`,
		`screen -X exec ... rm -rf ~`, `screen -X screen 3 rm -rf ~`, `screen -X eval 'stuff "rm -rf ~\015"'`, `screen -X bind x exec rm -rf ~`,
	} {
		sayEach(t, []saying{{command, `unset-variable *; delete /home/u wide`}})
	}
	for _, command := range []string{
		`tmux new -d 'rm -rf ~'`, `tmux -L x new-session -d -s a 'rm -rf ~'`, `tmux new-window -n a rm -rf ~`, `tmux splitw -h 'rm -rf ~'`, `tmux respawn-pane -k 'rm -rf ~'`, `tmux pipe-pane 'rm -rf ~'`,
	} {
		sayEach(t, []saying{{command, `delete /home/u wide; unset-variable *`}})
	}
	for _, command := range []string{
		`tmux run -b 'rm -rf ~'`, `tmux if-shell true 'run-shell "rm -rf ~"'`, `tmux if -F 1 'run "rm -rf ~"'`,
		`tmux set-hook -g after-new-window 'run-shell "rm -rf ~"'`, `tmux bind x run-shell 'rm -rf ~'`, `tmux confirm-before 'run "rm -rf ~"'`,
		`tmux set -g status-right 'x #(rm -rf ~)'`, `tmux set -g default-command 'rm -rf ~'`, `tmux -c 'rm -rf ~'`, `tmux source - <<< "run 'rm -rf ~'"`,
	} {
		sayEach(t, []saying{{command, `delete /home/u wide`}})
	}
	sayEach(t, []saying{
		{`tmux kill-session -t a`, ``},
		{`tmux rename-window 'rm -rf ~'`, ``},
		{`tmux capture-pane -p -t a`, ``},
		{`tmux new -d -s a 'npm run dev'`, `run npm script dev; unset-variable *`},
		{`tmux send-keys -t a q`, `unset-variable *`},
		{`screen -S a -X quit`, `unset-variable *`},
		{`screen -ls`, ``},
	})
}
