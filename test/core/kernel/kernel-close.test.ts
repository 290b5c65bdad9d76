import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { testFolder } from '../../helpers/folder.js'

/** A process that is not gone by then does not end by itself. */
const HANGS_MS = 100_000

interface Outcome { state: string, start: string, said: string[], again: string }

const child = spawn(process.execPath, ['--import=tsx', join(import.meta.dirname, 'kernel-closing.ts'), testFolder(t)],
  { stdio: ['ignore', 'pipe', 'pipe'], timeout: HANGS_MS })
let output = ''
let errors = ''
child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
child.stderr.setEncoding('utf8').on('data', (text: string) => { errors += text })
const [code] = await once(child, 'close') as [number | null]
const outcomes = output.split('\n').filter(Boolean).map(line => JSON.parse(line) as Outcome)
const of = (state: string) => outcomes.find(outcome => outcome.state === state)

t.test('after closing in every state the process ends by itself', async t => {
  t.equal(code, 0, errors)
  t.equal(errors, '')
  t.equal(outcomes.length, 9)
  t.equal(outcomes.at(-1)?.state, 'left', 'every one was closed before')
})

for (const [state, start, said] of [
  ['unstarted', 'never', []],
  ['immediately', 'PRN_ERR_SHUTTING_DOWN', []],
  ['setup', 'PRN_ERR_SHUTTING_DOWN', ['closed']],
  ['failed', 'PRN_ERR_PLUGIN_SETUP', ['closed']],
  ['listening', 'started', ['closed']],
  ['connecting', 'started', ['closed']],
  ['unwilling', 'started', ['closed']],
  ['stream', 'started', ['closed']]
] as const) {
  t.test(`closed while ${state}`, async t => {
    t.match(of(state), { start, said })
    t.equal(of(state)?.said.length, said.length, 'plugins that were set up are closed, once')
    t.equal(of(state)?.again, state === 'unstarted' ? 'PRN_ERR_SHUTTING_DOWN' : start, 'a closed kernel does not start anew')
  })
}
