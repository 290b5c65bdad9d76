/** Longer addresses are nonsense, and so are those with spaces: they would begin another part of the request. */
const LONGEST = 2_048
const isUsable = (url: string): boolean => url.length <= LONGEST && /^[!-~]+$/.test(url)

/** @wire the stream of every printer with RTSPS */
const PATH = '/streaming/live/1'

export const streamUrl = (host: string, port: number): string =>
  `rtsps://${host.includes(':') ? `[${host}]` : host}:${port}${PATH}`

/** What the addresses in a description are relative to; one that is itself relative counts from the request. */
export function baseOf (request: string, contentBase: string | undefined, contentLocation: string | undefined): string {
  const given = contentBase ?? contentLocation
  return given === undefined || given === '' ? request : resolveControl(request, given)
}

/**
 * The address that a `control` names. Cameras and players append it to the base, whatever the standard for addresses
 * says: `track1` beside `rtsp://camera/live` is `rtsp://camera/live/track1`.
 */
export function resolveControl (base: string, control: string | undefined): string {
  if (control === undefined || control === '' || control === '*' || !isUsable(control)) return base
  if (/^rtsps?:\/\//i.test(control)) return control
  return `${base.replace(/\/+$/, '')}/${control.replace(/^\/+/, '')}`
}
