/** Text in a table's cell: on one line, bars escaped. */
const cell = (text: string) => text.replace(/\s+/g, ' ').replace(/(?<!\\)\|/g, '\\|').trim()

/** A table; empty without rows. Columns that are empty everywhere are left out. */
export function table (head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, at) => at === 0 || rows.some(row => (row[at] ?? '') !== ''))
  const line = (cells: readonly string[]) => `| ${cells.filter((_, at) => used[at]).map(cell).join(' | ')} |`
  return rows.length === 0 ? '' : [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const code = (text: string): string => `\`${text}\``

export const block = (text: string, language = ''): string => `\`\`\`${language}\n${text}\n\`\`\``

/** The name that web pages give a heading, to link to it. */
export const anchorOf = (heading: string): string =>
  heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-')

export const link = (text: string, page: string, heading: string): string => `[${text}](${page}#${anchorOf(heading)})`

/** With a full stop, unless it ends as a sentence does. */
export const sentence = (text: string): string => /[.!?:]$/.test(text.trim()) || text.trim() === '' ? text.trim() : `${text.trim()}.`

/** Parts of a page with an empty line between them; empty ones are left out. */
export const page = (...parts: readonly (string | readonly string[])[]): string =>
  parts.flat().filter(part => part !== '').join('\n\n') + '\n'

export const byText = <T>(textOf: (value: T) => string) => (a: T, b: T): number => {
  const [first, second] = [textOf(a), textOf(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Values under the text that each of them gives, texts in order. */
export function grouped<T> (values: readonly T[], textOf: (value: T) => string): [text: string, values: T[]][] {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const text = textOf(value)
    groups.set(text, [...groups.get(text) ?? [], value])
  }
  return [...groups].sort(byText(([text]) => text))
}
