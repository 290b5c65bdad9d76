import t from 'tap'
import { resolveFilamentSource } from '../../../../plugins/projects/mapping/filament-source.js'

const PLATE = { printable: true, filaments: [], physicalExtruders: [0], filamentExtruders: [], printerModelId: '', nozzleDiameters: [], bedType: '' } as any
const WANTED = { path: '/vase.gcode.3mf', plateNumber: 1, plate: PLATE }
const SENTENCE = "The plate of 'x1c' has not been confirmed clear since 'vase' was printed."

const judged = (startedAt: number | undefined, acceptWarnings?: string[]) => resolveFilamentSource(
  WANTED, { name: 'x1c', model: { extruders: 1, name: 'X1C', id: 'X1C' }, state: { ams: { units: [] }, spools: [], job: { startedAt } } } as any,
  { useAms: false, acceptMismatch: false, acceptWarnings }, { weigh: () => undefined, usedPlate: async () => SENTENCE }
)
const messageOf = async (startedAt: number | undefined) => (await judged(startedAt)).findings.find(({ code }) => code === 'plate_used')?.message ?? ''

t.test('who accepts a plate after one print has not accepted it after the next of the same name', async t => {
  const first = Date.parse('2026-11-30T07:00:00')
  const next = first + 3_600_000
  const message = await messageOf(first)
  t.equal(message, `${SENTENCE} That print began at 2026-11-30 07:00:00.`)
  t.equal((await judged(first, [message])).refusal, undefined)
  t.match((await judged(next, [message])).refusal, { code: 'PRN_ERR_PLATE_USED', message: /2026-11-30 08:00:00/ })
  t.equal(await messageOf(undefined), SENTENCE, 'without a known begin')
})
