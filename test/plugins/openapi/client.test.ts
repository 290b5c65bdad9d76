// A client that is generated from the description compiles under strict rules, and drives a printer.
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import t from 'tap'
import ts from 'typescript'
import { boot } from '../../helpers/boot.js'
import { PROGRAM, WRONG } from './client.data.js'
import { PROJECT, testFolder } from '../../helpers/folder.js'

const STRICT: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmitOnError: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: []
}

/** Compiles programs together. @returns what the compiler has against them */
function compile (...files: readonly string[]): string[] {
  const program = ts.createProgram(files, STRICT)
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText, file: where }) =>
    `${where?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

/** The library lies where the project's do, not beside the generated program. */
const LIBRARY = pathToFileURL(createRequire(import.meta.url).resolve('openapi-fetch').replace(/\.cjs$/, '.mjs')).href
const withLibrary = (code: string): string => code.replace("'openapi-fetch'", `'${LIBRARY}'`)

t.test('a generated client drives a printer', async t => {
  const { kernel, printer } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s', reportEveryMs: 100, speed: 100, sdCard: { samples: true } }],
    listen: true
  })
  const document = (await kernel.app.inject('/api/openapi.json')).json<OpenAPI3>()
  const folder = testFolder(t, { 'package.json': '{"type":"module"}' }, PROJECT)
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTypescript(document)))
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  t.same(compile(join(folder, 'program.ts')), [], 'it compiles')

  const file = join(folder, 'program.js')
  await writeFile(file, withLibrary(await readFile(file, 'utf8')))
  interface Program { drive (baseUrl: string): Promise<Record<string, unknown>> }
  const { drive } = await import(pathToFileURL(file).href) as Program
  t.match(await drive(`http://127.0.0.1:${kernel.apiPort}`), {
    printers: ['p1s'],
    bed: 'success',
    bedTarget: 55,
    missing: 'There is no printer',
    card: true,
    plates: Array,
    started: 'success',
    stopped: 'success',
    cursor: /^[0-9a-f]{8}-\d+$/
  })
  t.ok(printer.requests.some(({ body }) => body.command === 'project_file'), 'a print was started')

  const wrong = Object.values(WRONG).map((_, at) => join(folder, `wrong-${at}.ts`))
  for (const [at, code] of Object.values(WRONG).entries()) await writeFile(wrong[at] ?? '', code)
  const pageErrors = compile(...wrong)
  for (const [at, what] of Object.keys(WRONG).entries()) {
    t.ok(pageErrors.some(text => text.includes(`wrong-${at}.ts: `)), `${what} does not compile`)
  }
})
