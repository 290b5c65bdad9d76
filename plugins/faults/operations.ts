import { Type } from 'typebox'
import { operation, type Fault, type HmsCatalogue, type PrinterSession } from '../../core/index.js'
import { BadFaultCode, TooManyIgnored } from './errors.js'
import { codeOf } from './ignored-faults.js'
import type { Ignored } from './store.js'

const Code = Type.String({
  minLength: 8, maxLength: 64, description: 'As in hms_errors, such as HMS_0300-0100-0001-0007'
})

const IgnoredList = Type.Object({
  ignored: Type.Array(Type.Object({
    code: Type.String(),
    text: Type.String({ description: 'Text of the fault' }),
    since: Type.String({ description: 'ISO 8601, UTC' }),
    by: Type.String({ description: 'Who said so, such as `http (local)`' }),
    is_reported: Type.Boolean({ description: 'The printer lists it now' })
  }))
})

const digitsOf = (code: string): Fault['digits'] => code.slice('HMS_'.length).replaceAll('-', '')

const listOf = (ignored: readonly Ignored[], { state }: PrinterSession, hms: HmsCatalogue) => ({
  ignored: ignored.map(({ code, since, by }) => ({
    code,
    text: hms.sentence({ digits: digitsOf(code) }),
    since: new Date(since).toISOString(),
    by,
    is_reported: state?.errors.faults.some(fault => fault.code === code) ?? false
  }))
})

export const listIgnored = operation({
  name: 'faults.list',
  summary: 'Ignored faults of a printer',
  effect: 'read',
  input: Type.Object({}),
  output: IgnoredList,
  run: async ({ session, kernel: { hms }, services: { faults } }) => listOf(await faults.of(session), session, hms)
})

export const ignoreFault = operation({
  name: 'faults.ignore',
  summary: 'Ignore a fault on a printer, or stop ignoring it',
  effect: 'write',
  consequence: 'While it is ignored, this fault raises no alert and no message there, and does not keep the queue from ' +
    'starting prints. Other faults do.',
  input: Type.Object({
    code: Code,
    ignore: Type.Optional(Type.Boolean({ default: true, description: 'false: stop ignoring it' }))
  }),
  output: IgnoredList,
  errors: [BadFaultCode, TooManyIgnored],
  async run ({ session, kernel: { hms, now }, askedBy, services: { faults } }, { code: given, ignore = true }) {
    const code = codeOf(given)
    const all = ignore
      ? await faults.ignore(session, { code, since: now(), by: askedBy })
      : await faults.restore(session, code)
    return listOf(all, session, hms)
  }
})
