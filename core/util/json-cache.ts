type Write = () => string
type Redact = (text: string) => string
const writers = new WeakMap<object, Write>()
const written = new WeakMap<object, { readonly redact: Redact, readonly bytes: Buffer }>()

/**
 * Declares that an object never changes, so that its JSON is serialised only once.
 * @param write creates that JSON, if there is a faster way than from the object
 * @returns the object
 */
export function immutableJson<T extends object> (value: T, write: Write = () => JSON.stringify(value)): T {
  writers.set(value, write)
  return value
}

/** The JSON of a value, redacted; for an immutable object the same buffer every time. */
export function jsonBytes (value: unknown, redact: Redact): Buffer {
  const write = typeof value === 'object' && value !== null ? writers.get(value) : undefined
  if (!write) return Buffer.from(redact(JSON.stringify(value ?? null)))
  const known = written.get(value as object)
  if (known?.redact === redact) return known.bytes // another kernel in this process redacts other secrets
  const bytes = Buffer.from(redact(write()))
  written.set(value as object, { redact, bytes })
  return bytes
}
