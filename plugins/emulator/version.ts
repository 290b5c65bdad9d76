/** Compares dotted firmware versions part by part: true when `version` is `wanted` or newer. */
export function isVersionAtLeast (version: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const parts = version.split('.').map(Number)
  for (const [at, part] of wanted.split('.').map(Number).entries()) {
    const own = parts[at] ?? 0
    if (own !== part) return own > part
  }
  return true
}
