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
    delete: (key: string) => answer(stored.delete(key))
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
    newTab: () => marks.clear()
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
