import t from 'tap'
import { Notices } from '../../../../plugins/maintenance/notices.js'
import type { PrinterStatus } from '../../../../plugins/maintenance/status.js'

const task = (id: string) => ({ task: { id, name: id }, state: 'due', progress: [], last: undefined })
const status = { printer: 'x1c', serial: 's', tasks: ['rods', 'nozzle', 'belts'].map(task) } as unknown as PrinterStatus

t.test('every task is warned of once, also if the database fails in between', async t => {
  const noted = new Set<string>()
  const told: string[] = []
  let calls = 0
  const notices = new Notices({
    store: {
      async warnOnce ({ id }) {
        if (++calls === 2) throw new Error('the database is away')
        return noted.size < noted.add(id).size
      }
    },
    raise: (printer, { payload }) => { told.push(`${printer} ${payload.reason}`) },
    happened () {},
    now: () => 0
  })
  await t.rejects(notices.see([status]), { message: /away/ })
  t.equal(await notices.see([status]), true)
  t.equal(await notices.see([status]), false)
  t.same(told, ['x1c rods', 'x1c nozzle; belts'])
})
