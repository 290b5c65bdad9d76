import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import t from 'tap'

const SCRIPT = join(import.meta.dirname, '../../../plugins/shell/page/sw-messages.js')
const SCOPE = 'https://printers.local/'

interface Window { url: string, focus (): Promise<Window> }

/** The worker with what a browser has of these. */
function begin (windows: readonly string[] = [], status = 200) {
  const listeners = new Map<string, (event: object) => void>()
  const said: string[] = []
  const posted: any[] = []
  const opened: string[] = []
  const pages: Window[] = windows.map(url => ({
    url, postMessage: ({ subscribed }: { subscribed: string }) => said.push(subscribed), focus () { opened.push(`focus ${url}`); return Promise.resolve(this) }
  }))
  const subscription = (endpoint: string) => ({ toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }) })
  runInContext(readFileSync(SCRIPT, 'utf8'), createContext({
    URL,
    Uint8Array,
    atob,
    SHELL_FOLDER: 'shell',
    registration: {
      scope: SCOPE,
      pushManager: { getSubscription: async () => null, subscribe: async () => subscription('https://push/new') }
    },
    clients: { matchAll: async () => pages, openWindow: async (url: string) => { opened.push(`open ${url}`) } },
    fetch: async (_url: string, { body }: { body?: string } = {}) => {
      if (body === undefined) return { json: async () => ({ publicKey: 'AAAA', usual: ['job_failed'] }) }
      posted.push(JSON.parse(body))
      return { ok: status < 400, status }
    },
    addEventListener: (name: string, listener: (event: object) => void) => { listeners.set(name, listener) }
  }))
  const fire = async (name: string, event: object) => {
    const work: Promise<unknown>[] = []
    listeners.get(name)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) })
    await Promise.all(work)
  }
  return { fire, said, posted, opened }
}

t.test('a browser that renews its subscription goes on getting messages', async t => {
  const { fire, posted, said } = begin([SCOPE])
  await fire('pushsubscriptionchange', { oldSubscription: { endpoint: 'https://push/old' }, newSubscription: null })
  await fire('message', { data: { renew: 'https://push/older' } })
  t.match(posted, [
    { endpoint: 'https://push/new', p256dh: 'p', auth: 'a', replaces: 'https://push/old', rule: { alerts: ['job_failed'] } },
    { replaces: 'https://push/older' }
  ])
  t.same(said, ['https://push/new', 'https://push/new'], 'the page knows what the service has')
  await fire('pushsubscriptionchange', { oldSubscription: null })
  await fire('message', { data: { seen: [] } })
  t.equal(posted.length, 2, 'nothing is added of which nobody knows that it was there')
})

t.test('a subscription that the service does not know of this user is not taken as registered', async t => {
  const { fire, posted, said } = begin([SCOPE], 404)
  await fire('message', { data: { renew: 'https://push/old' } })
  t.equal(posted.length, 1)
  t.same(said, [], 'the page tries again when its owner is logged in')
})

t.test('a click on a message leaves alone what is open on other pages', async t => {
  const click = async (windows: string[], printer: string) => {
    const { fire, opened } = begin(windows)
    await fire('notificationclick', { notification: { data: { printer }, close () {} } })
    return opened
  }
  const address = `${SCOPE}printer?printer=x1c`
  t.same(await click([`${SCOPE}wall`, `${SCOPE}printer?printer=p1s`], 'x1c'), [`open ${address}`])
  t.same(await click([`${SCOPE}wall`, `${address}#files`], 'x1c'), [`focus ${address}#files`])
  t.same(await click([], ''), [`open ${SCOPE}`])
})
