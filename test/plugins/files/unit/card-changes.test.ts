import { Readable } from 'node:stream'
import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { CardChanges, type CardChangesDeps } from '../../../../plugins/files/card-changes.js'
import { createProtections } from '../../../../plugins/files/protections.js'
import { createTransfers } from '../../../../plugins/files/transfers.js'

interface Last { readonly checkLast: (replaces: boolean) => void }

/** @param existing is on the card @param waiting runs while the upload waits for the card */
function scene (known: Partial<PrinterSession>, existing: boolean, waiting = () => {}) {
  const written: string[] = []
  const store = async (_source: unknown, path: string, { checkLast }: Last) => {
    waiting()
    checkLast(existing)
    written.push(path)
    return { size: 1 }
  }
  const session = { name: 'p1s', state: undefined, card: { upload: store, uploadFrom: store }, ...known } as unknown as PrinterSession
  const protections = createProtections()
  const deps = {
    contents: { stat: async (_session: unknown, path: string) => ({ path }) },
    listings: {},
    transfers: createTransfers(() => 0),
    protections,
    now: () => 0
  } as unknown as CardChangesDeps
  const changes = new CardChanges(deps)
  return {
    written,
    protections,
    upload: (path: string) => changes.upload(session, '/host/a', path),
    stream: (path: string) => changes.uploadFrom(session, Readable.from(['x']), path)
  }
}

const PAUSED = { service: 'PAUSED', live: false } as const
const CURRENT = { service: 'CONNECTED', live: true, state: {} as never } as const

t.test('a file that may be in print is not replaced while the state of the printer is unknown', async t => {
  const { upload, stream, written } = scene(PAUSED, true)
  await t.rejects(upload('/a.gcode.3mf'), { code: 'PRN_ERR_STATE_NOT_CURRENT' })
  await t.rejects(stream('/a.gcode.3mf'), { code: 'PRN_ERR_STATE_NOT_CURRENT' })
  await t.rejects(scene({ service: 'DISCONNECTED', live: false } as never, true).upload('/a.gcode.3mf'), { code: 'PRN_ERR_NOT_CONNECTED' })
  t.same(written, [])
  await upload('/film.mp4')
  t.same(written, ['/film.mp4'], 'what cannot be printed')
})

t.test('a new file may come at any time, and any file while the state is known', async t => {
  for (const { upload, stream, written } of [scene(PAUSED, false), scene(CURRENT, true)]) {
    await upload('/a.gcode.3mf')
    await stream('/b.gcode.3mf')
    t.same(written, ['/a.gcode.3mf', '/b.gcode.3mf'])
  }
})

t.test('a print that begins while the upload waits for the card keeps its file', async t => {
  let inPrint = false
  const { upload, stream, written, protections } = scene(CURRENT, true, () => { inPrint = true })
  protections.add(() => inPrint ? 'it is being printed' : undefined)
  await t.rejects(upload('/a.gcode.3mf'), { code: 'PRN_ERR_FILE_IN_USE' })
  inPrint = false
  await t.rejects(stream('/a.gcode.3mf'), { code: 'PRN_ERR_FILE_IN_USE' })
  t.same(written, [])
})
