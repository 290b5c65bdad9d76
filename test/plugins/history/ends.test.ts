import t from 'tap'
import { endsWith } from './ends.js'

t.setTimeout(280_000)

t.test('ways in which a print ends, with SQLite', t => endsWith(t, {}))
