/** A path that cannot be decoded would be turned away before any of the rules on hosts, tokens and errors. */
export function readableUrl (url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}
