import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { PlugBroker } from '../../../plugins/energy/link/plug-link.js'

/** What a stand-in plug does; change it while it runs. */
export interface Plug {
  isOn: boolean
  watts: number
  /** Its counter, Wh. */
  wh: number
  /** It obeys commands. */
  obeys: boolean
  /** It says the opposite of its relay. */
  lies: boolean
  /** It accepts connections and answers nothing. */
  isSilent: boolean
  /** Sent in place of every answer. */
  instead: string | undefined
  /** What it was asked, without a query's login. */
  readonly asked: string[]
  readonly host: string
  readonly port: number
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

type Answer = (plug: Plug, request: IncomingMessage, response: ServerResponse) => void

async function serve (t: Test, answer: Answer): Promise<Plug> {
  const server = createServer((request, response) => {
    plug.asked.push(`${request.method} ${request.url}`)
    if (plug.isSilent) return
    if (plug.instead === undefined) answer(plug, request, response)
    else response.end(plug.instead)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const plug: Plug = {
    isOn: true, watts: 0, wh: 0, obeys: true, lies: false, isSilent: false, instead: undefined, asked: [], host: `127.0.0.1:${port}`, port
  }
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return plug
}

const json = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const turn = (plug: Plug, isOn: boolean) => { if (plug.obeys) plug.isOn = isOn }
const said = (plug: Plug) => plug.lies ? !plug.isOn : plug.isOn

/** A Shelly of the second generation. @param password with a login by digest */
export const shelly2 = (t: Test, password?: string) => serve(t, (plug, request, response) => {
  const url = new URL(request.url ?? '', 'http://plug')
  if (url.pathname === '/shelly') return json(response, { id: 'shellyplusplugs-aabbcc', gen: 2, auth_en: password !== undefined })
  if (password !== undefined) {
    const { authorization = '' } = request.headers
    const of = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(authorization)?.[1] ?? ''
    const secret = sha256(`admin:shellyplusplugs-aabbcc:${password}`)
    const expected = sha256(`${secret}:61:${of('nc')}:${of('cnonce')}:auth:${sha256(`GET:${request.url}`)}`)
    if (of('response') !== expected) {
      response.writeHead(401, {
        'www-authenticate': 'Digest qop="auth", realm="shellyplusplugs-aabbcc", nonce="61", algorithm=SHA-256'
      }).end()
      return undefined
    }
  }
  if (url.pathname === '/rpc/Switch.Set') {
    const before = plug.isOn
    turn(plug, url.searchParams.get('on') === 'true')
    return json(response, { was_on: before })
  }
  const aenergy = { total: plug.wh, by_minute: [0, 0, 0] }
  return json(response, { id: 0, output: said(plug), apower: plug.watts, voltage: 230, aenergy })
})

/** A Shelly of the first generation. */
export const shelly1 = (t: Test) => serve(t, (plug, request, response) => {
  const url = new URL(request.url ?? '', 'http://plug')
  if (url.pathname === '/shelly') return json(response, { type: 'SHPLG-S', mac: 'AABBCC', auth: false })
  if (url.pathname === '/relay/0') {
    turn(plug, url.searchParams.get('turn') === 'on')
    return json(response, { ison: said(plug) })
  }
  const meters = [{ power: plug.watts, is_valid: true, total: plug.wh * 60 }]
  return json(response, { relays: [{ ison: said(plug) }], meters })
})

export const tasmota = (t: Test) => serve(t, (plug, request, response) => {
  const command = new URL(request.url ?? '', 'http://plug').searchParams.get('cmnd') ?? ''
  const power = () => said(plug) ? 'ON' : 'OFF'
  if (command.startsWith('Power1 ')) {
    turn(plug, command.endsWith('On'))
    return json(response, { POWER: power() })
  }
  return json(response, {
    Status: { Power: 1 },
    StatusSNS: { ENERGY: { Total: plug.wh / 1_000, Power: plug.watts, Today: 0.1 } },
    StatusSTS: { POWER: power() }
  })
})

const matches = (filter: string, topic: string) => {
  const [wanted, given] = [filter.split('/'), topic.split('/')]
  return wanted.length === given.length && wanted.every((level, at) => level === '+' || level === given[at])
}

/** A broker of the service in memory. */
export function memoryBroker () {
  const listeners = new Set<[filter: string, listener: Parameters<PlugBroker['subscribe']>[1]]>()
  const published: { topic: string, text: string }[] = []
  const state = { isConnected: true }
  const broker: PlugBroker = {
    get isSetUp () { return true },
    get isConnected () { return state.isConnected },
    subscribe (filter, listener) {
      const entry: [string, typeof listener] = [filter, listener]
      listeners.add(entry)
      return () => { listeners.delete(entry) }
    },
    async publish (topic, text) {
      published.push({ topic, text })
      say(topic, text)
    }
  }
  function say (topic: string, text: string, isRetained = false): void {
    for (const [filter, listener] of [...listeners]) {
      if (matches(filter, topic)) listener({ topic, payload: Buffer.from(text), isRetained })
    }
  }
  return { broker, state, published, say, filters: () => [...listeners].map(([filter]) => filter) }
}
