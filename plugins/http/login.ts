import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preferencesOf, readPageFile, type Kernel } from '../../core/index.js'
import type { Access } from './access.js'
import { NoRoute } from './errors.js'
import { hostName, isLoopbackName } from './origin-check.js'
import { loginTexts, type LoginTexts } from './texts/index.js'

declare module 'prnd' {
  interface Events {
    /** A login with the token, successful or not. */
    'http:login': [login: { readonly name: string, readonly address: string, readonly ok: boolean }]
  }
}

const LOGIN = '/login'
const LOGOUT = '/logout'
/** Where a login with an external provider begins, and where browsers return to. */
export const FOREIGN_LOGIN = `${LOGIN}/openid`
export const FOREIGN_RETURN = `${FOREIGN_LOGIN}/callback`
/** Where the login page sends a passkey, and asks what the browser needs for it. */
export const PASSKEY_LOGIN = `${LOGIN}/passkey`
export const PASSKEY_OPTIONS = `${PASSKEY_LOGIN}/options`
/** Of the plugin for HTTPS. */
const ROOT = '/https/ca.crt'
const PAGES: ReadonlySet<string | undefined> = new Set(
  [LOGIN, LOGOUT, FOREIGN_LOGIN, FOREIGN_RETURN, PASSKEY_LOGIN, PASSKEY_OPTIONS])

let style: string | undefined
/** Inlined, because the files of pages require a login. */
const pageStyle = () => (style ??= readPageFile('http', 'tokens.css') + readPageFile('http', 'login.css'))
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = (script: string) => `default-src 'none'; style-src ${hashOf(pageStyle())}; ` +
  (script === '' ? '' : `script-src ${hashOf(script)}; connect-src 'self'; `) +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const TOO_LONG_BYTES = 10_000
const MOST_NAME = 64

type Fields = Readonly<Record<string, unknown>>

/** Pages that need no credentials, because they ask for them. */
export const isLoginPage = ({ routeOptions: { url } }: FastifyRequest): boolean => PAGES.has(url)

/** Redirects a browser to the login page. @returns false if the client is not a browser */
export function sendToLogin (request: FastifyRequest, reply: FastifyReply): boolean {
  const { method, url, headers: { accept = '' } } = request
  if (method !== 'GET' || !accept.includes('text/html')) return false
  reply.header('cache-control', 'no-store').redirect(`${LOGIN}?next=${encodeURIComponent(url)}`, 303)
  return true
}

/** Below these paths, errors are JSON even for browsers. */
const FOR_PROGRAMS = /^\/(?:api|mcp|metrics|plugins|livez|readyz)(?:\/|$)/

/** Sends a browser a page for 404. @returns false if the client is not a browser */
export function sendNoPage (request: FastifyRequest, reply: FastifyReply, path: string): boolean {
  const { method, headers: { accept = '' } } = request
  if (method !== 'GET' || !accept.includes('text/html') || FOR_PROGRAMS.test(path)) return false
  sendPage(request, reply.code(404), ({ nopage, home }) =>
    `<p>${nopage}</p><p><code>${escape(path)}</code></p><p><a href="/">${home}</a></p>`, undefined, 'nopage')
  return true
}

/** Accepts only paths on this server, to prevent open redirects; empty for anything else. */
export const placeOf = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])[\x21-\x7E]*$/.test(next) ? next : ''

/**
 * The pages for logging in and out.
 *
 * After a link from another site the browser does not send a `SameSite=Strict` cookie, even if the user is logged in.
 * The page therefore reloads itself once before it shows the form; the reload is a same-site request.
 */
export function serveLogin (app: FastifyInstance, access: Access, { events }: Pick<Kernel, 'events'>): void {
  takeForms(app)
  const schema = { hide: true }

  app.get(LOGIN, { schema, exposeHeadRoute: false }, (request, reply) => {
    if (!access.locked) throw new NoRoute('GET', LOGIN)
    const { next, asked } = request.query as Fields
    const place = placeOf(next)
    if (access.checkAccess(request.headers)) return place === '' ? sendPage(request, reply, loggedIn) : reply.redirect(place, 303)
    return sendPage(request, reply,
      texts => asked === undefined ? reloadPage(texts, place) : form(access, request, place), access)
  })

  app.post(LOGIN, { schema, bodyLimit: TOO_LONG_BYTES }, async (request, reply) => {
    const { next, name: given } = (request.body ?? {}) as Fields
    const place = placeOf(next)
    const waitS = access.typed.waitS(request.ip)
    if (waitS > 0) return sendWait(request, reply, place, waitS)
    const login = await loginOf(access, request)
    const { ip: address } = request
    const isToken = login === 'token' || (typeof login === 'object' && login.name === access.cookieName)
    if (isToken) events.emit('http:login', { name: 'token', address, ok: login !== 'token' })
    if (typeof login === 'string') {
      access.typed.count(address)
      request.log.warn({ address }, `wrong ${login} at the login page`)
      if (access.typed.waitS(address) > 0) request.log.error({ address }, `too many wrong ${login}s at the login page`)
      return sendPage(request, reply.code(401),
        texts => form(access, request, place, login === 'token' ? texts.wrong : wrongPasswordIn(texts, access), nameOf(given)), access)
    }
    const { name, value, seconds } = login
    return reply.header('set-cookie', loginCookie(request, name, value, seconds)).redirect(place === '' ? LOGIN : place, 303)
  })

  app.post(LOGOUT, { schema, bodyLimit: TOO_LONG_BYTES }, async (request, reply) => {
    const { people } = access
    const done = await Promise.allSettled([access.endPass(request.headers), people?.logOut(request.headers.cookie ?? '')])
    const names = [access.cookieName, ...(people ? [people.cookieName] : [])]
    reply.header('set-cookie', names.map(name => loginCookie(request, name, '', 0)))
    if (done.every(({ status }) => status === 'fulfilled')) return reply.redirect(LOGIN, 303)
    return sendPage(request, reply.code(503), ({ logoutNotStored }) => `<p role="alert">${logoutNotStored}</p>`, undefined, 'logout')
  })
}

interface LoginCookie { readonly name: string, readonly value: string, readonly seconds: number }

/** @returns the cookie, or which credential was wrong */
async function loginOf (access: Access, request: FastifyRequest): Promise<LoginCookie | 'token' | 'password'> {
  const { token, name, password } = (request.body ?? {}) as Fields
  const { people } = access
  const isPerson = people !== undefined && typeof name === 'string' && name !== '' && typeof password === 'string'
  if (!isPerson) return typeof token === 'string' && access.isToken(token) ? access.pass() : 'token'
  const login = await people.logIn(name, password, request.ip)
  return login ? { name: people.cookieName, ...login } : 'password'
}

/** The same for a wrong password and for one that is not enough: the answer must not confirm a password. */
const wrongPasswordIn = ({ wrongPassword, needsPasskey }: LoginTexts, { passkeys }: Access): string =>
  passkeys === undefined ? wrongPassword : needsPasskey

/** Secure if the client uses TLS, also through a proxy that terminates it. */
export const loginCookie = ({ protocol }: FastifyRequest, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${protocol === 'https' ? '; Secure' : ''}`

/** The stream servers have no form parser of their own. */
function takeForms (app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  if (app.hasContentTypeParser(type)) return
  app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: TOO_LONG_BYTES }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))))
}

const escape = (text: string) => text.replaceAll(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** As it was typed; longer ones are nobody's. */
const nameOf = (given: unknown): string => typeof given === 'string' && given.length <= MOST_NAME ? given : ''

const field = (name: string, label: string, type: string, complete: string, more = '') =>
  `<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" ` +
  `autocomplete="${complete}" required${more}>`

/**
 * Separate forms, so that browsers store passwords and the token separately.
 * @param name as it was typed before: only the password is to be typed again
 */
function form ({ people, passkeys, hasToken }: Access, request: FastifyRequest, next: string, wrong = '', name = ''): string {
  const { language } = preferencesOf(request.headers)
  const texts = loginTexts[language]
  const rest = `<input type="hidden" name="next" value="${escape(next)}"><button>${texts.login}</button>`
  const { hasPasswords = false, foreignLogin } = people ?? {}
  const byName = field('name', texts.name, 'text', 'username', name === '' ? ' autofocus' : ` value="${escape(name)}"`) +
    field('password', texts.password, 'password', 'current-password', name === '' ? '' : ' autofocus')
  const token = field('token', texts.needed, 'password', 'current-password', hasPasswords ? '' : ' autofocus')
  const asksToken = hasToken || !(hasPasswords || foreignLogin)
  const forms = [...(hasPasswords ? [byName] : []), ...(asksToken ? [token] : [])].map(fields =>
    `<form method="post" action="${LOGIN}">${fields}${rest}</form>`)
  const elsewhere = foreignLogin === undefined
    ? ''
    : `<a class="button" href="${escape(foreignLogin.address(request, next))}">${escape(foreignLogin.label(language))}</a>`
  const passkey = hasPasswords && isOffered(passkeys, request) ? passkeyButton(texts, next) : ''
  return `<span role="alert">${escape(wrong)}</span>${elsewhere}${passkey}${forms.join('')}`
}

const isOffered = (passkeys: Access['passkeys'], request: FastifyRequest): boolean => passkeys?.isOffered(request) === true

/** Shown by its script where the browser has passkeys. */
const passkeyButton = ({ passkey, passkeyFailed }: LoginTexts, next: string): string =>
  `<button id="passkey" class="alone second" type="button" hidden data-next="${escape(next === '' ? LOGIN : next)}" ` +
  `data-failed="${escape(passkeyFailed)}">${passkey}</button>`

/** Without a form, which would be refused; it comes back by itself when the time is over. */
const sendWait = (request: FastifyRequest, reply: FastifyReply, place: string, waitS: number) =>
  sendPage(request, reply.code(429).header('retry-after', waitS), texts => `<meta http-equiv="refresh" content="${waitS};url=${againAt(place)}">` +
    `<p role="alert">${texts.wait.replace('{seconds}', String(waitS))}</p>`)

/** For a login elsewhere: sends 429 after too many failures. @returns whether it did */
export function refuseGuesser (access: Access, request: FastifyRequest, reply: FastifyReply): boolean {
  const waitS = access.typed.waitS(request.ip)
  if (waitS > 0) sendWait(request, reply, '', waitS)
  return waitS > 0
}

/** The login page, with the reason why a login with an external provider failed. */
export const sendLoginAgain = (
  access: Access, request: FastifyRequest, reply: FastifyReply, next: string, wrong: string
) => sendPage(request, reply, () => form(access, request, next, wrong), access)

const loggedIn = (texts: LoginTexts) =>
  `<form method="post" action="${LOGOUT}"><p>${texts.done}</p><a class="button" href="/">${texts.home}</a>` +
  `<button class="second">${texts.logout}</button></form>`

/** The form itself. */
const againAt = (next: string): string => escape(`${LOGIN}?asked=1&next=${encodeURIComponent(next)}`)

function reloadPage ({ login }: LoginTexts, next: string): string {
  const address = againAt(next)
  return `<meta http-equiv="refresh" content="0;url=${address}"><p><a href="${address}">${login}</a></p>`
}

/** Uses the language and theme of the other pages. */
/** Passwords should not go over the network in the clear: leads to the encrypted page, if this service offers one. */
function offerEncryption (request: FastifyRequest, { encrypted, certificate }: LoginTexts): string {
  const { protocol, headers: { host = '' }, server, url } = request
  if (protocol === 'https' || isLoopbackName(hostName(host)) || !server.hasRoute({ method: 'GET', url: ROOT })) return ''
  return `<p class="encrypted"><a href="https://${escape(host)}${escape(url)}">${encrypted}</a> · <a href="${ROOT}">${certificate}</a></p>`
}

/** @param access of pages with forms, which may offer passkeys */
function sendPage (request: FastifyRequest, reply: FastifyReply, body: (texts: LoginTexts) => string,
  access?: Access, title: keyof LoginTexts = 'login') {
  const { language, theme } = preferencesOf(request.headers)
  const texts = loginTexts[language]
  const content = body(texts)
  const script = content.includes('<button id="passkey"') ? access?.passkeys?.script ?? '' : ''
  const offer = title === 'login' ? offerEncryption(request, texts) : ''
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
    .header('content-security-policy', policy(script)).header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .send(`<!doctype html><html lang="${language}" data-theme="${theme}"><head><meta charset="utf-8">` +
      `<title>prnd – ${texts[title]}</title><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<style>${pageStyle()}</style></head><body><main><h1>prnd</h1>${content}${offer}</main>` +
      `${script === '' ? '' : `<script>${script}</script>`}</body></html>`)
}
