import { NoDryRun } from '../errors.js'
import type { PrinterSession, RemoteHolder } from '../printer/types.js'
import { validationError } from '../util/validate.js'
import { leftInWords, type Cost } from './budget.js'
import { CallContext, checkedInput, holderFor, rehearseAt, runOutside } from './call.js'
import { rightsOf } from './access.js'
import { Rehearsal, type Preview } from './rehearsal.js'
import { viewFor } from './restricted-view.js'
import type { AnyOperation, CallOptions, ContextOf, InputOf, Kernel, Operation, PrinterContext, Scope } from './types.js'

/**
 * Everything that a call does before it acts: access, input, printer, guards, budget, and the preview of the operation.
 * Nothing is sent to a printer, nothing is stored, and nothing goes into the audit log. Where another service has the
 * printer, that service answers; access and budget are those of the caller here, as for the call.
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
  const { scope, guards = [], preview, sendsOnly = false, consequence = '' } = operation as Operation
  const session = scope === 'daemon' ? undefined : kernel.printers.resolve(options.printer)
  const remote = holderFor(kernel, operation, session?.name ?? operation.concerns?.(input), session)
  const sent: object[] = []
  const call = new CallContext(kernel, options, session && recording(session, sent))
  const context = call as unknown as ContextOf<Scope>
  if (remote) return await lookThere(remote, call, operation, input)
  const checked = ['access', 'input', ...(session ? ['printer'] : [])]
  for (const guard of guards) await guard(context as PrinterContext, operation)
  if (guards.length > 0) checked.push('state of the printer')
  const paid = await checkBudget(call, operation, input)
  checked.push(...paid.checked)
  const seen = await see(context, { input, preview, run: sendsOnly ? operation.run : undefined })
  checked.push(...seen?.checked ?? [])
  return {
    dry_run: true,
    operation: operation.name,
    printer: session?.name ?? null,
    consequence,
    checked,
    unchecked: [
      ...(seen === undefined ? ['what the operation itself finds out'] : []),
      ...(session ? ['whether the printer accepts it'] : [])
    ],
    sends: seen === undefined ? null : sendsOnly ? sent : seen.sends === undefined ? null : [...seen.sends],
    cost: paid.cost,
    found: seen?.found === undefined ? null : { ...seen.found }
  }
}

/** The budget before the rest, as a call checks it: only this service knows the caller. */
async function lookThere<Op extends AnyOperation> (remote: RemoteHolder, call: CallContext, operation: Op,
  input: InputOf<Op>): Promise<Rehearsal> {
  const paid = await checkBudget(call, operation, input)
  const there = await rehearseAt(remote, call, operation, input)
  if (!isRehearsal(there)) throw new NoDryRun(remote.name, 'its answer cannot be understood')
  return {
    ...there,
    operation: operation.name,
    printer: call.session?.name ?? null,
    checked: [...there.checked, ...paid.checked],
    cost: paid.cost
  }
}

const isRehearsal = (value: unknown): value is Rehearsal => validationError(Rehearsal, value) === undefined

/** @throws PRN_ERR_OVER_BUDGET */
async function checkBudget<Op extends AnyOperation> (call: CallContext, { spends }: Op, input: InputOf<Op>):
Promise<{ readonly checked: readonly string[], readonly cost: Cost | null }> {
  const { budget } = rightsOf(call.options.caller ?? call.options.paidBy) ?? {}
  if (!budget || !spends) return { checked: [], cost: null }
  const { cost } = await spends(call as never, input)
  await budget.check(cost)
  return { checked: [`budget, of which are left: ${leftInWords(await budget.left())}`], cost: { ...cost } }
}

interface Seen {
  readonly input: Readonly<Record<string, unknown>>
  readonly preview: Operation['preview'] | undefined
  /** Runs with a session that records. */
  readonly run: Operation['run'] | undefined
}

async function see (context: ContextOf<Scope>, { input, preview, run }: Seen): Promise<Preview | undefined> {
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
