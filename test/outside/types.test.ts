import { cp, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { VERSION } from '../../core/index.js'
import { fillTemplate } from '../../presets/cli/commands/create-plugin.js'
import { finished, install, lend, outside, place, ROOT } from './installed.js'

const TSC = join(ROOT, 'node_modules', 'typescript-native', 'lib', 'tsc.js')
const EXAMPLE = join(import.meta.dirname, 'prnd-plugin-bed-watch')

async function newest (folder: string): Promise<number> {
  const times = (await readdir(folder, { withFileTypes: true })).map(async entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? await newest(path) : (await stat(path)).mtimeMs
  })
  return Math.max(0, ...await Promise.all(times))
}

/** Declarations are written by `npm run types`; here anew when a source is younger, without checking it again. */
async function declarations (): Promise<void> {
  const sources = Math.max(...await Promise.all(['core', 'plugins', 'presets'].map(name => newest(join(ROOT, name)))))
  const written = await stat(join(ROOT, 'dist', 'types', 'core', 'index.d.ts')).then(({ mtimeMs }) => mtimeMs, () => 0)
  if (written > sources) return
  const args = [TSC, '-p', join(ROOT, 'tsconfig.types.json'), '--noCheck']
  const { code, out } = await finished(t, args, { cwd: ROOT })
  if (code !== 0) throw new Error(out)
}

/** The example's folder, with the package and what it leans on installed in it. */
async function project (): Promise<string> {
  const folder = await outside(t)
  await install(folder)
  await lend(folder, 'typebox')
  await lend(folder, '@types/node')
  await cp(EXAMPLE, folder, { recursive: true })
  return folder
}

/** Another plugin: what the first one adds is known to it, and mistakes are found. */
const READER = `
    import { definePlugin, defineResource, operation, route, type Services } from 'prnd'
    import http from 'prnd/plugins/http'
    import { createVirtualPrinter } from 'prnd/plugins/emulator'
    import daemon from 'prnd/presets/daemon'
    import { Type } from 'typebox'
    import type {} from './index.js'

    export const known = [http.name, daemon.name, typeof defineResource, typeof createVirtualPrinter]
    const read = operation({
      name: 'a.b', summary: 's', effect: 'read', input: Type.Object({ celsius: Type.Integer() }), output: Type.Object({}),
      run ({ services, session, kernel }) {
        services.bedWatch.count(session.name).toFixed()
        kernel.events.on('bed:warm', (printer, count) => printer.length + count)
        services.http.link({ path: '/x' })
        return {}
      }
    })
    export const good = route(read, { method: 'GET', path: '/a', params: Type.Object({ t: Type.Number() }), input: ({ t }) => ({ celsius: t }) })

    // @ts-expect-error the mapping gives a text where the operation takes a number
    route(read, { method: 'GET', path: '/a', params: Type.Object({ t: Type.String() }), input: ({ t }) => ({ celsius: t }) })
    // @ts-expect-error there is no such service
    export type Missing = Services['nobody']
    export default definePlugin({
      name: 'x', version: '1.0.0', kernel: '*', options: Type.Object({ gain: Type.Number() }),
      // @ts-expect-error nobody declared this service
      provides: ['nobody'],
      settings: { schema: Type.Object({ warmC: Type.Number({ default: 45 }) }) },
      setup ({ options, settings, services, printers, provide }) {
        options.gain.toFixed()
        settings.get().warmC.toFixed()
        // @ts-expect-error there is no such setting
        settings.get().coldC
        // @ts-expect-error the setting is a number
        void settings.change({ warmC: '50' })
        // @ts-expect-error options are read-only
        options.gain = 2
        // @ts-expect-error bedWatch has no such member
        services.bedWatch.nothing()
        // @ts-expect-error the service has another shape
        provide('bedWatch', 5)
        printers.each(session => session.events.on('state', now => { now.heat.bed.actual.toFixed() }))
      }
    })
`

/** The blocks of TypeScript in the guide for authors. */
async function guideBlocks (): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', 'guides', 'writing-a-plugin.md'), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

/** What the guide shows of stored settings, each a plugin of its own. */
async function guideSettings (): Promise<string[]> {
  const shown = (await guideBlocks()).filter(code => code.includes('settings: {') || code.includes('openJsonStore('))
  if (shown.length !== 2) throw new Error('the guide shows no stored settings')
  return shown
}

/** What the guide shows of calling an operation of another plugin. */
async function guide (): Promise<string> {
  const shown = (await guideBlocks()).find(code => code.includes('kernel.operation('))
  if (shown === undefined) throw new Error('the guide shows no call of an operation')
  return `
    import type { PluginContext, PrinterSession } from 'prnd'
    import type {} from 'prnd/plugins/projects'
    export async function guide ({ kernel, services, log }: PluginContext, session: PrinterSession, local: string) {
      ${shown}
      // @ts-expect-error the operation takes a number
      await kernel.call(print, { file: '/next.3mf', plate: 'one' })
      // @ts-expect-error nobody declared this operation
      kernel.operation('projects.prints')
    }`
}

await declarations()
const folder = await project()
await place(join(folder, 'src', 'reader.ts'), READER)
await place(join(folder, 'src', 'guide.ts'), await guide())
for (const [at, code] of (await guideSettings()).entries()) await place(join(folder, 'src', `guide-settings-${at}.ts`), code)
await place(join(folder, 'src', 'created.ts'), fillTemplate('src/index.ts', { name: 'glow', snake: 'glow', title: 'Glow', version: VERSION }))
const compiled = await finished(t, [TSC, '-p', folder], { cwd: folder })

t.test('plugins compile strictly against the published declarations', async t => {
  t.equal(compiled.out, '')
  t.equal(compiled.code, 0, compiled.err)
})

t.test('what a plugin publishes adds to the package for others', async t => {
  const written = await readFile(join(folder, 'dist', 'index.d.ts'), 'utf8')
  t.match(written, /declare module 'prnd' \{\s+interface Services \{\s+bedWatch: BedWatch;/)
  t.match(written, /default: .*import\("prnd"\)\.Plugin<|_default: import\("prnd"\)\.Plugin</)
})
