import t from 'tap'
import { bit, bits, flag, hex, hex8, hexBit, hexLow, int, isAtLeast, list, num, numbers, part, text } from '../../../../core/printer/state/raw.js'

t.test('numbers, also as text', async t => {
  t.strictSame([3, '3', ' 3.5 ', '-2', 0].map(value => num(value)), [3, 3, 3.5, -2, 0])
  for (const odd of ['', '  ', 'x', null, undefined, {}, [], true, NaN, Infinity, 'Infinity']) t.equal(num(odd, 7), 7, String(odd))
  t.strictSame([3.9, '-3.9', 'x'].map(value => int(value, 1)), [3, -3, 1])
})

t.test('texts, also as numbers', async t => {
  t.strictSame(['a', 5, '', true, null, undefined].map(value => text(value, 'z')), ['a', '5', '', 'z', 'z', 'z'])
})

t.test('flags in every dress', async t => {
  t.strictSame([true, 1, 'true', '1', 'enable', 'ON'].map(value => flag(value)), [true, true, true, true, true, true])
  t.strictSame([false, 0, 'false', '0', 'disable', '', 'x'].map(value => flag(value, true)), Array(7).fill(false))
  t.equal(flag(undefined, true), true)
})

t.test('hexadecimal words of any length', async t => {
  t.equal(hex(' 11A30F9CFB '), '11A30F9CFB')
  t.equal(hex(10), '10', 'a number is its digits')
  for (const odd of ['', 'xyz', '0x1', undefined, {}, 'f'.repeat(33)]) t.equal(hex(odd), '0', String(odd))
  const set = (word: bigint) => Array.from({ length: 130 }, (_, at) => at).filter(at => hexBit(word.toString(16), at))
  t.strictSame(set(0x8000000000000000n), [63])
  const word = 0x11A30F9CFBn
  t.strictSame(set(word), Array.from({ length: 64 }, (_, at) => at).filter(at => word >> BigInt(at) & 1n))
  for (const at of [-1, -(2 ** 31), 128, 2 ** 40, 1.5, NaN]) t.equal(hexBit('ff', at), false, `there is no bit ${at}`)
  t.equal(hexLow('11A30F9CFB'), 0xA30F9CFB)
  t.equal(hexLow('f'), 15)
  t.strictSame([-1, 2, 1].map(word => bit(word, 31)), [true, false, false])
  t.equal(bits(0xFFFFFFFF, 28, 4), 15)
  t.equal(bits(-1, 31, 1), 1)
  t.strictSame([0, 50348044, -1].map(hex8), ['00000000', '0300400C', 'FFFFFFFF'])
})

t.test('parts and lists that may be missing', async t => {
  t.strictSame(part({ a: { b: { c: 1 } } }, 'a', 'b'), { c: 1 })
  t.strictSame(part({ a: [1] }, 'a', 'b'), {})
  t.strictSame(list([{ a: 1 }, 2, null, []]), [{ a: 1 }])
  t.strictSame(list({}), [])
  t.strictSame(numbers([1, '2', 'x', null]), [1, 2])
})

t.test('firmware versions compare part by part', async t => {
  t.ok(isAtLeast('01.07.00.00', '01.07.00.00'))
  t.ok(isAtLeast('01.10.00.00', '01.9.00.00'))
  t.ok(isAtLeast('02.00', '01.99.99.99'))
  t.notOk(isAtLeast('01.06.99.99', '01.07.00.00'))
  t.notOk(isAtLeast('', '01.00'))
})
