const snapshots = new WeakSet<object>()
type Redact = (text: string) => string
const written = new WeakMap<object, { readonly redact: Redact, readonly bytes: Buffer }>()

/**
 * Declares that an object never changes, so that its JSON is written once however often it is asked for.
 * @returns the object
 */
export function snapshot<T extends object> (value: T): T {
  snapshots.add(value)
  return value
}

/** The JSON of a value, redacted; of a snapshot the same buffer every time. */
export function jsonBytes (value: unknown, redact: Redact): Buffer {
  const kept = typeof value === 'object' && value !== null && snapshots.has(value)
  const known = kept ? written.get(value) : undefined
  if (known?.redact === redact) return known.bytes // another kernel in this process has other secrets
  const bytes = Buffer.from(redact(JSON.stringify(value ?? null)))
  if (kept) written.set(value, { redact, bytes })
  return bytes
}
