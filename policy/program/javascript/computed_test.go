package javascript

import "testing"

// What only computes is computed, so that what it makes is known.
func TestWhatIsComputedIsKnown(t *testing.T) {
	for want, programs := range map[string][]string{
		"delete /etc": {
			`require('fs').rmSync(['/e','t','c'].reduce((a,b)=>a+b))`,
			`require('fs').rmSync(['c','et','/'].reduceRight((a,b)=>a+b))`,
			`require('fs').rmSync(['t','c'].reduce((a,b)=>a+b, '/e'))`,
			`const p = 'x/etc'; require('fs').rmSync(p.slice(p.indexOf('/')))`,
			`require('fs').rmSync('tc'.padStart(4, '/e'))`,
			`require('fs').rmSync('/e'.padEnd(4, 'tc'))`,
			`require('fs').rmSync('/x/etc'.substr(-4))`,
			`require('fs').rmSync('abc/etcd'.substring(7, 3))`,
			`require('fs').rmSync('abc/etcd'.slice(-5, -1))`,
			`require('fs').rmSync('/x/etc'.substr(2, 4))`,
			`require('fs').rmSync(['/a','/etc'].at(-1))`,
			`require('fs').rmSync('/' + 'etc'.at(0) + 'xyt'.charAt(2) + 'c'.charAt(0) + 'c'.charAt(9))`,
			`require('fs').rmSync('/' + String.fromCharCode('e'.charCodeAt(0)) + String.fromCodePoint('t'.codePointAt(0)) + 'c')`,
			`require('fs').rmSync(Array.from('/etc').join(''))`,
			`require('fs').rmSync('/' + Array.from({length: 3}, (_, i) => 'etc'[i]).join(''))`,
			`require('fs').rmSync(Array.of('/etc', 'x').shift())`,
			`const l = ['t', 'c']; l.unshift('/', 'e'); require('fs').rmSync(l.join(''))`,
			`const l = ['/etc', 'x']; l.pop(); require('fs').rmSync(l.pop())`,
			`require('fs').rmSync(['c', 't', 'e', '/'].toReversed().join(''))`,
			`require('fs').rmSync(['c', 't', 'e', '/'].reverse().join(''))`,
			`require('fs').rmSync([['/e'], ['t', 'c']].flat().join(''))`,
			`require('fs').rmSync(['/e', 't-c'].flatMap(x => x.split('-')).join(''))`,
			`require('fs').rmSync(['x', '/etc'].find(x => x.startsWith('/')))`,
			`require('fs').rmSync(['x', '/etc', 'y', 'c'].filter(x => x.length > 1)[0])`,
			`require('fs').rmSync(['a', '/etc', 'b'].slice(1, 2)[0])`,
			`const m = new Map(); m.set('k', '/etc'); require('fs').rmSync(m.get('k'))`,
			`const m = new Map([['k', '/etc']]); require('fs').rmSync(m.get('k'))`,
			`const o = Object.assign({}, {p: '/etc'}); require('fs').rmSync(o.p)`,
			`require('fs').rmSync(Array.prototype.join.call(['/e', 'tc'], ''))`,
			`require('fs').rmSync(Buffer.from('2f657463', 'hex').toString())`,
			`require('fs').rmSync(Buffer.from('L2V0Yw==', 'base64').toString('utf8'))`,
			`require('fs').rmSync('\x2f\u0065\u{74}\143')`,
		},
		"delete /yes": {
			`if ('abc'.includes('b')) require('fs').rmSync('/yes'); else require('fs').rmSync('/no')`,
			`if ('abc'.startsWith('ab') && 'abc'.endsWith('bc')) require('fs').rmSync('/yes')`,
			`if ('abc'.indexOf('z') < 0 && 'aba'.lastIndexOf('a') === 2) require('fs').rmSync('/yes')`,
		},
		"delete /aaa": {
			`require('fs').rmSync('/' + 'a'.repeat(3))`,
			`require('fs').rmSync('/' + new Array(3).fill('a').join(''))`,
			`require('fs').rmSync('/' + Array(4).join('a'))`,
		},
		"delete /x": {
			`for (const v of Object.values({a: '/x'})) require('fs').rmSync(v)`,
			`for (const k of Object.keys({'/x': 1})) require('fs').rmSync(k)`,
			`require('fs').rmSync(Object.fromEntries([['a', '/x']]).a)`,
			`const o = {}; Object.defineProperty(o, 'a', {value: '/x'}); require('fs').rmSync(o.a)`,
			`const {a, ...rest} = {a: 1, b: '/x'}; require('fs').rmSync(rest.b)`,
			`const [a, ...rest] = ['1', '/x']; require('fs').rmSync(rest[0])`,
			`const {a = '/x'} = {}; require('fs').rmSync(a)`,
			`const [a = '/x'] = []; require('fs').rmSync(a)`,
			`const {['a' + 'b']: c} = {ab: '/x'}; require('fs').rmSync(c)`,
			`let a, b; [a, b] = ['/y', '/x']; require('fs').rmSync(b)`,
			`let a; ({a} = {a: '/x'}); require('fs').rmSync(a)`,
			`class A { p = '/x'; go() { require('fs').rmSync(this.p) } } new A().go()`,
			`class A { constructor(p) { this.p = p } go() { require('fs').rmSync(this.p) } } class B extends A {} new B('/x').go()`,
			`class A { static { require('fs').rmSync('/x') } }`,
			`function F(p) { this.p = p } require('fs').rmSync(new F('/x').p)`,
			`const f = require('fs').rmSync.bind(null, '/x'); f()`,
			`Reflect.get(require('fs'), 'rmSync')('/x')`,
			`Reflect.apply(require('fs').rmSync, null, ['/x'])`,
			`if (1 <= 2 && 2 >= 2 && 3 > 2) require('fs').rmSync('/x')`,
			`if (typeof '' === 'string' && typeof 1 === 'number' && typeof {} === 'object') require('fs').rmSync('/x')`,
			`require('fs').rmSync(void 0 ?? '/x')`,
			`require('fs').rmSync(Buffer.from([47, 120]).toString())`,
			`require('fs').rmSync(JSON.parse('{"a": ["/x", null, true, 1]}').a[0])`,
			`import * as fs from 'node:fs'; fs.rmSync('/x')`,
			`import('data:text/javascript;base64,' + btoa("require('fs').rmSync('/x')"))`,
			`setTimeout("require('fs').rmSync('/x')", 1)`,
			`new Function('a', 'require("fs").rmSync(a)')('/x')`,
			`require('fs')?.rmSync?.('/x')`,
			`function f() { require('fs').rmSync(arguments[0]) } f('/x')`,
			`const f = unknown ? require('fs').rmSync : require('fs').unlinkSync; f('/x')`,
			`const o = {toString() { return '/x' }}; require('fs').rmSync('' + o)`,
			`const o = {a: {b: ['/x']}}; const {a: {b: [c]}} = o; require('fs').rmSync(c)`,
			`const o = {}; o['a' + 1] = '/x'; require('fs').rmSync(o.a1)`,
			`label: { require('fs').rmSync('/x') }`,
			`function* g() { yield require('fs').rmSync('/x') } g()`,
			`async function f() { await require('fs').promises.rm('/x') } f()`,
		},
		"delete /a": {
			`for (const k in {'/a': 1}) require('fs').rmSync(k)`,
		},
		"delete /b": {
			`require('fs').rmSync('/a, /b'.split(/, */)[1])`,
		},
		"delete /a/b": {
			`require('fs').rmSync('/a,/b,/c'.split(',', 2).join(''))`,
		},
	} {
		for _, program := range programs {
			p := Read(program)
			if len(p.Uses) != 1 || p.Uses[0].String() != want || len(p.Doubt) > 0 {
				t.Errorf("%s\n   does %v in doubt of %q, want %q", program, p.Uses, p.Doubt, want)
			}
		}
	}
}
