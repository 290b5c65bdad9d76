import { PlateFindings } from '../errors.js'
import type { PlateFinding } from '../schemas.js'

/** What a print is started in spite of. */
export interface Accepts {
  /** Codes of findings. */
  readonly accepted: readonly string[]
  /** Nobody is there to be asked: findings to ask a person about refuse the print, too. */
  readonly isUnattended?: boolean
}

/** The queue decides by itself about spools that run out. */
const DECIDED_ELSEWHERE = 'spool_runs_out'
/** Of a plate with many, the worst are enough to act on. */
const MOST_TOLD = 3

/** Findings for which a print is refused. */
export const refusing = (
  findings: readonly PlateFinding[], { accepted, isUnattended = false }: Accepts
): readonly PlateFinding[] => findings.filter(({ code, weight, may_accept: mayAccept }) => {
  if (mayAccept && accepted.includes(code)) return false
  return weight === 'stop' || (isUnattended && weight === 'warn' && code !== DECIDED_ELSEWHERE)
})

/** The worst of them, one sentence each, and what to do. */
export function findingsText (findings: readonly PlateFinding[]): string {
  const told = findings.slice(0, MOST_TOLD).map(({ message, remedy }) => `${message}. ${remedy}`)
  const more = findings.length - told.length
  return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

/** @throws PRN_ERR_PLATE_FINDINGS if the plate must not be printed */
export function checkFindings (printer: string, findings: readonly PlateFinding[], accepts: Accepts): void {
  const stops = refusing(findings, accepts)
  if (stops.length === 0) return
  const codes = [...new Set(stops.map(({ code }) => code))]
  const wayOut = stops.every(({ may_accept: mayAccept }) => mayAccept)
    ? ` To print it all the same, repeat with accept_findings ${JSON.stringify(codes)}.`
    : ''
  const detail = `${findingsText(stops)}${wayOut}`
  throw new PlateFindings(printer, detail).with({ detail, findings: [...stops] })
}
