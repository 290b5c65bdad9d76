import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { page } from './markdown.js'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDES = '/docs/guides'
const REFERENCE = '/docs/reference'

/** What each page of the reference is for. */
const REFERENCE_NOTES: Readonly<Record<string, string>> = {
  'cli.md': 'every command with its options',
  'configuration.md': 'every key of the configuration file, its default and environment variable',
  'errors.md': 'every error code, with its text and status',
  'events.md': 'live events, alerts, and the events of plugins',
  'extension-points.md': 'what plugins can contribute, and the function that makes it',
  'http.md': 'every route of the service, with parameters and answers',
  'licences.md': 'the licences of all packages in use',
  'standalone.md': 'every route of `prnd app`',
  'tools.md': 'every MCP tool, with its parameters'
}

const OPTIONAL = [
  ['/CHANGELOG.md', 'Changelog', 'what each version brings and breaks'],
  ['/SECURITY.md', 'Security', 'threat model, and how to report a vulnerability'],
  ['/docs/decisions/README.md', 'Decisions', 'why things are as they are'],
  ['/docs/style.md', 'House style', 'how code and prose are written here']
] as const

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const entry = (path: string, title: string, note: string) => `- [${title}](${path}): ${note}`

/** The rows of the page on the guides, under the readers that it names in its first column. */
function guideSections (): string[] {
  const rows = [...read(join(GUIDES, 'README.md')).matchAll(/^\| *([^|]*?) *\| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/gm)]
  const sections: string[][] = []
  for (const [, readers, title = '', to = '', note = ''] of rows) {
    if (readers) sections.push([`## Guides for ${readers.toLowerCase()}`, ''])
    sections.at(-1)?.push(entry(posix.join(GUIDES, to), title, note))
  }
  return sections.map(lines => lines.join('\n'))
}

function referenceSection (): string {
  const pages = readdirSync(join(ROOT, REFERENCE)).filter(name => name.endsWith('.md')).sort().map(name => {
    const [, title = name] = /^# (.+)$/m.exec(read(join(REFERENCE, name))) ?? []
    return entry(posix.join(REFERENCE, name), title, REFERENCE_NOTES[name] ?? '')
  })
  return ['## Reference', '', ...pages].join('\n')
}

/** The index for language models, in the format of llmstxt.org, from the pages that it leads to. */
export function llmsPage (): string {
  const { name, description } = JSON.parse(read('package.json')) as { name: string, description: string }
  return page(
    `# ${name}`,
    `> ${description}`,
    'Paths start at the root of the repository, and of the package in `node_modules`. This page is made by `npm run docs`.',
    ['- Without a printer: `npx prnd demo` serves virtual printers on http://localhost:49152/.',
      '- For agents: `npx -y prnd mcp` speaks MCP on standard input and output; a running service speaks it at `/mcp`.',
      '- A running service describes itself: `GET /api/openapi.json`, and `GET /api/docs` for people.',
      '- Printers heat and move. Every tool that changes something on a printer requires `user_permission: true`: set it only ' +
        'after the user has agreed.'].join('\n'),
    guideSections(),
    referenceSection(),
    ['## Optional', '', ...OPTIONAL.map(([path, title, note]) => entry(path, title, note))].join('\n')
  )
}
