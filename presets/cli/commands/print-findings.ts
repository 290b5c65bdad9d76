import { BadInput } from '../../../core/index.js'
import type { Service } from '../service.js'
import { painted, printable } from '../table.js'
import type { Screen } from './jobs.js'

interface Finding {
  readonly code: string
  readonly weight: 'stop' | 'warn' | 'note'
  readonly message: string
  readonly remedy: string
  readonly may_accept: boolean
}

const sentences = ({ message, remedy }: Finding): string => printable(`${message}. ${remedy}`)

/**
 * Shows what the moves of a plate have wrong, before the person is asked.
 * @param plate what is to be printed, as `GET /api/toolpath/summary` takes it
 * @throws PRN_ERR_BAD_INPUT if it must not be printed
 */
export async function showFindings (
  service: Pick<Service, 'call'>, { say, colours }: Screen, plate: Readonly<Record<string, unknown>>,
  accepted: readonly string[], withinMs: number
): Promise<void> {
  const summary = service.call<{ findings: readonly Finding[] }>('GET', '/api/toolpath/summary', plate, withinMs)
  const findings = await summary.then(({ findings: found }) => found, (error: Error) => {
    say(`  The plate could not be judged: ${printable(error.message)}`) // the service tries again when it starts it
    return []
  })
  const stops = findings.filter(({ code, weight, may_accept: mayAccept }) =>
    weight === 'stop' && !(mayAccept && accepted.includes(code)))
  for (const finding of findings) {
    if (finding.weight === 'note' || stops.includes(finding)) continue
    say(`  ${painted(`Careful: ${sentences(finding)}`, 'warn', colours)}`)
  }
  if (stops.length === 0) return
  const codes = [...new Set(stops.map(({ code }) => code))].join(',')
  const wayOut = stops.every(({ may_accept: mayAccept }) => mayAccept)
    ? ` To print all the same, add --accept-findings ${codes}.`
    : ''
  throw new BadInput(`${stops.map(sentences).join(' ')}${wayOut} Nothing was started; the file is on the card as ${String(plate.file)}`)
}
