import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { ask, localPass } from './people.js'

export const CLIENT = { id: 'prnd', secret: 'a-secret-of-the-client-0123456789' }
export type Account = Readonly<Record<string, unknown>>

async function listen (t: Test, server: Server, port = 0): Promise<number> {
  await new Promise<void>(resolve => { server.listen(port, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return (server.address() as AddressInfo).port
}

/** A server on loopback under another site's name than that of the service: browsers keep strict cookies back there. */
export async function serve (t: Test, answer: Parameters<typeof createServer>[1], port = 0) {
  const server = createServer(answer as never)
  const at = await listen(t, server, port)
  return {
    server,
    port: at,
    issuer: `http://localhost:${at}`,
    async close (): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => { server.close(resolve) })
    }
  }
}

/** The provider's own pages ask another host for a font, which no test may: the text keeps its length. */
function withoutFonts (response: ServerResponse): void {
  const end = response.end.bind(response) as (...parts: unknown[]) => never
  response.end = (body?: unknown, ...rest: unknown[]) =>
    end(typeof body === 'string' ? body.replaceAll(/@import[^;]+;/g, text => ' '.repeat(text.length)) : body, ...rest)
}

/** The package `oidc-provider`, with its own pages for login and consent, as it comes. */
export async function startProvider (t: Test, accounts: Readonly<Record<string, Account>>, more: object = {}) {
  const { Provider } = await import('oidc-provider')
  let callback: (request: never, response: never) => void = () => {}
  const asked: string[] = []
  const host = await serve(t, (request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    withoutFonts(response)
    callback(request as never, response as never)
  })
  const { warn, info } = console
  console.warn = console.info = () => {} // it says at length that its pages are for development
  const provider = new Provider(host.issuer, {
    clients: [{
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1:1/login/openid/callback']
    }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups', 'realm_access'] },
    findAccount: (_context: unknown, id: string) =>
      accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
    ...more
  } as never)
  Object.assign(console, { warn, info })
  // The port of the service is known later than the provider is made.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    /^http:\/\/127\.0\.0\.1:\d+\/login\/openid\/callback$/.test(uri)
  callback = provider.callback() as never
  return { ...host, provider, asked }
}

interface Kept { readonly host: string, readonly path: string, readonly strict: boolean, readonly value: string }
export interface Page { readonly status: number, readonly url: URL, readonly text: string }
interface Visit { readonly method?: string, readonly form?: Record<string, string>, readonly from?: URL }

/** What of a browser a login needs: cookies by host and path, strict ones kept back, redirects, forms and refreshes. */
export function createBrowser () {
  const cookies = new Map<string, Kept>()
  const visited: URL[] = []
  /** Where it is led elsewhere, or held up. */
  let detour: (url: URL) => URL = url => url

  function keep (url: URL, header: string): void {
    const [pair = '', ...rest] = header.split(/;\s*/)
    const [name = '', ...value] = pair.split('=')
    const of = (what: string) => rest.find(part => part.toLowerCase().startsWith(`${what}=`))?.split('=')[1]
    const path = of('path') ?? '/'
    const expired = of('max-age') === '0' || Date.parse(of('expires') ?? '9999-01-01') < Date.now()
    const key = `${url.hostname} ${path} ${name}`
    const strict = of('samesite')?.toLowerCase() === 'strict'
    if (expired) cookies.delete(key)
    else cookies.set(key, { host: url.hostname, path, strict, value: `${name}=${value.join('=')}` })
  }

  const isFor = ({ hostname, pathname }: URL, { host, path }: Kept) => host === hostname && pathname.startsWith(path)
  /** The first start is over in this browser: without it, a service without printers leads to it. */
  const cookiesFor = (url: URL, isSameSite: boolean) => ['prnd-welcome=done', ...[...cookies.values()]
    .filter(kept => isFor(url, kept) && (isSameSite || !kept.strict))
    .map(({ value }) => value)].join('; ')

  async function visit (to: URL, { method = 'GET', form, from }: Visit = {}): Promise<Page> {
    let url = detour(to)
    let isSameSite = from === undefined || from.hostname === url.hostname
    let body = form && new URLSearchParams(form)
    for (let count = 0; count < 20; count++) {
      visited.push(url)
      const response = await fetch(url, {
        method: count === 0 ? method : 'GET',
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: cookiesFor(url, isSameSite) },
        ...(body && { body })
      })
      body = undefined
      for (const header of response.headers.getSetCookie()) keep(url, header)
      const location = response.headers.get('location')
      if (location === null) return { status: response.status, url, text: await response.text() }
      await response.body?.cancel()
      const next = detour(new URL(location, url))
      if (next.hostname !== url.hostname) isSameSite = false
      url = next
    }
    throw new Error(`too many redirects: ${url.href}`)
  }

  /** Follows what a page does by itself. */
  async function settle (page: Page): Promise<Page> {
    const again = refreshOf(page)
    return again === undefined ? page : await settle(await visit(again, { from: page.url }))
  }

  return {
    visited,
    detourBy (change: typeof detour) { detour = change },
    open: async (address: string): Promise<Page> => await settle(await visit(new URL(address))),
    async click (page: Page, pattern: RegExp): Promise<Page> {
      const href = unescape(pattern.exec(page.text)?.[1] ?? '')
      return await settle(await visit(new URL(href, page.url), { from: page.url }))
    },
    async submit (page: Page, fields: Record<string, string> = {}): Promise<Page> {
      const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page.text) ?? []
      const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
        .map(([, name = '', value = '']) => [name, value])
      const form = { ...Object.fromEntries(hidden), ...fields }
      return await settle(await visit(new URL(unescape(action), page.url), { method: 'POST', form, from: page.url }))
    },
    cookiesOf: (host: string) => [...cookies.values()]
      .filter(kept => kept.host === host).map(({ value }) => value).join('; ')
  }
}

export type Browser = ReturnType<typeof createBrowser>

const unescape = (text: string) => text.replaceAll('&amp;', '&')
  .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

function refreshOf ({ text, url }: Page): URL | undefined {
  const [, to] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? []
  return to === undefined ? undefined : new URL(unescape(to), url)
}

/** From the button on the login page through the provider's pages. @returns where the browser ends */
export async function walk (browser: Browser, base: string, login: string, next = ''): Promise<Page> {
  const page = await browser.open(`${base}/login?asked=1&next=${encodeURIComponent(next)}`)
  const first = await browser.click(page, /<a class="button" href="([^"]+)"/)
  if (!first.url.href.includes('/interaction/')) return first
  const consent = await browser.submit(first, { login, password: 'any' })
  return consent.url.href.includes('/interaction/') ? await browser.submit(consent) : consent
}

/** A service on loopback whose people log in at this provider. */
export async function startService (t: Test, issuer: string, openid: object = {}, dependencies: object = {}) {
  const dataDir = testFolder(t)
  const file = join(dataDir, 'prnd.log')
  const secretFile = join(dataDir, 'secret')
  await writeFile(secretFile, `${CLIENT.secret}\n`)
  const { kernel } = await boot(t, {
    models: [],
    listen: true,
    dependencies,
    config: {
      dataDir,
      log: { file },
      api: { host: '127.0.0.1' },
      plugins: {
        people: {
          openid: {
            issuer,
            clientId: CLIENT.id,
            clientSecret: { file: secretFile },
            roleClaim: 'groups',
            roles: { 'prnd-admins': 'administrate', staff: 'operate' },
            ...openid
          }
        }
      }
    }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const me = async (cookie: string) => (await ask(kernel, 'GET', '/api/people/me', undefined, { cookie })).body
  const logged = () => readFile(file, 'utf8')
  return { kernel, base, me, logged, local: await localPass(kernel) }
}
