import t from 'tap'
import { closestMatch } from '../../../core/util/closest-match.js'

const KEYS = ['name', 'host', 'serial', 'accessCode', 'model', 'ports', 'tls', 'ca']

t.test('a typing mistake leads to what was meant', async t => {
  for (const [typed, meant] of [
    ['nmae', 'name'], ['hots', 'host'], ['serail', 'serial'], ['accesscode', 'accessCode'], ['access_code', 'accessCode'],
    ['port', 'ports'], ['tsl', 'tls'], ['Model', 'model'], ['sreialNumber', undefined]
  ] as const) t.equal(closestMatch(typed, KEYS), meant, typed)
})

t.test('something else altogether leads nowhere', async t => {
  for (const typed of ['x', 'zz', 'temperature', 'password', '']) t.equal(closestMatch(typed, KEYS), undefined, typed)
})

t.test('the closest of several wins', async t => {
  t.equal(closestMatch('hosts', ['host', 'ports']), 'host')
  t.equal(closestMatch('camra', ['climate', 'camera', 'charts']), 'camera')
})

t.test('without candidates there is none', async t => {
  t.equal(closestMatch('a', []), undefined)
})
