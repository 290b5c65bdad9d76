import type { PrinterSession } from '../../core/index.js'

/** Outcome of a connection, for the terminal. */
export interface ProbeSummary { readonly good: boolean, readonly lines: string[] }

/** Versions arrive in a separate answer, right after the first report. */
const VERSIONS_WITHIN_MS = 5_000

/** Explains silence before the session reports a problem. */
const silenceOf = ({ state }: PrinterSession): string => state === undefined
  ? 'the login was accepted, but no report came; check the serial number'
  : 'it has reported before, but is silent now; the service asks it again'

function problemLines (session: PrinterSession): string[] {
  const { name, problem, config } = session
  const pinned = problem?.code === 'certificate_changed' && config.tls.fingerprint !== undefined
  return [
    `${name}: ${problem?.message ?? silenceOf(session)}`,
    ...(pinned
      ? ["The expected fingerprint is set in the configuration (this printer's tls.fingerprint): change it there."]
      : [])
  ]
}

/** Describes the outcome of a session. */
export async function describeProbe (session: PrinterSession): Promise<ProbeSummary> {
  if (!session.live || session.problem?.code === 'takes_no_commands') return { good: false, lines: problemLines(session) }
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
