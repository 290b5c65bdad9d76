import type { PrinterSession } from '../printer/types.js'
import { leftInWords, type Cost } from './budget.js'
import { CallContext, checkedInput, runOutside } from './call.js'
import { rightsOf } from './access.js'
import type { Preview, Rehearsal } from './rehearsal.js'
import { viewFor } from './restricted-view.js'
import type { AnyOperation, CallOptions, ContextOf, InputOf, Kernel, Operation, PrinterContext, Scope } from './types.js'

/**
 * Everything that a call does before it acts: access, input, printer, guards, budget, and the preview of the operation.
 * Nothing is sent to a printer, nothing is stored, and nothing goes into the audit log.
 * @throws what the call would throw
 */
export async function rehearse<Op extends AnyOperation> (kernel: Kernel, operation: Op, given: InputOf<Op>,
  options: CallOptions = {}): Promise<Rehearsal> {
  const input = checkedInput(kernel, operation, given, options.caller)
  const plugin = kernel.originOf(operation)
  const work = () => look(kernel, operation, input, options)
  const isOutside = plugin !== undefined && kernel.pluginFaults.isOutside(plugin)
  return isOutside ? await runOutside(kernel, operation, plugin, work, options.signal) : await work()
}

async function look<Op extends AnyOperation> (whole: Kernel, operation: Op, input: InputOf<Op>,
  options: CallOptions): Promise<Rehearsal> {
  const kernel = viewFor(whole, options.caller)
  const { scope, guards = [], spends, preview, sendsOnly = false, runsHere = false, consequence = '' } = operation as Operation
  const session = scope === 'daemon' ? undefined : kernel.printers.resolve(options.printer)
  const isElsewhere = session?.remote !== undefined && !runsHere
  const sent: object[] = []
  const context = new CallContext(kernel, options, session && recording(session, sent)) as unknown as ContextOf<Scope>
  const checked = ['access', 'input', ...(session ? ['printer'] : [])]
  const unchecked: string[] = []
  if (!isElsewhere) {
    for (const guard of guards) await guard(context as PrinterContext, operation)
    if (guards.length > 0) checked.push('state of the printer')
  } else unchecked.push('state of the printer, by the service that has it')
  const { budget } = rightsOf(options.caller ?? options.paidBy) ?? {}
  let cost: Cost | undefined
  if (budget && spends) {
    ({ cost } = await spends(context as never, input))
    await budget.check(cost)
    checked.push(`budget, of which are left: ${leftInWords(await budget.left())}`)
  }
  const seen = await see(context, { input, preview, run: sendsOnly ? operation.run : undefined, isElsewhere })
  if (seen === undefined) unchecked.push('what the operation itself finds out')
  else checked.push(...seen.checked ?? [])
  return {
    dry_run: true,
    operation: operation.name,
    printer: session?.name ?? null,
    consequence,
    checked,
    unchecked: [...unchecked, ...(session ? ['whether the printer accepts it'] : [])],
    sends: seen === undefined ? null : sendsOnly ? sent : seen.sends === undefined ? null : [...seen.sends],
    cost: cost === undefined ? null : { ...cost },
    found: seen?.found === undefined ? null : { ...seen.found }
  }
}

interface Seen {
  readonly input: Readonly<Record<string, unknown>>
  readonly preview: Operation['preview'] | undefined
  /** Runs with a session that records. */
  readonly run: Operation['run'] | undefined
  readonly isElsewhere: boolean
}

async function see (context: ContextOf<Scope>, { input, preview, run, isElsewhere }: Seen):
Promise<Preview | undefined> {
  if (isElsewhere) return undefined
  if (run) {
    await run(context as never, input)
    return {}
  }
  return await preview?.(context as never, input)
}

/** A session whose commands are noted and not sent, and on which nothing can be changed. */
function recording (session: PrinterSession, sent: object[]): PrinterSession {
  const never = new AbortController().signal
  const nothing = async (): Promise<void> => {}
  const instead: Partial<PrinterSession> = {
    send: async command => { sent.push(command); return undefined },
    perform: async (_, commands, optional = []) => {
      sent.push(...[commands].flat(), ...optional)
      return { confirmed: true }
    },
    publish: async request => { sent.push(request) },
    exclusively: (_, work) => work(never),
    until: async () => true,
    rememberChamberTarget () {},
    ignoreFaults () {},
    giveUpStart: () => false,
    restoreStart () {},
    pause: nothing,
    resume: nothing,
    refresh: nothing
  }
  return new Proxy(session, {
    get: (target, key) => {
      const value: unknown = Reflect.get(Object.hasOwn(instead, key) ? instead : target, key)
      return typeof value === 'function' && !Object.hasOwn(instead, key) ? value.bind(target) : value
    },
    set: () => true
  })
}
