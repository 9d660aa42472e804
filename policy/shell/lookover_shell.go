package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// socketWords are how languages open a connection, or wait for one, in lower case.
var socketWords = []string{"socket", "tcpstream", "tcpclient", "tcplistener", "tcpserver", "net.dial", "net.listen", "createserver", "createconnection", "gen_tcp", "open-network-stream", "make-network-process", "sockaddr", "inetaddress", "connect("}

// hearingWords are how they take in what the other side says.
var hearingWords = []string{"readline(", "receive(", "recv(", "gets $", "read-line", "readutf8line", ".accept(", "accept(", "gen_tcp.recv", "getinputstream", "scanner(", "bufferedreader("}

// doingWords are how they run a command that is not written in the program.
var doingWords = []string{"exec $", "exec(", "eval $", "popen(", "system(", "run(pipeline", "run(`", "read(`", "processbuilder", "command::new", "exec.command", "os.cmd", "os:cmd", "spawn(", "syscall.exec", "execve("}

// mostShell is the length of the longest program that is looked at for a shell that
// others talk to: larger ones are applications.
const mostShell = 8 << 10

// opensShell notes that a program in any language joins a connection and a shell, or
// runs what the other side says.
func (a *act) opensShell(program string) {
	if len(program) > mostShell {
		return
	}
	lower := strings.ToLower(program)
	if !containsAny(lower, socketWords) {
		return
	}
	if joinsShell(lower) || containsAny(lower, hearingWords) && containsAny(lower, doingWords) {
		to := addressIn(program)
		if to == "" {
			to = "connection"
		}
		a.does(effect.ReverseShell, to)
	}
}

// joinsShell reports whether a program, in lower case, starts a shell by its path or
// its name alone.
func joinsShell(lower string) bool {
	for _, shell := range []string{"/bin/sh", "/bin/bash", "/bin/zsh", "/bin/dash", "/bin/ash", "cmd.exe", "powershell.exe", "/system/bin/sh"} {
		if strings.Contains(lower, shell) {
			return true
		}
	}
	for _, shell := range []string{`"sh"`, `'sh'`, `"bash"`, `'bash'`, `"cmd"`} {
		if strings.Contains(lower, shell) && containsAny(lower, doingWords) {
			return true
		}
	}
	return false
}

// page notes a program in a web page: whoever asks for it tells the machine what to
// run.
func (r *reader) page(text string) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "<?") && !strings.HasPrefix(text, "<%") || len(text) > mostShell {
		return
	}
	a := act{Command: &Command{Name: "page"}, r: r, number: -1, at: r.scope.at}
	lower := strings.ToLower(text)
	if containsAny(lower, []string{"$_get", "$_post", "$_request", "$_cookie", "request.getparameter"}) && (strings.Contains(text, "`") || containsAny(lower, []string{"system(", "exec(", "passthru(", "popen(", "eval(", "assert("})) {
		a.does(effect.ReverseShell, "a web page")
	}
	a.opensShell(text)
}
