/** The message of anything thrown, also of values that are not errors. */
export function errorText (thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  try {
    return String(thrown)
  } catch {
    return 'a value without a message was thrown'
  }
}

/** A copy of JSON data with every secret masked. */
export const redacted = <T>(value: T, redact: (text: string) => string): T => JSON.parse(redact(JSON.stringify(value)))
