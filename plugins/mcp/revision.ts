/** Source: revision 2026-07-28, "Versioning": what every request says of the revision it speaks. */
const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion'
export const REVISION_HEADER = 'mcp-protocol-version'

type Meta = Readonly<Record<string, unknown>>

function metaOf (message: unknown): Meta {
  const meta = (message as { params?: { _meta?: unknown } | null } | null | undefined)?.params?._meta
  return typeof meta === 'object' && meta !== null ? meta as Meta : {}
}

/** Whether a message says which revision it speaks: before 2026-07-28 none did. */
export const namesRevision = (message: unknown): boolean => VERSION_META_KEY in metaOf(message)

/** What is no plain text is carried as base64. Source: revision 2026-07-28, "Standard request headers". */
const PLAIN = /^(?! |=\?base64\?)[\x20-\x7E]*(?<! )$/
const encoded = (value: string): string =>
  PLAIN.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** The headers that repeat what a request says of itself. */
export function headersOf (message: { method: string, params?: Meta | undefined }): Record<string, string> {
  const { method, params: { name, uri } = {} } = message
  const { [VERSION_META_KEY]: version } = metaOf(message)
  const named = name ?? uri
  return {
    'mcp-method': method,
    ...(typeof version === 'string' && { [REVISION_HEADER]: version }),
    ...(typeof named === 'string' && { 'mcp-name': encoded(named) })
  }
}
