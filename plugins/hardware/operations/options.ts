import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { printOptions, type OptionValues } from '../commands.js'
import { Confirmation, PRINT_OPTIONS } from '../schemas.js'

const Values = Type.Object(Object.fromEntries(PRINT_OPTIONS.map(name => [name, Type.Optional(Type.Boolean())])))

/** Each message repeats what was set before on the same printer: firmware takes them all as one setting. */
export const setPrintOptions = operation({
  name: 'hardware.setPrintOptions',
  summary: 'Set print options of the printer',
  effect: 'write',
  consequence: 'A persistent setting of the printer changes.',
  input: Type.Object({ options: Values }),
  output: Confirmation,
  async run ({ session, services }, { options }) {
    const { sentOptions } = services.hardware
    let outcome = { confirmed: false }
    for (const [name, value] of Object.entries(options as OptionValues)) {
      const all = { ...sentOptions.get(session), [name]: value }
      outcome = await session.perform(`to set ${name}`, printOptions(all))
      sentOptions.set(session, all)
    }
    return outcome
  }
})
