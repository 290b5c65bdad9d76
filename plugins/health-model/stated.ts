import type { Size } from './fit-picture.js'

type Metadata = Readonly<Record<string, string>>

/** What an export says about itself, in the words of Ultralytics. */
export interface Stated {
  /** In order. */
  readonly labels?: readonly string[]
  readonly size?: Size
  /** Such as `detect`. */
  readonly task?: string
  /** Overlapping boxes are removed by the network itself. */
  readonly isFinal: boolean
  /** Its boxes are fractions, and look like others by their shape. */
  readonly isDetr: boolean
  /** Whether it was exported by Ultralytics. */
  readonly isUltralytics: boolean
}

const TEXT = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/
const PAIR = new RegExp(`(\\d+)["']?\\s*:\\s*(?:${TEXT.source})`, 'g')
const MOST_LABELS = 1_000
const unescaped = (text: string) => text.replace(/\\(.)/g, '$1')

/** Names as Python or JSON writes them: `{0: 'spaghetti', 1: "layer's shift"}` or `['good', 'bad']`. */
export function namesIn (text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const named = [...text.matchAll(PAIR)]
  if (named.length > 0) {
    const labels: string[] = []
    for (const [, at, one, other] of named) {
      if (Number(at) < MOST_LABELS) labels[Number(at)] = unescaped(one ?? other ?? '')
    }
    return labels.length === Object.keys(labels).length ? labels : undefined
  }
  if (!text.trim().startsWith('[')) return undefined
  const listed = [...text.matchAll(new RegExp(TEXT.source, 'g'))].map(([, one, other]) => unescaped(one ?? other ?? ''))
  return listed.length > 0 ? listed : undefined
}

/** `[height, width]`, or one number for both. */
function sizeIn (text: string | undefined): Size | undefined {
  const [height, width = height] = (text?.match(/\d+/g) ?? []).map(Number)
  return height === undefined || width === undefined ? undefined : { width, height }
}

export function statedIn (metadata: Metadata): Stated {
  const { names, imgsz, task, stride, args = '', end2end = '', description = '' } = metadata
  const labels = namesIn(names)
  const size = sizeIn(imgsz)
  return {
    ...(labels && { labels }),
    ...(size && { size }),
    ...(task !== undefined && { task }),
    isFinal: /^true$/i.test(end2end) || /["']nms["']\s*:\s*true/i.test(args),
    isDetr: /rt-?detr/i.test(description),
    isUltralytics: stride !== undefined && names !== undefined
  }
}
