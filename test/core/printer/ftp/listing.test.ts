import t from 'tap'
import { parseListing } from '../../../../core/printer/ftp/listing.js'
import { cardPath, newCardPath } from '../../../../core/printer/ftp/path.js'

const NOW = Date.UTC(2026, 5, 20, 12)
const one = (line: string) => parseListing(`${line}\r\n`, '/cache', NOW)[0]

t.test('files and folders', async t => {
  t.same(one('-rw-r--r--    1 1000     1000      1632221 Jun 17  2025 video_2025-06-17_10-00-00.mp4'), {
    name: 'video_2025-06-17_10-00-00.mp4',
    path: '/cache/video_2025-06-17_10-00-00.mp4',
    size: 1632221,
    isFolder: false,
    modifiedAt: Date.UTC(2025, 5, 17)
  })
  t.match(one('drwxr-xr-x    2 103      107         65536 Apr 20 19:11 cache'),
    { isFolder: true, size: 0, modifiedAt: Date.UTC(2026, 3, 20, 19, 11) })
  t.equal(one('-rw-r--r--    1 1000     1000         4096 Jun 18 00:27  a  b .3mf')?.name, ' a  b .3mf')
  t.equal(one('-rw-r--r--+   1 1000     1000         4096 Jun  8 00:27 Grün 🙂 "x".3mf')?.name, 'Grün 🙂 "x".3mf')
})

t.test('dates without a year', async t => {
  const at = (date: string) => one(`-rw-r--r-- 1 0 0 1 ${date} x`)?.modifiedAt
  t.equal(at('Jun 21 11:00'), Date.UTC(2026, 5, 21, 11), 'a clock that runs ahead')
  t.equal(at('Jun 22 00:00'), Date.UTC(2025, 5, 22), 'last year')
  t.equal(at('Dec  7 00:27'), Date.UTC(2025, 11, 7, 0, 27))
  t.equal(at('Foo  7 00:27'), undefined)
  t.equal(at('Jun 77 00:27'), undefined)
})

t.test('what names nothing is passed over', async t => {
  for (const line of ['', 'total 12', 'd', '-rw-r--r-- 1 0 0 x Jun 7 2025 a', 'drwxr-xr-x 2 0 0 4096 Jun 7 2025 .',
    'drwxr-xr-x 2 0 0 4096 Jun 7 2025 ..', '-rw-r--r-- 1 0 0 1 Jun 7 2025 a/../../b', '-rw-r--r-- 1 0 0 1 Jun 7 2025 a\tb',
    'lrwxrwxrwx 1 0 0 1 Jun 7 2025 loop -> /', `-rw-r--r-- 1 0 0 1 Jun 7 2025 ${'x'.repeat(5000)}`]) {
    t.equal(one(line), undefined, JSON.stringify(line.slice(0, 60)))
  }
  t.equal(parseListing('-rw-r--r-- 1 0 0 1 Jun 7 2025 a\n-rw-r--r-- 1 0 0 2 Jun 7 2025 a\n', '/', NOW).length, 1, 'twice is once')
})

t.test('any bytes at all: it never throws, never leads elsewhere, and is quick', async t => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below
  const parts = ['-rw-r--r--', 'drwxr-xr-x', ' ', '    ', '1', '99999999999999999999', 'Jun', '17', '2025', '10:00', '../', '/', '\0',
    '\u001b', '->', '日本', '\ud800', '\r', '\n', 'x'.repeat(300), '%00', '"']
  for (let round = 0; round < 3000; round++) {
    const good = random(2) ? `-rw-r--r-- 1 0 0 ${random(99999)} Jun ${random(40)} 2025 ` : ''
    const text = good + Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('')
    for (const { path, name, size } of parseListing(text, '/f', NOW)) {
      if (path !== `/f/${name}` || name.includes('/') || name === '..' || !Number.isSafeInteger(size)) t.fail(JSON.stringify(text))
    }
  }
  t.same(parseListing(' '.repeat(2_000_000), '/f', NOW), [])
  t.pass('all rounds')
})

t.test('paths', async t => {
  t.equal(cardPath('cache//a b/./c.3mf/'), '/cache/a b/c.3mf')
  t.equal(cardPath(''), '/')
  for (const bad of ['/a/../b', '..', '/a\r\nb', '/a\0', '/\u007f', '/\ud800', `/${'x'.repeat(1100)}`]) {
    t.throws(() => cardPath(bad), { code: 'bad_path' })
  }
  t.equal(newCardPath(`/${'ü'.repeat(127)}`).length, 128)
  for (const bad of ['/', `/${'ü'.repeat(128)}`, '/a:b', '/a"b', '/a*', '/a\\b', '/a.', '/a ']) {
    t.throws(() => newCardPath(bad), { code: 'bad_path' }, bad)
  }
})
