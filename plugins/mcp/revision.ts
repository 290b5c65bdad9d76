/** Every request names its revision here. Source: revision 2026-07-28, "Versioning". */
const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion'
export const REVISION_HEADER = 'mcp-protocol-version'

type Meta = Readonly<Record<string, unknown>>

function metaOf (message: unknown): Meta {
  const meta = (message as { params?: { _meta?: unknown } | null } | null | undefined)?.params?._meta
  return typeof meta === 'object' && meta !== null ? meta as Meta : {}
}

/** Whether a message names its revision, as all have done since 2026-07-28. */
export const namesRevision = (message: unknown): boolean => VERSION_META_KEY in metaOf(message)

/** Other values are encoded as base64. Source: revision 2026-07-28, "Standard request headers". */
const PLAIN = /^(?! |=\?base64\?)[\x20-\x7E]*(?<! )$/
const encoded = (value: string): string =>
  PLAIN.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** The headers that mirror members of the request. */
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
