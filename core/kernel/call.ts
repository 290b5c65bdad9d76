import type { FastifyBaseLogger } from 'fastify'
import { BadInput, isServiceError, PluginCutOff, PluginLate, ShuttingDown } from '../errors.js'
import type { Guard } from './guards.js'
import type { Kernel } from './kernel.js'
import type {
  AnyOperation, DaemonContext, InputOf, Operation, OutputOf, PrinterContext, Progress
} from './operation.js'
import { checkAccess, isTrusted, accessOf, type Caller } from './access.js'
import type { PrinterSession } from '../printer/types.js'
import { validationError } from '../util/validate.js'
import { withTimeout } from '../util/with-timeout.js'

export interface CallOptions {
  /** Name of the printer; the default printer when left out. */
  readonly printer?: string | undefined
  /** Aborted when the caller went away. */
  readonly signal?: AbortSignal | undefined
  readonly progress?: Progress
  readonly log?: FastifyBaseLogger
  /** Where the call comes from; every surface must tell. Left out: from inside the service. */
  readonly caller?: Caller | undefined
}

/** The one path every surface takes: reach, input check, printer, guards, run. */
export async function callOperation<Op extends AnyOperation> (kernel: Kernel, operation: Op, input: InputOf<Op>,
  options: CallOptions = {}): Promise<OutputOf<Op>> {
  if (kernel.signal.aborted) throw new ShuttingDown()
  if (accessOf(operation) === 'trusted') checkAccess(kernel, operation.name, 'trusted', options.caller)
  const problem = validationError(operation.input, input)
  if (problem !== undefined) throw new BadInput(problem)
  const plugin = kernel.originOf(operation)
  if (plugin === undefined || !kernel.pluginFaults.isOutside(plugin)) {
    return await run(kernel, operation, input,
      options)
  }
  return await runOutside(kernel, operation, plugin,
    async () => await run(kernel, operation, input, options), options.signal)
}

/** Not async itself: most operations have no guards and answer at once, and each promise costs. */
function run<Op extends AnyOperation> (kernel: Kernel, operation: Op, input: InputOf<Op>, options: CallOptions):
OutputOf<Op> | Promise<OutputOf<Op>> {
  if (operation.scope === 'daemon') return operation.run(new CallContext(kernel, options), input) as OutputOf<Op>
  const context = new CallContext(kernel, options, kernel.printers.resolve(options.printer))
  const { guards = [] } = operation as Operation
  return guards.length === 0
    ? operation.run(context, input) as OutputOf<Op>
    : guarded(operation, guards, context as PrinterContext, input)
}

async function guarded<Op extends AnyOperation> (operation: Op, guards: readonly Guard[], context: PrinterContext,
  input: InputOf<Op>): Promise<OutputOf<Op>> {
  for (const guard of guards) {
    const verdict = guard(context, operation)
    if (verdict instanceof Promise) await verdict
  }
  return await operation.run(context, input) as OutputOf<Op>
}

/**
 * What came by the configuration must answer in time; what goes on failing unforeseen is not asked for a while.
 * @throws PRN_ERR_PLUGIN_LATE, PRN_ERR_PLUGIN_CUT_OFF
 */
async function runOutside<T> ({ pluginFaults, limits, signal }: Kernel, { name }: AnyOperation, plugin: string,
  work: () => Promise<T>, caller?: AbortSignal): Promise<T> {
  const part = pluginFaults.guard(plugin, 'operation', name)
  if (part.isDisabled) throw new PluginCutOff(name, plugin)
  try {
    const late = () => new PluginLate(name, plugin, limits.call / 1000)
    return await withTimeout(limits.call, pluginFaults.as(plugin, work), late, signal)
  } catch (error) {
    const expected = isServiceError(error) && !(error instanceof PluginLate)
    if (!expected && caller?.aborted !== true && !signal.aborted) part.failed(error)
    throw error
  }
}

const NO_PROGRESS: Progress = () => {}

/** What an operation is given. Most never look at the signal, so it is made when they do. */
class CallContext implements DaemonContext {
  readonly kernel: Kernel
  readonly session: PrinterSession | undefined
  readonly #options: CallOptions
  #signal: AbortSignal | undefined

  constructor (kernel: Kernel, options: CallOptions, session?: PrinterSession) {
    this.kernel = kernel
    this.session = session
    this.#options = options
  }

  get services () { return this.kernel.services }
  get log () { return this.#options.log ?? this.kernel.logs.root }
  get progress () { return this.#options.progress ?? NO_PROGRESS }
  get trusted () { return isTrusted(this.kernel, this.#options.caller) }
  get signal () {
    const caller = this.#signal === undefined ? this.#options.signal : undefined
    this.#signal ??= caller ? AbortSignal.any([this.kernel.signal, caller]) : this.kernel.signal
    return this.#signal
  }
}
