import t from 'tap'
import type { Command } from '../../../core/printer/mqtt/command.js'
import { createStartKeeper } from '../../../core/printer/start-keeper.js'
import type { StartRecord } from '../../../core/printer/state/context.js'

const START: Command = { section: 'print', command: 'project_file', task_id: '7', subtask_name: 'vase' }

t.test('a start that is stored slowly is checked once more before it is sent', async t => {
  const stored: StartRecord[] = []
  const sent: unknown[] = []
  let written = () => {}
  let isBusy = false
  const keeper = createStartKeeper({
    serial: 'S1',
    reports: { context: { start: undefined }, state: undefined, raw: {} } as never,
    store: {
      get: () => undefined,
      async set (_, start) {
        stored.push(start)
        if (stored.length === 1) await new Promise<void>(resolve => { written = resolve })
      }
    },
    now: () => 1_000,
    log: { error: (problem: unknown) => { throw problem } } as never
  })
  const { perform } = keeper.recording({
    send: async () => undefined,
    async perform (_, commands, __, check) {
      check?.()
      sent.push(commands)
      return { confirmed: true }
    }
  })
  const starting = perform('to start the print', START, [], () => { if (isBusy) throw new Error('it prints something else') })
  isBusy = true
  written()
  await t.rejects(starting, /it prints something else/)
  t.same(sent, [])
  t.match(stored.at(-1), { taskId: '7', outcome: 'given_up' }, 'after a restart nobody waits for it')
})
