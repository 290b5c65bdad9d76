/** The words of whatever was thrown, even where that is no error at all. */
export function messageOf (thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  try {
    return String(thrown)
  } catch {
    return 'something without words was thrown'
  }
}

/** A copy of plain data in which every secret is masked. */
export const redacted = <T>(value: T, redact: (text: string) => string): T => JSON.parse(redact(JSON.stringify(value)))
