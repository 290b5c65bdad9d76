import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { PAGE_SCRIPT as CAMERA, PORTAL_SCRIPT as PORTAL } from '../plugins/camera/page/script.data.js'
import { PAGE_SCRIPT as CHARTS } from '../plugins/charts/page/script.data.js'

// Scripts that stand in the sources as text: the compiler does not see them by itself.

const ROOT = join(import.meta.dirname, '..')
const HERE = join(ROOT, 'scripts')

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.page.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT)

/** What is wrong with a script, as with the modules of the web page. */
function problemsOf (text: string): string[] {
  const path = join(HERE, 'script.js')
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = name => name === path || fileExists(name)
  host.getSourceFile = (name, ...more) => name === path
    ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
    : getSourceFile(name, ...more)
  const program = ts.createProgram([path], { ...options, moduleDetection: ts.ModuleDetectionKind.Force }, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) =>
    `line ${text.slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

for (const [name, script] of Object.entries({ CAMERA, PORTAL, CHARTS })) {
  t.test(`the types of the script ${name.toLowerCase()}`, async t => t.same(problemsOf(script), []))
}

t.test('mistakes are seen', async t => {
  t.match(problemsOf(CHARTS.replaceAll('document.hidden', 'document.hiden')), [/^line 79: Property 'hiden' does not exist/])
})
