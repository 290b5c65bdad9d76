/** The result of one check. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** The remedy. */
  readonly fix?: string
}

export interface PrinterReport {
  readonly name: string
  readonly model: string
  readonly serial: string
  readonly host: string
  readonly checks: readonly Check[]
}

export interface Report {
  readonly prnd: string
  readonly node: string
  readonly platform: string
  /** Nothing failed; warnings do not count. */
  readonly healthy: boolean
  readonly checks: readonly Check[]
  readonly printers: readonly PrinterReport[]
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail })
export const skipped = (name: string, detail: string): Check => ({ name, status: 'skipped', detail })
export const warning = (name: string, detail: string, fix: string): Check => ({ name, status: 'warning', detail, fix })
export const failed = (name: string, detail: string, fix: string): Check => ({ name, status: 'failed', detail, fix })

export const isHealthy = ({ checks, printers }: Pick<Report, 'checks' | 'printers'>): boolean =>
  [...checks, ...printers.flatMap(printer => printer.checks)].every(({ status }) => status !== 'failed')

const WORDS: Readonly<Record<Check['status'], string>> = { ok: 'ok', warning: 'warn', failed: 'FAIL', skipped: '-' }
const NAME_WIDTH = 14

const lines = ({ name, status, detail, fix }: Check): string[] => [
  `  ${WORDS[status].padEnd(5)} ${name.padEnd(NAME_WIDTH)} ${detail}`,
  ...(fix === undefined ? [] : [`${' '.repeat(NAME_WIDTH - 6)}  do: ${fix}`])
]

const isBad = ({ status }: Check): boolean => status === 'failed' || status === 'warning'
/** Up to this many printers are reported in full; of more, only those with problems, and no more than fit a screen. */
const MANY = 12
const MOST_SHOWN = 15

const headOf = ({ name, model, serial, host }: PrinterReport): string => `${name} (${model}, ${serial}, ${host})`

/** A line for each printer with a problem, failed ones first, and one for all others. */
function summaryOf (printers: readonly PrinterReport[]): string[] {
  const failures = ({ checks }: PrinterReport) => checks.filter(({ status }) => status === 'failed').length
  const bad = printers.filter(({ checks }) => checks.some(isBad)).sort((a, b) => failures(b) - failures(a))
  const shown = bad.slice(0, MOST_SHOWN).flatMap(printer => {
    const worst = printer.checks.find(({ status }) => status === 'failed') ?? printer.checks.find(isBad)
    return worst === undefined ? [] : [`  ${WORDS[worst.status].padEnd(5)} ${headOf(printer)}: ${worst.name}: ${worst.detail}`]
  })
  const rest = bad.length - shown.length
  return [
    '',
    `${printers.length} printers: ${printers.length - bad.length} ${printers.length - bad.length === 1 ? 'is' : 'are'} well, ${bad.length} ${bad.length === 1 ? 'has' : 'have'} problems`,
    ...shown,
    ...(rest > 0 ? [`  ... and ${rest} more; prnd doctor --json tells of all`] : [])
  ]
}

/** Readable text for support requests. */
export function written ({ prnd, node, platform, healthy, checks, printers }: Report): string {
  return [
    `prnd ${prnd}, Node ${node}, ${platform}`,
    '',
    ...checks.flatMap(lines),
    ...(printers.length > MANY
      ? summaryOf(printers)
      : printers.flatMap(printer => ['', headOf(printer), ...printer.checks.flatMap(lines)])),
    '',
    healthy ? 'Nothing is wrong.' : 'Something is wrong: see FAIL above.'
  ].join('\n')
}
