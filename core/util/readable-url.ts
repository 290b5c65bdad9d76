/** The router answers 400 to a path that cannot be decoded before any hook runs: escape it, so that they do. */
export function readableUrl (url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}
