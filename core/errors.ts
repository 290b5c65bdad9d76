import createError from '@fastify/error'

/** An error with a stable code, meant for the caller. */
export interface ServiceError extends Error {
  readonly code: `PRN_ERR_${string}`
  /** The code without its prefix, in lower case: the `error` field of HTTP bodies. */
  readonly slug: string
  readonly statusCode: number
  /** Further members of the response body, such as `detail` or `path`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Adds members to the response body. @returns this error */
  with (extra: Record<string, unknown>): this
}

export interface ErrorClass<A extends unknown[]> {
  new (...args: [...A, options?: ErrorOptions]): ServiceError
  readonly code: `PRN_ERR_${string}`
  /** The message with printf placeholders, for the documentation. */
  readonly template: string
  readonly statusCode: number
}

export type AnyErrorClass = ErrorClass<any>

const catalogue = new Map<string, AnyErrorClass>()

/** Every error defined so far, by code. Basis of the reference documentation. */
export const errorCatalogue = (): readonly AnyErrorClass[] =>
  [...catalogue.values()].sort((a, b) => a.code.localeCompare(b.code))

/**
 * Defines an error of the catalogue.
 * @throws TypeError for a code that exists: a code never changes its meaning
 * @param message printf text: `%s` and `%d` take the constructor's arguments in order
 * @param statusCode HTTP status; 400 refused request, 404 not found, 409 refused by state or printer, 500 ours
 */
export function defineError<A extends unknown[] = []> (
  code: `PRN_ERR_${string}`, message: string, statusCode = 500): ErrorClass<A> {
  if (catalogue.has(code)) throw new TypeError(`The error code ${code} is defined twice`)
  const Base = createError<unknown[]>(code, message, statusCode)
  class Defined extends (Base as unknown as new (...args: unknown[]) => Error) {
    static readonly code = code
    static readonly template = message
    static readonly statusCode = statusCode
    readonly slug = slugOf(code)
    extra: Readonly<Record<string, unknown>> = {}
    override name = 'ServiceError'
    with (extra: Record<string, unknown>): this {
      this.extra = { ...this.extra, ...extra }
      return this
    }
  }
  const known = Defined as unknown as ErrorClass<A>
  catalogue.set(code, known)
  return known
}

/** True for errors of any copy of this package: they are recognised by their code, not by their class. */
export const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && typeof (error as { code?: unknown }).code === 'string' &&
  (error as unknown as { code: string }).code.startsWith('PRN_ERR_')

/** Recreates an error that another service sent; of its own class if this service knows the code. */
export function restoreError (code: ServiceError['code'], message: string, statusCode: number,
  extra: Readonly<Record<string, unknown>> = {}): ServiceError {
  const Known = catalogue.get(code)
  const error = Known === undefined
    ? Object.assign(new Error(message), { code, statusCode, slug: slugOf(code), with () { return this } })
    : new Known()
  Object.defineProperty(error, 'message', { value: message, configurable: true, writable: true })
  return Object.assign(error, { name: 'ServiceError', extra }) as unknown as ServiceError
}

const slugOf = (code: ServiceError['code']): string => code.slice('PRN_ERR_'.length).toLowerCase()

/** How to resolve a refusal because of a job, by the error's code. */
const ADVICE: Readonly<Record<string, string>> = {
  PRN_ERR_PRINTER_BUSY: 'Wait for the print to finish, pause it first, or cancel it.',
  PRN_ERR_JOB_ACTIVE: 'Wait for the print to finish, or cancel it.'
}

/** True for a refusal because of a job: its message begins with `Blocked`. */
export const isBlocked = ({ code }: ServiceError): boolean => Object.hasOwn(ADVICE, code)

/** The message for the caller; a blocked request is named by its tool or route. */
export const sentenceOf = (error: ServiceError, act: string | undefined): string =>
  isBlocked(error) && act !== undefined
    ? `${error.message} ${act} is not safe while a print is active. ${ADVICE[error.code]}`
    : error.message

// Requests
export const NotConnected = defineError<[printer: string]>(
  'PRN_ERR_NOT_CONNECTED', "Printer '%s' not connected", 400)
/** A service of a fleet cannot rehearse: the operation itself might work there. */
export const NoDryRun = defineError<[holder: string, reason: string]>(
  'PRN_ERR_NO_DRY_RUN', "'%s' cannot say what would happen: %s. Nothing was sent or changed. Update prnd on that service.", 501)
/** No printer was named, and there is none to select. */
export const NoPrinter = defineError(
  'PRN_ERR_NO_PRINTER', 'No printer is configured yet. Add one with `prnd printers add`.', 400)
export const BadInput = defineError<[reason: string]>('PRN_ERR_BAD_INPUT', '%s', 400)
export const NotFound = defineError<[what: string]>('PRN_ERR_NOT_FOUND', '%s', 404)
export const PrinterBusy = defineError<[printer: string, state: string]>(
  'PRN_ERR_PRINTER_BUSY', "Blocked: '%s' is currently %s.", 409)
/** Like {@link PrinterBusy}, for actions that a paused job blocks as well. */
export const JobActive = defineError<[printer: string, state: string]>(
  'PRN_ERR_JOB_ACTIVE', "Blocked: '%s' is currently %s.", 409)
export const StateNotCurrent = defineError<[printer: string, reason: string]>(
  'PRN_ERR_STATE_NOT_CURRENT', "Blocked: the current state of '%s' is unknown: %s", 409)
export const PrinterClaimed = defineError<[purpose: string, printer: string]>(
  'PRN_ERR_PRINTER_CLAIMED', "Blocked: %s on '%s' is in progress. Try again when it has finished.", 409)
export const ClaimExpired = defineError<[purpose: string, printer: string, seconds: number]>(
  'PRN_ERR_CLAIM_EXPIRED', "%s on '%s' took longer than %d s and was aborted", 504)
export const Refused = defineError<[printer: string, what: string, reason: string]>(
  'PRN_ERR_REFUSED', "'%s' refused %s: %s", 409)
export const SignatureRequired = defineError<[printer: string, what: string]>(
  'PRN_ERR_SIGNATURE_REQUIRED',
  "'%s' refused %s: its firmware accepts only signed commands. Switch on LAN-only mode and Developer mode " +
  "on the printer's screen, then try again. Monitoring works without them.", 409)
export const SendTimeout = defineError<[printer: string, seconds: number]>(
  'PRN_ERR_SEND_TIMEOUT',
  "'%s' did not accept the command within %d s; the outcome is unknown. Check the printer.", 504)
export const CommandLost = defineError<[printer: string]>(
  'PRN_ERR_COMMAND_LOST',
  "The connection to '%s' was lost before it accepted the command; the outcome is unknown. Check the printer.", 504)
export const Unsupported = defineError<[reason: string]>('PRN_ERR_UNSUPPORTED', '%s', 400)
export const UnsafeOutputPath = defineError<[path: string]>(
  'PRN_ERR_UNSAFE_OUTPUT_PATH', '%s exists and is not a regular file that only this user can access; remove it', 409)
export const WriteFailed = defineError<[path: string, problem: string]>(
  'PRN_ERR_WRITE_FAILED', '%s cannot be written: %s', 409)
export const NotAFile = defineError<[path: string, kind: string]>(
  'PRN_ERR_NOT_A_FILE',
  "'%s' is %s, where a file is expected. Remove it, or put the file itself in its place.", 500)
export const LinkLeadsOut = defineError<[path: string, target: string]>(
  'PRN_ERR_LINK_LEADS_OUT',
  "'%s' is a link that leads out of the data folder, to %s. Put the folder itself in its place, or mount it there.", 409)
export const LinkedLog = defineError<[path: string]>(
  'PRN_ERR_LINKED_LOG', '%s is a link to another file. Name that file itself as log.file.', 409)
export const FileLocked = defineError<[path: string, lock: string]>(
  'PRN_ERR_FILE_LOCKED',
  '%s is being changed by another process. Try again; if no other prnd is running, delete %s.', 409)
export const FolderInUse = defineError<[folder: string, process: string]>(
  'PRN_ERR_FOLDER_IN_USE',
  'The data folder %s is in use by a running service (%s). Stop that service, or give this one its own folder ' +
  'with PRN_DATA_DIR.', 409)
export const ShuttingDown = defineError('PRN_ERR_SHUTTING_DOWN', 'The service is shutting down', 503)

// Start-up
export const BadConfig = defineError<[problem: string]>('PRN_ERR_CONFIG', '%s')
export const PortsExhausted = defineError<[owner: string, start: number, end: number]>(
  'PRN_ERR_PORTS_EXHAUSTED',
  "No free port for '%s': every port from %d to %d is taken. Free one, or widen the pool with " +
  'PRN_PORT_POOL_START and PRN_PORT_POOL_END.', 503)
export const PortTaken = defineError<[port: number]>(
  'PRN_ERR_PORT_TAKEN',
  'Port %d was requested but is in use by another program. Free it, choose another port, or allow any port of the pool ' +
  'with PRN_PORT_STRICT=0.', 503)
export const Duplicate = defineError<[what: string, first: string, second: string]>(
  'PRN_ERR_DUPLICATE', "%s is defined twice: by '%s' and by '%s'")
export const PluginVersion = defineError<[plugin: string, range: string, version: string]>(
  'PRN_ERR_PLUGIN_VERSION', "Plugin '%s' needs kernel %s, this is %s")
export const PluginSkipped = defineError<[plugin: string, reason: string]>(
  'PRN_ERR_PLUGIN_SKIPPED', "Plugin '%s' is skipped: %s")
export const PluginMissing = defineError<[plugin: string, needed: string, reason: string]>(
  'PRN_ERR_PLUGIN_MISSING', "Plugin '%s' needs plugin '%s', %s")
export const PluginCycle = defineError<[cycle: string]>(
  'PRN_ERR_PLUGIN_CYCLE', 'Circular plugin dependency: %s')
export const PluginOptions = defineError<[plugin: string, problem: string]>(
  'PRN_ERR_PLUGIN_OPTIONS', "Options of plugin '%s': %s")
export const PluginLoad = defineError<[reference: string, problem: string]>(
  'PRN_ERR_PLUGIN_LOAD', "Plugin '%s' cannot be loaded: %s")
export const PluginSetup = defineError<[plugin: string, problem: string]>(
  'PRN_ERR_PLUGIN_SETUP', "Setup of plugin '%s' failed: %s")
export const PluginLate = defineError<[operation: string, plugin: string, seconds: number]>(
  'PRN_ERR_PLUGIN_LATE', "'%s' of plugin '%s' did not answer within %d s", 504)
export const PluginCutOff = defineError<[operation: string, plugin: string]>(
  'PRN_ERR_PLUGIN_CUT_OFF', "'%s' of plugin '%s' failed too often and is disabled for some minutes; see the log", 503)
export const NoService = defineError<[name: string]>(
  'PRN_ERR_NO_SERVICE', "No plugin provides the service '%s'")
