import { createKernel, definePreset, type Config, type PrinterEntry } from '../../core/index.js'
import { describeProbe, type ProbeSummary } from '../../plugins/management/index.js'

/** Login and first report take a second or two; a silent printer is given this long. */
const REPORT_WITHIN_MS = 15_000

/** Opens one session, waits for its first report, and puts into words what happened. */
export async function probe (entry: PrinterEntry, config: Config, acceptCertificate: boolean): Promise<ProbeSummary> {
  const kernel = await createKernel(definePreset({ name: 'probe', plugins: [] }),
    { ...config, printers: [entry], plugins: {}, log: { file: false } })
  const { serial } = kernel.printers.config(entry.name) ?? entry
  if (acceptCertificate) await kernel.pins.drop(serial)
  await kernel.start({ listen: false })
  const session = kernel.printers.resolve(entry.name)
  const deadline = Date.now() + REPORT_WITHIN_MS
  while (!session.live && Date.now() < deadline && session.problem === undefined) await nap(50)
  const verdict = await describeProbe(session)
  await kernel.close()
  return verdict
}

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
