export const FORMATS = ['text', 'openmetrics'] as const
export type Format = (typeof FORMATS)[number]

const TYPES: Readonly<Record<string, Format>> = {
  'application/openmetrics-text': 'openmetrics', 'text/plain': 'text', 'text/*': 'text', '*/*': 'text'
}
/** More than any client sends. */
const MOST_PARTS = 16

const qualityOf = (parameters: readonly string[]): number => {
  const [, value] = parameters.map(one => /^\s*q=([\d.]{1,5})\s*$/i.exec(one)).find(found => found !== null) ?? []
  return value === undefined ? 1 : Number(value)
}

/** The format that a client prefers; plain text by default. */
export function formatFor (accept: string | undefined): Format {
  let best: { readonly format: Format, readonly quality: number } | undefined
  for (const part of (accept ?? '').split(',', MOST_PARTS)) {
    const [type = '', ...parameters] = part.split(';')
    const format = TYPES[type.trim().toLowerCase()]
    const quality = qualityOf(parameters)
    if (format !== undefined && quality > (best?.quality ?? 0)) best = { format, quality }
  }
  return best?.format ?? 'text'
}
