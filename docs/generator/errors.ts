import { errorCatalogue, type AnyErrorClass } from '../../core/index.js'
import type { Application } from './application.js'
import { byText, code, page, table } from './markdown.js'
import { ownerOf, type Sources } from './source.js'

const DEFINITION = /defineError(?:<[^>]*>)?\s*\(\s*'(PRN_ERR_\w+)'/g

/** Loads every file that defines an error. @returns which part of the project each code is from */
async function definitions (sources: Sources): Promise<ReadonlyMap<string, string>> {
  const files = sources.withText(DEFINITION)
  for (const { path } of files) await import(`../../${path.replace(/\.ts$/, '.js')}`)
  return new Map(files.flatMap(({ path, found }) => found.map(name => [name, ownerOf(path)] as const)))
}

/** Placeholders as an ellipsis: what stands there is named by the sentence. */
const readable = (template: string) => template.replace(/%[sd]/g, '…')

function section (Known: AnyErrorClass, owner: string, operations: readonly string[]): string[] {
  return [
    `### ${Known.code}`,
    table(['Status', 'From', 'Operations that name it'],
      [[String(Known.statusCode), owner, operations.map(code).join(', ')]]),
    `> ${readable(Known.template)}`
  ]
}

export async function errorsPage (applications: readonly Application[], sources: Sources): Promise<string> {
  const owners = await definitions(sources)
  const operations = applications.flatMap(({ kernel }) => [...kernel.operations.values()])
  const throwing = (Known: AnyErrorClass) => [...new Set(operations.filter(({ errors = [] }) => errors.includes(Known))
    .map(({ name }) => name))].sort()
  const known = errorCatalogue().filter(({ code }) => owners.has(code)).sort(byText(({ code }) => code))
  return page(
    '# Errors',
    'A code never changes its meaning. In HTTP bodies of the service, `error` is the code without its prefix in lower case, ' +
    'and `reason` is the sentence; the command line and the log show the whole code. `…` stands for names and values.',
    table(['Code', 'Status'], known.map(({ code: name, statusCode }) =>
      [`[${code(name)}](#${name.toLowerCase()})`, String(statusCode)])),
    known.flatMap(Known => section(Known, owners.get(Known.code) ?? '', throwing(Known)))
  )
}
