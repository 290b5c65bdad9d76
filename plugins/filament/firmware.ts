/** True when a dotted version is known and comes before another; parts are compared as numbers. */
export function isBefore (version: string, first: string | undefined): boolean {
  if (version === '' || first === undefined) return false
  const own = version.split('.').map(Number)
  for (const [at, part] of first.split('.').map(Number).entries()) {
    const mine = own[at] ?? 0
    if (mine !== part) return mine < part
  }
  return false
}
