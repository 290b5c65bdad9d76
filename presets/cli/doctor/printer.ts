import {
  ConnectionError, LOST_PIN, openTls, resolveModel, shellWord, type Kernel, type PrinterConfig, type PrinterSession,
  type ConnectionErrorCode
} from '../../../core/index.js'
import { describeProbe, type ProbeSummary } from '../../../plugins/management/index.js'
import { failed, ok, skipped, warning, type Check, type PrinterReport } from './report.js'

const CONNECT_MS = 5_000
/** Login and first report take a second or two; this is the time limit for a silent printer. */
const REPORT_WITHIN_MS = 15_000

/** Delay before a server with too many clients is tried once more. */
const AGAIN_MS = 2_000

type Ports = PrinterConfig['ports']
/** A live session's verdict, or the report of a service that has one. */
export type AskVerdict = (name: string) => Promise<ProbeSummary>

const FIXES: Readonly<Record<ConnectionErrorCode | 'silent', string>> = {
  unreachable: 'Switch it on, compare the address with the one on its screen, and check that it is on the same network.',
  access_code_rejected: 'Read the current access code on its screen: prnd printers remove NAME, then prnd printers add NAME.',
  wrong_serial: 'Compare serial number and address with what its screen shows.',
  certificate_changed: 'If it was reset or got new firmware: prnd printers test NAME --accept-certificate. Otherwise find out what answers there.',
  certificate_untrusted: "Check the file in this printer's tls.ca.",
  not_a_printer: 'Something else answers there: check address and port.',
  login_refused: 'Too many programs may be connected: close some, then try again.',
  connection_lost: 'Try again; if it persists, check the wireless signal.',
  no_reports: 'Compare the serial number, character by character.',
  takes_no_commands: 'Wait a minute for the new connection; if it persists, switch the printer off and on.',
  silent: 'Switch the printer off and on.'
}
const fixFor = (code: string, name: string): string =>
  (FIXES[code as ConnectionErrorCode] ?? FIXES.unreachable).replaceAll('NAME', shellWord(name))

type Camera = ReturnType<typeof resolveModel>['camera']
const CAMERA_PORTS: Readonly<Record<Camera, readonly (keyof Ports)[]>> =
  { rtsps: ['rtsps'], tcp_tls: ['camera'], probe: ['camera', 'rtsps'] }

interface WantedPort { readonly label: keyof Ports, readonly port: number, readonly optional: boolean }

/** Ports that a printer needs: its camera uses one of two. */
function portsOf ({ serial, model, ports }: PrinterConfig): readonly WantedPort[] {
  const { camera } = resolveModel(serial, model)
  return [
    ...(['mqtt', 'ftps'] as const).map(label => ({ label, port: ports[label], optional: false })),
    ...CAMERA_PORTS[camera].map(label => ({ label, port: ports[label], optional: camera === 'probe' }))
  ]
}

/** Verifies the certificate as before a login; nothing is sent and nothing is pinned. */
async function problemOn (config: PrinterConfig, port: number, kernel: Kernel): Promise<ConnectionError | undefined> {
  const pins = { get: (serial: string) => kernel.pins.get(serial), set () {} }
  try {
    const { socket } = await openTls(config, port, pins, { signal: kernel.signal, timeoutMs: CONNECT_MS })
    socket.destroy()
    return undefined
  } catch (error) {
    return error instanceof ConnectionError ? error : new ConnectionError('unreachable', String(error))
  }
}

async function checkPort (config: PrinterConfig, label: string, port: number, kernel: Kernel): Promise<Check> {
  let problem = await problemOn(config, port, kernel)
  let tried = ''
  if (problem?.code === 'login_refused') { // a connection may become free
    await nap(AGAIN_MS)
    problem = await problemOn(config, port, kernel)
    tried = `; tried again after ${AGAIN_MS / 1000} s`
  }
  if (problem === undefined) return ok(label, `port ${port} answers with its certificate${tried}`)
  return failed(label, problem.message + tried, adviceOn(label, problem.code, config.name))
}

function adviceOn (label: string, code: ConnectionErrorCode, name: string): string {
  if (code !== 'unreachable' || label === 'mqtt') return fixFor(code, name)
  if (label === 'ftps') return 'Switch on LAN-only mode; some firmware opens this port only with an SD card in it.'
  return 'Switch on LAN Mode Liveview, and the camera, on its screen.'
}

function certificateOf ({ name: printer, serial, tls }: PrinterConfig, kernel: Kernel): Check {
  const name = 'certificate'
  if (tls.mode === 'insecure') return warning(name, 'is not checked', "Remove tls.mode 'insecure': the first certificate is then pinned.")
  if (tls.mode === 'ca') return ok(name, 'must be signed by the configured authorities')
  const fingerprint = tls.fingerprint ?? kernel.pins.get(serial)
  if (fingerprint === undefined) return skipped(name, 'none is pinned yet; the first one seen will be')
  if (fingerprint === LOST_PIN) {
    return failed(name, 'the pinned one is lost: the file of certificates was damaged',
      fixFor('certificate_changed', printer))
  }
  const where = tls.fingerprint === undefined ? 'pinned on first connection' : 'pinned in the configuration'
  return ok(name, `${where}, SHA-256 ${fingerprint.slice(0, 11)}…`)
}

/** Waits until a session of the kernel is live or has a problem. */
export const ownVerdict = (kernel: Kernel): AskVerdict => async name => {
  const session: PrinterSession = await kernel.printers.connect(name)
  const deadline = Date.now() + REPORT_WITHIN_MS
  while (!session.live && Date.now() < deadline && session.problem === undefined) await nap(50)
  return await describeProbe(session)
}
const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function checkSession (name: string, ask: AskVerdict): Promise<Check> {
  const verdict = await ask(name).catch((error: Error & { code?: unknown }) => error)
  if (verdict instanceof Error) {
    // For a shared printer, another service may correctly have the session: that one must be asked.
    return verdict.code === 'PRN_ERR_HELD_ELSEWHERE'
      ? skipped('session', verdict.message)
      : failed('session', verdict.message, fixFor('silent', name))
  }
  const { good, lines: [first = '', second] } = verdict
  const detail = first.replace(`${name}: `, '')
  if (!good) return failed('session', detail, second ?? (/access code/.test(detail) ? fixFor('access_code_rejected', name) : fixFor('silent', name)))
  return second === undefined ? ok('session', detail) : warning('session', detail, second)
}

/** An error of one printer does not prevent the report on the others. */
export async function checkPrinterAlone (config: PrinterConfig, kernel: Kernel, ask: AskVerdict):
Promise<PrinterReport> {
  try {
    return await checkPrinter(config, kernel, ask)
  } catch (error) {
    const { name, serial, host } = config
    const { model } = resolveModel(serial, config.model)
    return { name, model, serial, host, checks: [failed('checks', (error as Error).message, fixFor('unreachable', name))] }
  }
}

/** All checks of one printer; ports are checked concurrently, the session only if the MQTT port works. */
async function checkPrinter (config: PrinterConfig, kernel: Kernel, ask: AskVerdict): Promise<PrinterReport> {
  const { name, serial, host } = config
  const { model } = resolveModel(serial, config.model)
  const certificate = certificateOf(config, kernel)
  const checks = await Promise.all(portsOf(config).map(async ({ label, port, optional }) => {
    const check = await checkPort(config, label, port, kernel)
    return optional && check.status === 'failed' ? skipped(label, check.detail) : check
  }))
  const session = checks[0]?.status === 'ok'
    ? await checkSession(name, ask)
    : skipped('session', 'not tried because its MQTT port failed')
  return { name, model, serial, host, checks: [certificate, ...checks, session] }
}
