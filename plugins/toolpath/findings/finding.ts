import type { Finding, FindingCode, Weight } from './types.js'

/** What a file does wrong, where it does so first. It is filled in place, so that nothing is made for each move. */
export interface Mark {
  line: number
  layer: number
  x: number
  y: number
  z: number
  /** The figure that is wrong, where it is first. */
  value: number
  /** The worst of them. */
  worst: number
  times: number
}

export const newMark = (): Mark =>
  ({ line: 0, layer: 0, x: NaN, y: NaN, z: NaN, value: NaN, worst: -Infinity, times: 0 })

/** Counts one more. @returns whether it is the first, whose place the caller then fills in */
export function count (mark: Mark, value: number, line: number, layer: number): boolean {
  if (value > mark.worst) mark.worst = value
  if (mark.times++ > 0) return false
  mark.line = line
  mark.layer = layer
  mark.value = value
  return true
}

/** Findings that a person may print in spite of, though they stop a print. */
const MAY_ACCEPT: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'excluded_area', 'cold_extrusion', 'md5_mismatch', 'truncated', 'too_many_layers', 'filament_not_mapped', 'untried_start_code'
])

interface Words {
  readonly message: string
  readonly remedy: string
  readonly figures?: Readonly<Record<string, number | string>>
}
type Where = Partial<Pick<Mark, 'line' | 'layer' | 'x' | 'y' | 'z' | 'times'>>

export function finding (
  code: FindingCode, weight: Weight, where: Where, { message, remedy, figures = {} }: Words
): Finding {
  const { line = 0, layer = 0, x = NaN, y = NaN, z = NaN, times = 1 } = where
  const position = Number.isNaN(x) || Number.isNaN(y) ? undefined : { x: rounded(x), y: rounded(y), z: rounded(z) }
  return {
    code,
    weight,
    mayAccept: weight !== 'stop' || MAY_ACCEPT.has(code),
    line,
    layer,
    ...position && { position },
    times,
    figures,
    message: line > 0 ? `${placeWords(line, layer)}: ${message}` : capital(message),
    remedy
  }
}

const placeWords = (line: number, layer: number) => layer > 0 ? `Line ${line}, layer ${layer}` : `Line ${line}`
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A figure as messages show it. */
export const rounded = (value: number): number => Math.round(value * 10) / 10

const ORDER: readonly Weight[] = ['stop', 'warn', 'note']

/** Worst first, then in the order of the file. */
export const sorted = (findings: readonly Finding[]): readonly Finding[] => [...findings].sort((one, other) =>
  ORDER.indexOf(one.weight) - ORDER.indexOf(other.weight) || one.line - other.line)
