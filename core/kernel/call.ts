import { BadInput, PluginLate, ShuttingDown } from '../errors.js'
import type { PrinterSession, RemoteCallOptions, RemoteHolder } from '../printer/types.js'
import { validationError } from '../util/validate.js'
import { withTimeout } from '../util/with-timeout.js'
import { accessOf, checkOperation, isAdministrator, isTrusted, rightsOf, sees } from './access.js'
import { baseUrlFor } from './base-url.js'
import { runBooked } from './budget.js'
import { policy } from './operation.js'
import { viewFor } from './restricted-view.js'
import type {
  AnyOperation, CallOptions, Caller, DaemonContext, Guard, InputOf, Kernel, Operation, OutputOf, PrinterContext,
  Progress
} from './types.js'

/** The single path of all calls: access, input validation, printer, guards, run. */
export async function callOperation<Op extends AnyOperation> (kernel: Kernel, operation: Op, input: InputOf<Op>,
  options: CallOptions = {}): Promise<OutputOf<Op>> {
  const declared = checkedInput(kernel, operation, input, options.caller)
  const plugin = kernel.originOf(operation)
  const work = () => run(kernel, operation, declared, options)
  const isOutside = plugin !== undefined && kernel.pluginFaults.isOutside(plugin)
  const output = isOutside
    ? await runOutside(kernel, operation, plugin, async () => await work(), options.signal)
    : await work()
  kernel.checkOutput(operation, output)
  return output
}

/** Access and input, before anything is looked at. */
export function checkedInput<Op extends AnyOperation> (kernel: Kernel, operation: Op, input: InputOf<Op>,
  caller: Caller | undefined): InputOf<Op> {
  if (kernel.signal.aborted) throw new ShuttingDown()
  const isGuarded = accessOf(operation) === 'trusted' || rightsOf(caller) !== undefined
  if (isGuarded) checkOperation(kernel, operation, caller)
  const problem = validationError(operation.input, input)
  if (problem !== undefined) throw new BadInput(problem)
  return onlyDeclared(operation, input)
}

interface Declaration { readonly properties?: object, readonly additionalProperties?: unknown }

/** Removes undeclared members, as operations may pass their input on to a table or a printer. */
function onlyDeclared<Op extends AnyOperation> ({ input: schema }: Op, input: InputOf<Op>): InputOf<Op> {
  const { properties, additionalProperties } = schema as Declaration
  if (properties === undefined || additionalProperties !== undefined) return input
  const members = Object.entries(input as object)
  const declared = members.filter(([key]) => Object.hasOwn(properties, key))
  return declared.length === members.length ? input : Object.fromEntries(declared) as InputOf<Op>
}

/** Not async itself: most operations have no guards and return at once, and every promise has a cost. */
function run<Op extends AnyOperation> (whole: Kernel, operation: Op, input: InputOf<Op>, options: CallOptions):
OutputOf<Op> | Promise<OutputOf<Op>> {
  const { surface, caller, via } = options
  const act = { surface, caller, via, note: operation.note?.(input) }
  const kernel = viewFor(whole, caller)
  const session = operation.scope === 'daemon' ? undefined : kernel.printers.resolve(options.printer)
  const context = new CallContext(kernel, options, session)
  const { spends } = operation as Op
  const { budget } = rightsOf(options.caller ?? options.paidBy) ?? {}
  if (budget === undefined || spends === undefined) return runIn(context, operation, input, act)
  return (async () => {
    const spending = await spends(context as never, input)
    return await runBooked(budget, spending, paid => runIn(context, operation, paid as InputOf<Op>, act))
  })()
}

/** Where the printer is: here, at another service, or at all of them. */
function runIn<Op extends AnyOperation> (context: CallContext, operation: Op, input: InputOf<Op>, act: Act):
OutputOf<Op> | Promise<OutputOf<Op>> {
  const { kernel, session } = context
  const { guards = [], effect, record = policy[effect].permission } = operation as Operation
  const printer = session?.name ?? operation.concerns?.(input)
  const remote = holderFor(kernel, operation, printer, session)
  if (remote !== undefined) {
    const there = async () => await forward(remote, context, operation, input) as OutputOf<Op>
    return record ? recorded(kernel, operation.name, { ...act, printer }, there) : there()
  }
  const { atHub } = operation as Op
  const { others } = atHub === undefined ? {} : kernel.printers
  if (atHub !== undefined && others !== undefined) {
    const merge = () => atHub(others.map(other => ({
      name: other.name, reachable: other.reachable, ask: asked => forward(other, context, operation, asked)
    })), input) as Promise<OutputOf<Op>>
    return record ? recorded(kernel, operation.name, { ...act, printer }, merge) : merge()
  }
  const work = () => guards.length === 0
    ? operation.run(context, input) as OutputOf<Op>
    : runWithGuards(operation, guards, context as PrinterContext, input)
  return record ? recorded(kernel, operation.name, { ...act, printer: session?.name }, work) : work()
}

/** The other service that runs an operation, because it has the printer. */
export function holderFor ({ printers }: Kernel, { effect, runsHere = false }: AnyOperation,
  printer: string | undefined, session: PrinterSession | undefined): RemoteHolder | undefined {
  const remote = session?.remote ?? (printer === undefined ? undefined : printers.holderOf(printer))
  return remote !== undefined && !runsHere && (remote.reachable || effect !== 'read') ? remote : undefined
}

/** Another service only knows the origin of a call: the caller's rights were checked here. */
function placeOf (caller: Caller | undefined): RemoteCallOptions['caller'] {
  const rights = rightsOf(caller)
  return rights ? (isAdministrator(rights) ? 'token' : 'network') : caller as RemoteCallOptions['caller']
}

const hostIn = ({ protocol, origin, host }: URL): string => protocol === 'https:' ? origin : host

const remoteOptions = ({ options, baseUrl, signal, progress }: CallContext, { effect }: AnyOperation):
RemoteCallOptions => ({
  isRead: effect === 'read',
  caller: placeOf(options.caller),
  host: hostIn(new URL(baseUrl)),
  surface: options.surface,
  signal,
  progress
})

const forward = (remote: RemoteHolder, context: CallContext, operation: AnyOperation, input: unknown):
Promise<unknown> => remote.call(operation.name, input, remoteOptions(context, operation))

/** What `forward` would do. */
export const rehearseAt = (remote: RemoteHolder, context: CallContext, operation: AnyOperation, input: unknown):
Promise<unknown> => remote.rehearse(operation.name, input, remoteOptions(context, operation))

/** The caller, surface and printer of an action. */
export interface Act extends Pick<CallOptions, 'caller' | 'printer' | 'via'> {
  readonly surface?: string | undefined
  readonly note?: string | undefined
  readonly entry?: string | undefined
}

/**
 * Runs work and reports it to the audit log, with its outcome.
 * @param operation its name, or one for a route without an operation
 */
export async function recorded<T> ({ events, now }: Pick<Kernel, 'events' | 'now'>, operation: string,
  { surface, caller, printer, via, note, entry }: Act, work: () => T | Promise<T>): Promise<T> {
  const done = { operation, printer, surface, caller, via, note, entry, calledAt: now() }
  try {
    const output = await work()
    events.emit('operation:done', done)
    return output
  } catch (error) {
    events.emit('operation:failed', done, error)
    throw error
  }
}

async function runWithGuards<Op extends AnyOperation> (operation: Op, guards: readonly Guard[], context: PrinterContext,
  input: InputOf<Op>): Promise<OutputOf<Op>> {
  for (const guard of guards) {
    const verdict = guard(context, operation)
    if (verdict instanceof Promise) await verdict
  }
  return await operation.run(context, input) as OutputOf<Op>
}

/**
 * Operations of outside plugins have a time limit; one that keeps failing unexpectedly is suspended for a while.
 * @throws PRN_ERR_PLUGIN_LATE, PRN_ERR_PLUGIN_CUT_OFF
 */
export async function runOutside<T> ({ pluginFaults, limits, signal }: Kernel, { name }: AnyOperation, plugin: string,
  work: () => Promise<T>, caller?: AbortSignal): Promise<T> {
  const late = () => new PluginLate(name, plugin, limits.call / 1000)
  return await pluginFaults.guard(plugin, 'operation', name)
    .call(() => withTimeout(limits.call, work(), late, signal), caller)
}

/** The caller as text for logs. */
export const nameOfCaller = ({ surface = 'service', caller }: Pick<CallOptions, 'caller'> & { surface?: string | undefined }) =>
  caller === undefined ? surface : `${surface} (${rightsOf(caller)?.name ?? caller as string})`

const NO_PROGRESS: Progress = () => {}

/** The context of an operation. Its signal is created on first use, as most operations do not need it. */
export class CallContext implements DaemonContext {
  readonly kernel: Kernel
  readonly session: PrinterSession | undefined
  readonly options: CallOptions
  #signal: AbortSignal | undefined

  constructor (kernel: Kernel, options: CallOptions, session?: PrinterSession) {
    this.kernel = kernel
    this.session = session
    this.options = options
  }

  get services () { return this.kernel.services }
  get optional () { return this.kernel.optional }
  get log () { return this.options.log ?? this.kernel.logs.root }
  get progress () { return this.options.progress ?? NO_PROGRESS }
  get caller () { return this.options.caller }
  get askedBy () { return nameOfCaller(this.options) }
  get trusted () { return isTrusted(this.kernel, this.options.caller) }
  get sees () { return (printer: string) => sees(this.options.caller, printer) }
  get baseUrl () { return baseUrlFor(this.kernel, this.options.host) }
  get signal () {
    const caller = this.#signal === undefined ? this.options.signal : undefined
    this.#signal ??= caller ? AbortSignal.any([this.kernel.signal, caller]) : this.kernel.signal
    return this.#signal
  }
}
