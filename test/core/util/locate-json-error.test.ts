import t from 'tap'
import { jsonProblem } from '../../../core/util/locate-json-error.js'

t.test('agrees with the parser on what is valid', async t => {
  for (const text of ['{}', '[]', '""', '0', '-1.5e+3', 'null', ' \n\t{"a":[1,{"b":[]},true],"c":{"d":"\\u00e9\\""}}\r\n']) {
    t.equal(jsonProblem(text), undefined, text)
    t.doesNotThrow(() => JSON.parse(text))
  }
})

t.test('agrees with the parser on what is not', async t => {
  for (const text of ['', ' ', '{', '[', '{]', '[}', '{"a"}', '{"a":}', '{"a":1,}', '[1,]', '[,1]', '[1 2]', '{a:1}', "{'a':1}",
    '01', '1.', '.5', '+1', 'nul', 'True', '"a', '"\\x"', '"\u0001"', '{} {}', '1 1', '// c\n{}', '{"a":1]', 'NaN', '\u00A0{}']) {
    t.match(jsonProblem(text), /^line \d+, column \d+: /, JSON.stringify(text))
    t.throws(() => JSON.parse(text), SyntaxError)
  }
})

t.test('the place is that of the first thing that does not fit', async t => {
  t.equal(jsonProblem('{\n  "a": 1\n  "b": 2\n}'), 'line 3, column 3: a comma or the closing bracket is expected')
  t.equal(jsonProblem('{\n  "a": 1,\n}'),
    'line 3, column 1: a key in double quotes is expected; the comma before it may be one too many')
  t.equal(jsonProblem('{ "a" 1 }'), "line 1, column 7: ':' is expected")
  t.equal(jsonProblem('[1,\n]'), 'line 2, column 1: a value is expected; a comma before it may be one too many')
  t.equal(jsonProblem('{} x'), 'line 1, column 4: nothing more is expected')
  t.equal(jsonProblem('{"a": "b'), 'line 1, column 7: a value is expected; a comma before it may be one too many')
})

t.test('nothing of the text is repeated', async t => {
  t.notMatch(jsonProblem('{ "accessCode": 12345678x }'), '12345678')
})

t.test('a large good document is read in one go', async t => {
  const text = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ at, name: `n${at}`, list: [at, null] })))
  t.equal(jsonProblem(text), undefined)
  t.match(jsonProblem(text.slice(0, -1)), /line 1, column \d+: a comma or the closing bracket/)
})
