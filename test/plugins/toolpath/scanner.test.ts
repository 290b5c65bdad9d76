import t from 'tap'
import { MAX_LINE_BYTES, Scanner, type Command } from '../../../plugins/toolpath/read/scanner.js'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** What a file says, cut into pieces of a size. */
function scan (text: string | Uint8Array, size = 1_000_000) {
  const found: string[] = []
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const words = ({ words, values }: Command) => [...LETTERS].filter((_, index) => (words & (1 << index)) !== 0)
    .map(letter => `${letter}${Math.round(values[letter.charCodeAt(0) - 65]! * 1e6) / 1e6}`)
  const scanner = new Scanner({
    command: (command, line) => found.push([line, `${String.fromCharCode(command.letter)}${command.code}` +
      (command.subcode === 0 ? '' : `.${command.subcode}`), ...words(command)].join(' ')),
    comment: (bytes, start, end, line) => found.push(`${line} ;${Buffer.from(bytes.subarray(start, end)).toString()}`),
    tooLong: line => found.push(`${line} too long`),
    unreadable: line => found.push(`${line} unreadable`),
    unknown () {}
  })
  for (let at = 0; at < bytes.length; at += size) scanner.write(bytes.subarray(at, at + size))
  scanner.end()
  return found
}

t.test('commands, their words and comments are read', async t => {
  t.same(scan('G1 X1.5 Y-2 E.03\n'), ['1 G1 E0.03 X1.5 Y-2'])
  t.same(scan('g1x1y2e.5'), ['1 G1 E0.5 X1 Y2'], 'without spaces, in small letters, without a newline')
  t.same(scan('G29.2 S0\r\nT1000\r\n'), ['1 G29.2 S0', '2 T1000'], 'Windows line ends')
  t.same(scan('  G0 Z+3 ; lift\n\n; LAYER\nM620 S1A\n'), ['1 ; lift', '1 G0 Z3', '3 ; LAYER', '4 M620 ANaN S1'])
  t.same(scan('N12 G1 X1*71\n'), ['1 G1 X1'], 'a line number and a checksum')
  t.same(scan('G1 (to the left) X1 (open\nM117 hot end\n').length, 2)
  t.same(scan('hello\nG\nGX\n: 1\n'), [], 'what is no command is none')
})

t.test('numbers of any form stay finite or are none', async t => {
  t.same(scan('G1 X NaN Y1e300 Z--1 E1.2.3 F00000000000000000000000000000000000001\n'),
    ['1 G1 ANaN E1.2 F1 NNaN X NaN Y1 ZNaN'.replace('X NaN', 'XNaN')])
  t.same(scan(`G1 X0.${'1'.repeat(60)}\n`), ['1 G1 X0.111111'])
})

t.test('pieces of any size say the same', async t => {
  const text = 'G1 X10.25 Y20 E1\r\n; FEATURE: Outer wall\nG2 X1 I2 J3 E0.1 ; arc\nM104 S220'
  const whole = scan(text)
  t.equal(whole.length, 5)
  for (let size = 1; size < 20; size++) t.same(scan(text, size), whole, `${size} bytes`)
})

t.test('a line without an end takes no memory', async t => {
  const long = Buffer.alloc(MAX_LINE_BYTES * 3, 'G1 X1 ')
  const found = scan(Buffer.concat([Buffer.from('G28\n'), long, Buffer.from('\nM84\n')]), 65_536)
  t.same([found[0], found.at(-2), found.at(-1)], ['1 G28', '2 too long', '3 M84'])
  const whole = scan(Buffer.concat([Buffer.from('G28\n'), long, Buffer.from('\nM84\n')]))
  t.same([whole[0], whole.at(-2), whole.at(-1)], ['1 G28', '2 too long', '3 M84'], 'in one piece')
})

t.test('random bytes are read to their end', async t => {
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647)
  for (let round = 0; round < 50; round++) {
    const bytes = Uint8Array.from({ length: 5_000 }, () => random() & 255)
    t.same(scan(bytes, 1 + random() % 700), scan(bytes), `round ${round}`)
  }
})
