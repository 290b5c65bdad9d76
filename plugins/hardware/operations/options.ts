import { Type } from 'typebox'
import { operation, Unsupported, type PrinterSession } from '../../../core/index.js'
import { printOptions, type OptionValues } from '../commands.js'
import { Confirmation, PRINT_OPTIONS, type PrintOption } from '../schemas.js'
import { requireSupportedOption } from '../supported.js'

const Values = Type.Object(Object.fromEntries(PRINT_OPTIONS.map(name => [name, Type.Optional(Type.Boolean())])))

type Sent = WeakMap<PrinterSession, OptionValues>

/** A pending option counts as sent; one that the printer refused is not repeated. */
async function setOption (session: PrinterSession, sent: Sent, option: OptionValues) {
  const before = sent.get(session) ?? {}
  sent.set(session, { ...before, ...option })
  try {
    return await session.perform(`to set ${Object.keys(option).join(', ')}`, printOptions({ ...before, ...option }))
  } catch (error) {
    const now = sent.get(session) ?? {}
    const left = Object.entries(now).filter(([name]) => !Object.hasOwn(option, name) || Object.hasOwn(before, name))
    sent.set(session, Object.fromEntries(left.map(([name, value]) =>
      [name, Object.hasOwn(option, name) ? before[name as keyof OptionValues] : value])))
    throw error
  }
}

/** Each message repeats the options set before on the same printer, because firmware treats them as one setting. */
export const setPrintOptions = operation({
  name: 'hardware.setPrintOptions',
  summary: 'Set print options of the printer',
  effect: 'write',
  consequence: 'A persistent setting of the printer changes.',
  sendsOnly: true,
  input: Type.Object({ options: Values }),
  output: Confirmation,
  errors: [Unsupported],
  async run ({ session, services }, { options }) {
    for (const name of Object.keys(options)) requireSupportedOption(session, name as PrintOption)
    let confirmed = true
    for (const [name, value] of Object.entries(options as OptionValues)) {
      const outcome = await setOption(session, services.hardware.sentOptions, { [name]: value })
      confirmed &&= outcome.confirmed
    }
    return { confirmed }
  }
})
