import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { NotAdmitted } from '../errors.js'
import { failureField } from '../failure-field.js'
import { probe } from '../probe.js'
import { AccessCode, Host, Name, Serial } from '../schemas.js'
import { checkHost, checkNew, configFor } from '../verify-printer.js'
import { CandidatePorts } from './credentials.js'

export const tryPrinter = operation({
  name: 'management.tryPrinter',
  summary: 'Try out the data of a printer that is not configured, and store nothing',
  effect: 'local',
  record: true,
  scope: 'daemon',
  access: 'trusted',
  note: ({ host }) => host,
  input: Type.Object({ name: Name, host: Host, serial: Serial, accessCode: AccessCode, ...CandidatePorts }),
  output: Type.Object({
    model: Type.String({ description: 'Such as X1C' }),
    developer_mode: Type.Enum(['on', 'off', 'unknown'], { description: 'off: the printer refuses commands' })
  }),
  errors: [NotAdmitted],
  async run ({ kernel, services, signal }, candidate) {
    const { management } = services
    return await management.inTurn(candidate.name, async () => {
      checkNew(kernel, candidate.name)
      const config = configFor(kernel, candidate)
      await checkHost(config.name, config.host)
      const contact = await probe(config, kernel, { signal, ...management.waits })
      if (!contact.good) throw new NotAdmitted(config.name, contact.message).with(failureField(contact.code))
      return { model: contact.model, developer_mode: contact.developerMode }
    })
  }
})
