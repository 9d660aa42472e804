package script

import (
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

const walk = "import os, shutil\nfor root, dirs, files in os.walk('.'):\n  for d in dirs:\n"

func TestConditionsNarrowWhatIsDeleted(t *testing.T) {
	check(t, library.Python, []sample{
		{walk + "    if d == '__pycache__':\n      shutil.rmtree(os.path.join(root, d))", []string{"delete ./__pycache__ recursive"}},
		{walk + "    if d in ('dist', 'build'):\n      shutil.rmtree(os.path.join(root, d))", []string{"delete ./dist recursive", "delete ./build recursive"}},
		{"OLD = {'dist', 'build'}\n" + walk + "    if d in OLD and root != 'x':\n      shutil.rmtree(os.path.join(root, d))", []string{"delete ./dist recursive", "delete ./build recursive"}},
		{walk + "    if d.startswith('tmp_'): shutil.rmtree(os.path.join(root, d))", []string{"delete ./tmp_* recursive"}},
		{walk + "    if d.lower().endswith(('.egg-info', '.egg')):\n      shutil.rmtree(os.path.join(root, d))", []string{"delete ./*.egg-info recursive", "delete ./*.egg recursive"}},
		{walk + "    if d != 'node_modules':\n      continue\n    shutil.rmtree(os.path.join(root, d))", []string{"delete ./node_modules recursive"}},
		{walk + "    if not d.startswith('tmp'): continue\n    shutil.rmtree(os.path.join(root, d))", []string{"delete ./tmp* recursive"}},
		{"for p in Path('.').rglob('*'):\n  if p.name == '.DS_Store':\n    p.unlink()", []string{"delete ./.DS_Store"}},
		{"for p in Path('/var').rglob('*'):\n  if p.suffix in ['.pyc', '.pyo']:\n    p.unlink()", []string{"delete /var/*.pyc", "delete /var/*.pyo"}},
		{"[shutil.rmtree(d) for d in os.listdir('.') if d == 'dist']", []string{"delete dist recursive"}},
		{"[shutil.rmtree(p) for p in Path('.').rglob('__pycache__')]", []string{"delete ./__pycache__ recursive"}},
		{"[shutil.rmtree(p) for p in glob.glob('/home')]", []string{"delete /home recursive"}},
		{"for e in os.scandir('.'):\n  if e.name.endswith('.log'):\n    os.remove(e.path)", []string{"delete ./*.log"}},
	})
	check(t, library.Ruby, []sample{
		{"Dir.children('.').each do |d|\n  if d == 'dist'\n    FileUtils.rm_rf(d)\n  end\nend", []string{"delete dist recursive"}},
		{"Dir.children('.').each { |d| FileUtils.rm_rf(d) if d == 'dist' }", []string{"delete dist recursive"}},
	})
	check(t, library.PHP, []sample{
		{"<?php foreach (scandir('/srv/x') as $f) { if (in_array($f, ['a', 'b'])) { unlink($f); } }", []string{"delete a", "delete b"}},
		{"<?php foreach (scandir('.') as $f) { if (str_ends_with($f, '.log')) { unlink($f); } }", []string{"delete ./*.log"}},
	})
	check(t, library.Perl, []sample{
		{`for my $f (glob("*")) { if ($f eq "x.o") { unlink $f; } }`, []string{"delete x.o"}},
		{`for my $f (glob("*")) { unlink $f if $f eq "x.o"; }`, []string{"delete x.o"}},
	})
}

func TestNarrowingEndsWithItsBlock(t *testing.T) {
	check(t, library.Python, []sample{
		{"p = '/'\nif p == 'x': pass\nshutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x':\n  pass\nshutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x':\n  pass\nelse:\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p != 'x':\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x' or True:\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif not p == 'x':\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x' if 0 else 1:\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x' | 1:\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p in 'x/y':\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p in ('x', q):\n  shutil.rmtree(p)", []string{"delete / recursive"}},
		{"p = 'a'\nif p == 'x':\n  p = '/'\nshutil.rmtree(p)", []string{"delete a recursive", "delete x recursive", "delete / recursive"}},
		{"for p in os.listdir('/'):\n  if p != 'x': continue\n  os.remove(p)\nfor p in glob.glob('/*'):\n  os.remove(p)", []string{"delete x", "delete /*"}},
		{"for p in glob.glob('/*'):\n  if p.endswith(''):\n    shutil.rmtree(p)", []string{"delete /* recursive"}},
		{"def f(p):\n  if p == 'x':\n    return\n  shutil.rmtree(p)\nf('/')", []string{"delete / recursive"}},
		{"p = '/'\n[print(p) for x in [1] if p == 'x']\nshutil.rmtree(p)", []string{"delete / recursive"}},
	})
	check(t, library.Ruby, []sample{
		{"p = '/'\nif p == 'x' then puts 1 end; FileUtils.rm_rf(p)", []string{"delete / recursive"}},
		{"p = '/'\nputs 1 if p == 'x'; FileUtils.rm_rf(p)", []string{"delete / recursive"}},
		{"p = '/'\nif p == 'x'\n  puts 1\nelse\n  FileUtils.rm_rf(p)\nend", []string{"delete / recursive"}},
	})
	check(t, library.PHP, []sample{
		{"<?php $p = '/x'; if ($p == 'a') { echo 1; } unlink($p);", []string{"delete /x"}},
		{"<?php $p = '/x'; if ($p == 'a') echo 1; unlink($p);", []string{"delete /x"}},
	})
	check(t, library.Perl, []sample{
		{`$p = "/x"; print 1 if $p eq "a"; unlink $p;`, []string{"delete /x"}},
		{`$p = "/x"; if ($p eq "a") { print 1; } else { unlink $p; }`, []string{"delete /x"}},
	})
}
