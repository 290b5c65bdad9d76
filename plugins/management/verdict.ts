import type { PrinterSession } from '../../core/index.js'

/** How a connection went, in words for a terminal. */
export interface Verdict { readonly good: boolean, readonly lines: string[] }

/** Versions come in an answer of their own, right after the first report. */
const VERSIONS_WITHIN_MS = 2_000

function linesOfTrouble ({ name, problem, config }: PrinterSession): string[] {
  const pinned = problem?.code === 'certificate_changed' && config.tls.fingerprint !== undefined
  return [
    `${name}: ${problem?.message ?? 'the login was accepted, but no report came; check the serial number'}`,
    ...(pinned
      ? ["The expected fingerprint stands in the configuration (this printer's tls.fingerprint): change it there."]
      : [])
  ]
}

/** Says what a session that has had its time came to. */
export async function verdictOn (session: PrinterSession): Promise<Verdict> {
  if (!session.live) return { good: false, lines: linesOfTrouble(session) }
  await session.until(({ firmware }) => firmware.printer !== '', VERSIONS_WITHIN_MS)
  const { name, model, state } = session
  return {
    good: true,
    lines: [
      `${name}: connected, ${model.model}, firmware ${state?.firmware.printer || 'not reported yet'}, ${state?.job.gcodeState}`,
      ...(state?.device.developerMode === 'off'
        ? ['It refuses commands: switch on LAN-only mode and Developer mode on its screen.']
        : [])
    ]
  }
}
