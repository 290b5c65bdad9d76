import { createKernel, definePreset, type Config, type PrinterEntry } from '../../core/index.js'

/** Login and first report take a second or two; a silent printer is given this long. */
const REPORT_WITHIN_MS = 15_000
/** Versions come in an answer of their own, right after. */
const VERSIONS_WITHIN_MS = 2_000

export interface Probe { readonly good: boolean, readonly lines: readonly string[] }

/** Opens one session, waits for its first report, and puts into words what happened. */
export async function probe (entry: PrinterEntry, config: Config, acceptCertificate: boolean): Promise<Probe> {
  const kernel = await createKernel(definePreset({ name: 'probe', plugins: [] }),
    { ...config, printers: [entry], plugins: {}, log: { file: false } })
  const { serial } = kernel.printers.config(entry.name) ?? entry
  if (acceptCertificate) await kernel.pins.drop(serial)
  await kernel.start({ listen: false })
  const session = kernel.printers.resolve(entry.name)
  const deadline = Date.now() + REPORT_WITHIN_MS
  while (!session.live && Date.now() < deadline && session.problem === undefined) await nap(50)
  if (session.live) await session.until(({ firmware }) => firmware.printer !== '', VERSIONS_WITHIN_MS)
  const lines = session.live
    ? [`${entry.name}: connected, ${session.model.model}, firmware ${session.state?.firmware.printer || 'not reported yet'}, ` +
      `${session.state?.job.gcodeState}`,
    ...(session.state?.device.developerMode === 'off'
      ? ['It refuses commands: switch on LAN-only mode and Developer mode on its screen.']
      : [])]
    : [`${entry.name}: ${session.problem?.message ?? 'the login was accepted, but no report came; check the serial number'}`,
        ...(session.problem?.code === 'certificate_changed' && entry.tls?.fingerprint !== undefined
          ? ["The expected fingerprint stands in the configuration (this printer's tls.fingerprint): change it there."]
          : [])]
  const good = session.live
  await kernel.close()
  return { good, lines }
}

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
