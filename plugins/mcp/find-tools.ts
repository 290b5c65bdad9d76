import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'

export const FIND_TOOLS = 'find_tools'

const MOST_FOUND = 8
const LEAST_WORD = 2
/** Each word is looked for in every tool. */
const MOST_CHARS = 200
const MOST_WORDS = 20

/** Listed where some tools are not: else there is nothing to find. */
export const findToolsDefinition: ToolDefinition = {
  name: FIND_TOOLS,
  title: 'Find Tools',
  description: 'Finds tools that are not listed, by words of what they do, and lists them from then on. Every tool of the ' +
    'answer can be called at once by its name.',
  inputSchema: {
    type: 'object',
    properties: { words: { type: 'string', description: 'Such as: dry filament' } },
    required: ['words']
  },
  annotations: { readOnlyHint: true, openWorldHint: false }
}

const wordsIn = (text: string): string[] =>
  text.toLowerCase().split(/[^a-z0-9]+/).filter(word => word.length >= LEAST_WORD)

/** "drying" finds "dryer", but "print" not every printer. */
const stemOf = (word: string): string =>
  word.startsWith('printer') ? 'printer' : word.replace(/(?<=...)(ing|ers?|ed|s)$/, '')

/** The name counts most. */
function matchOf ({ name, description = '', inputSchema }: ToolDefinition, wanted: string): number {
  const has = (text: string) => wordsIn(text).some(word => stemOf(word) === stemOf(wanted))
  return (has(name) ? 3 : 0) + (has(description) ? 2 : 0) + (has(Object.keys(inputSchema.properties ?? {}).join(' ')) ? 1 : 0)
}

/** Who searches has probably not found it in the list. */
const UNLISTED_COUNTS = 2

/**
 * The best matches first. A word that few tools have says more than one that many have.
 * @param listed names of tools that the client knows
 */
export function findTools (
  all: readonly ToolDefinition[], words: string, listed: ReadonlySet<string> = new Set()
): readonly ToolDefinition[] {
  const scores = new Map<ToolDefinition, number>()
  const wanted = [...new Set(wordsIn(words.slice(0, MOST_CHARS)))].slice(0, MOST_WORDS)
  for (const word of wanted) {
    const matches = all.map(definition => ({ definition, match: matchOf(definition, word) }))
      .filter(({ match }) => match > 0)
    for (const { definition, match } of matches) {
      const counts = listed.has(definition.name) ? 1 : UNLISTED_COUNTS
      scores.set(definition, (scores.get(definition) ?? 0) + counts * match / matches.length)
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).slice(0, MOST_FOUND).map(([definition]) => definition)
}

export const FoundSchema = {
  type: 'object' as const,
  properties: { tools: { type: 'array', items: { type: 'object' }, description: 'Definitions, as tools/list has them' } },
  required: ['tools']
}

const namesIn = (tools: readonly ToolDefinition[]): string => tools.map(({ name }) => name).join(', ')

/**
 * The definitions said once: as text, or as structured content with their names as text.
 * @param listsSchemas the client was listed the schema of this answer
 */
export function foundAnswer (found: readonly ToolDefinition[], words: string, listsSchemas = false): CallToolResult {
  if (words.trim() === '') {
    return { isError: true, content: [{ type: 'text', text: 'Error: words is required: say what the tool should do, such as: dry filament' }] }
  }
  const text = found.length === 0
    ? `No tool matches '${words.slice(0, MOST_CHARS)}'. Try other words of what it should do.`
    : listsSchemas ? `Found: ${namesIn(found)}.` : JSON.stringify({ tools: found })
  return { content: [{ type: 'text', text }], ...(listsSchemas && { structuredContent: { tools: found } }) }
}
