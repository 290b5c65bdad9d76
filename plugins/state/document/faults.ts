import { rankFaults, type Fault, type HmsCatalogue, type PrinterState } from '../../../core/index.js'

const S_PER_MS = 1 / 1000

/** One entry of `hms_errors`, with the decoded severity. */
function faultEntry (fault: Fault, texts: HmsCatalogue, serial: string) {
  const { type, code, digits, module, severity, critical, command } = fault
  const msg = texts.describe(fault)
  const sentence = texts.sentence(fault)
  return {
    code,
    msg,
    ...(sentence !== msg && { detail: sentence }),
    module,
    severity: severity as string,
    is_critical: critical,
    type,
    url: texts.url(fault),
    ...(type === 'device_error' && { actions: texts.actions(digits, serial) }),
    ...(command && { command: command.name, ams_id: command.amsId, timestamp: command.at * S_PER_MS })
  }
}

/** All entries; those that are not active by their place, or ignored, have the severity `Historical`. */
export const faultEntries = ({ errors }: PrinterState, texts: HmsCatalogue, serial: string) =>
  rankFaults(errors.faults).map(({ fault, historical, active }) => ({
    ...faultEntry(fault, texts, serial),
    ...(fault.ignored && { ignored: true }),
    ...(!historical && !active && { cancelled: true }),
    ...(historical && { severity: 'Historical', is_critical: false })
  }))
