/** Longer URLs are invalid, and so are those with spaces: they would split the request line. */
const LONGEST = 2_048
const isUsable = (url: string): boolean => url.length <= LONGEST && /^[!-~]+$/.test(url)

/** @wire path of the stream of every printer with RTSPS */
const PATH = '/streaming/live/1'

export const streamUrl = (host: string, port: number): string =>
  `rtsps://${host.includes(':') ? `[${host}]` : host}:${port}${PATH}`

/** The base of relative URLs in a description; a relative base is resolved against the request. */
export function baseOf (request: string, contentBase: string | undefined, contentLocation: string | undefined): string {
  const given = contentBase ?? contentLocation
  return given === undefined || given === '' ? request : resolveControl(request, given)
}

/**
 * The URL of a `control` attribute. Cameras and players append it to the base, against RFC 3986: `track1` at
 * `rtsp://camera/live` is `rtsp://camera/live/track1`.
 */
export function resolveControl (base: string, control: string | undefined): string {
  if (control === undefined || control === '' || control === '*' || !isUsable(control)) return base
  if (/^rtsps?:\/\//i.test(control)) return control
  return `${base.replace(/\/+$/, '')}/${control.replace(/^\/+/, '')}`
}
