import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import t from 'tap'

interface HandedFile {
  readonly handOver: (file: File) => Promise<unknown>
  readonly waitingFile: () => Promise<File | undefined>
  readonly chooseFile: (file: File) => Promise<void>
  readonly takeFile: () => Promise<File | undefined>
}
const SCRIPT = new URL('../../../plugins/shell/page/handed-file.js', import.meta.url).href
const { chooseFile, handOver, takeFile, waitingFile } = await import(SCRIPT) as HandedFile

/** What a browser has of these, of one origin and one tab. */
function browser () {
  const stored = new Map<string, unknown>()
  const marks = new Map<string, string>()
  const answer = (result: unknown) => {
    const request = { result, onsuccess: () => {} }
    queueMicrotask(() => request.onsuccess())
    return request
  }
  const objectStore = () => ({
    put: (value: unknown, key: string) => answer(stored.set(key, value)),
    get: (key: string) => answer(stored.get(key)),
    delete: (key: string) => answer(stored.delete(key)),
    getAllKeys: () => answer([...stored.keys()])
  })
  const page = { href: '' }
  Object.assign(globalThis, {
    indexedDB: { open: () => answer({ transaction: () => ({ objectStore }), close () {} }) },
    location: page,
    history: { replaceState: (_state: unknown, _title: string, address: URL) => { page.href = address.href } }
  })
  const sessionStorage = {
    getItem: (key: string) => marks.get(key) ?? null,
    setItem: (key: string, value: string) => { marks.set(key, value) },
    removeItem: (key: string) => { marks.delete(key) }
  }
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true })
  return {
    open: (path: string) => { page.href = `http://printers.local${path}` },
    get address () { return page.href },
    newTab: () => marks.clear(),
    marks,
    stored
  }
}

const HANDED = '/printer?printer=x1c&file=handed'
const fileOf = (name: string) => new File(['x'], name)

t.test('a page takes no file that another site sent and nobody chose', async t => {
  const tab = browser()
  await handOver(fileOf('foreign.gcode.3mf'))
  tab.open(HANDED)
  t.equal(await takeFile(), undefined)
  t.equal(tab.address, 'http://printers.local/printer?printer=x1c')
  t.equal((await waitingFile())?.name, 'foreign.gcode.3mf', 'it still waits for a person to choose a place')
})

t.test('a page takes the file that was chosen, once, and not one that came after it', async t => {
  const tab = browser()
  await handOver(fileOf('own.gcode.3mf'))
  const shown = await waitingFile() as File
  await handOver(fileOf('foreign.gcode.3mf'))
  await chooseFile(shown)
  tab.open('/printer')
  t.equal(await takeFile(), undefined, 'only where it was sent to')
  tab.open(HANDED)
  t.equal((await takeFile())?.name, 'own.gcode.3mf')
  tab.open(HANDED)
  t.equal(await takeFile(), undefined)
})

t.test('a tab that another site opens takes nothing', async t => {
  const tab = browser()
  await chooseFile(fileOf('own.gcode.3mf'))
  tab.newTab()
  tab.open(HANDED)
  t.equal(await takeFile(), undefined)
})

t.test('a file that was shared while another one is on its way goes on waiting', async t => {
  const tab = browser()
  await handOver(fileOf('a.gcode.3mf'))
  await chooseFile(await waitingFile() as File)
  await handOver(fileOf('b.gcode.3mf'))
  tab.open(HANDED)
  t.equal((await takeFile())?.name, 'a.gcode.3mf')
  t.equal((await waitingFile())?.name, 'b.gcode.3mf')
  await chooseFile(await waitingFile() as File)
  tab.open(HANDED)
  t.equal((await takeFile())?.name, 'b.gcode.3mf')
  t.equal(await waitingFile(), undefined, 'what was taken waits no longer')
})

t.test('each of two tabs takes the file that was chosen in it, and none is kept for ever', async t => {
  const tab = browser()
  await chooseFile(fileOf('a.gcode.3mf'))
  const mark = tab.marks.get('prnd-handed-file') ?? ''
  tab.newTab()
  await chooseFile(fileOf('b.gcode.3mf'))
  tab.open(HANDED)
  t.equal((await takeFile())?.name, 'b.gcode.3mf')
  tab.marks.set('prnd-handed-file', mark)
  tab.open(HANDED)
  t.equal((await takeFile())?.name, 'a.gcode.3mf', 'the first tab still finds its own')

  tab.stored.set('chosen 1 2-3-4-5', fileOf('left.gcode.3mf'))
  tab.stored.set('chosen', { mark: 'of an earlier version' })
  await chooseFile(fileOf('c.gcode.3mf'))
  t.match([...tab.stored.keys()], [/^chosen \d{13} /])
})

t.test('a browser that keeps no files says so on the page', async t => {
  const listeners = new Map<string, (event: object) => void>()
  const open = () => {
    const request = { error: new Error('no room'), onerror: () => {} }
    queueMicrotask(() => request.onerror())
    return request
  }
  runInContext(readFileSync(new URL('../../../plugins/shell/page/sw-share.js', import.meta.url), 'utf8'), createContext({
    URL,
    File,
    Response,
    indexedDB: { open },
    registration: { scope: 'https://printers.local/' },
    addEventListener: (name: string, listener: (event: object) => void) => { listeners.set(name, listener) }
  }))
  const formData = async () => new Map([['file', fileOf('a.gcode.3mf')]])
  const answer = await new Promise<Response>(resolve => listeners.get('fetch')?.({
    request: { method: 'POST', url: 'https://printers.local/share', formData }, respondWith: resolve
  }))
  t.equal(answer.headers.get('location'), 'https://printers.local/share?failed')
})
