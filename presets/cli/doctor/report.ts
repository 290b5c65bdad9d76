/** The result of one check. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** What to do about it. */
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
  readonly prn: string
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

/** Readable text, meant to be pasted into a request for help. */
export function written ({ prn, node, platform, healthy, checks, printers }: Report): string {
  return [
    `prn ${prn}, Node ${node}, ${platform}`,
    '',
    ...checks.flatMap(lines),
    ...printers.flatMap(({ name, model, serial, host, checks }) =>
      ['', `${name} (${model}, ${serial}, ${host})`, ...checks.flatMap(lines)]),
    '',
    healthy ? 'Nothing is wrong.' : 'Something is wrong: see FAIL above.'
  ].join('\n')
}
