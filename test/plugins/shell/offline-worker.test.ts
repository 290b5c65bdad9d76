import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import t from 'tap'

const SCRIPT = join(import.meta.dirname, '../../../plugins/shell/page/sw-offline.js')
const SCOPE = 'https://printers.local/'

/** The worker with what a browser has of these. */
function begun () {
  const listeners = new Map<string, (event: object) => void>()
  const names = new Set<string>()
  runInContext(readFileSync(SCRIPT, 'utf8'), createContext({
    URL,
    setTimeout,
    SHELL_FOLDERS: [],
    registration: { scope: SCOPE },
    caches: { keys: async () => [...names], delete: async (name: string) => names.delete(name) },
    addEventListener: (name: string, listener: (event: object) => void) => { listeners.set(name, listener) }
  }))
  return { listeners, names }
}

function worker () {
  const { listeners, names } = begun()
  /** @returns whether what was seen before is still there */
  return async (method: string, path: string): Promise<boolean> => {
    names.add('seen')
    const work: Promise<unknown>[] = []
    const request = { method, url: SCOPE + path, mode: 'cors' }
    listeners.get('fetch')?.({ request, waitUntil: (one: Promise<unknown>) => work.push(one), respondWith () {} })
    await Promise.all(work)
    return names.has('seen')
  }
}

t.test('no old state of a printer is given in place of the one that its page was told', async t => {
  const remembers = (path: string): boolean => {
    let isAnswered = false
    const { listeners } = begun()
    const request = { method: 'GET', url: `${SCOPE}api/${path}`, mode: 'cors' }
    listeners.get('fetch')?.({ request, waitUntil () {}, respondWith (answer: Promise<unknown>) { isAnswered = true; answer.catch(() => {}) } })
    return isAnswered
  }
  t.same(['printer', 'printer?printer=x1c'].filter(remembers), [])
  const kept = ['fleet', 'spools', 'spools/inventory?states=active']
  t.same(kept.filter(remembers), kept, 'what says how old it is')
})

t.test('what one user has seen is forgotten before another logs in, by any way', async t => {
  const keeps = worker()
  for (const path of ['logout', 'login', 'login/passkey']) t.equal(await keeps('POST', path), false, path)
  for (const path of ['login/openid', 'login/openid/callback?code=a']) t.equal(await keeps('GET', path), false, path)
  t.equal(await keeps('POST', 'login/passkey/options'), true, 'the question is no login')
  t.equal(await keeps('POST', 'api/pause'), true)
})
