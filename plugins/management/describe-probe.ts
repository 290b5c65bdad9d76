import type { PrinterSession } from '../../core/index.js'

/** How a connection went, in words for a terminal. */
export interface ProbeSummary { readonly good: boolean, readonly lines: string[] }

/** Versions come in an answer of their own, right after the first report. */
const VERSIONS_WITHIN_MS = 5_000

/** Before the session itself says what is wrong. */
const silenceOf = ({ state }: PrinterSession): string => state === undefined
  ? 'the login was accepted, but no report came; check the serial number'
  : 'it has reported before, but is silent now; the service asks it again'

function linesOfTrouble (session: PrinterSession): string[] {
  const { name, problem, config } = session
  const pinned = problem?.code === 'certificate_changed' && config.tls.fingerprint !== undefined
  return [
    `${name}: ${problem?.message ?? silenceOf(session)}`,
    ...(pinned
      ? ["The expected fingerprint stands in the configuration (this printer's tls.fingerprint): change it there."]
      : [])
  ]
}

/** Says what a session that has had its time came to. */
export async function describeProbe (session: PrinterSession): Promise<ProbeSummary> {
  if (!session.live || session.problem?.code === 'takes_no_commands') return { good: false, lines: linesOfTrouble(session) }
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
