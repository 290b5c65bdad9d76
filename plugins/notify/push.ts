// Web Push: messages to browsers, which the browser shows even while no page is open.

import { join } from 'node:path'
import { Type } from 'typebox'
import { BadConfig, openJsonStore, privateFolder, Secret } from '../../core/index.js'
import { cut, post } from './targets/post.js'
import { defineMessageTarget, NotDelivered, type Message, type MessageTargetKind } from './targets/types.js'

export const PUSH = 'push'

/** The key pair that tells push services who sends. Subscriptions of browsers belong to its public key. */
export interface VapidKeys { readonly publicKey: string, readonly privateKey: string }

const Keys = Type.Object({ version: Type.Literal(1), publicKey: Type.String(), privateKey: Type.String() })
const NONE = { version: 1, publicKey: '', privateKey: '' } as const

/** Reads the keys of a data folder. They are made at first use, and stored with the other secrets. */
export function vapidKeysOf (dataDir: string, warn: (message: string) => void): () => Promise<VapidKeys> {
  async function open (): Promise<VapidKeys> {
    const path = join(await privateFolder(dataDir, 'secrets'), 'push.json')
    const store = await openJsonStore(path, { schema: Keys, initial: NONE, warn })
    if (store.get().publicKey === '') {
      const { default: webPush } = await import('web-push')
      await store.set({ version: 1, ...webPush.generateVAPIDKeys() })
    }
    return store.get()
  }
  let opening: Promise<VapidKeys> | undefined
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
}

/** Hosts of the push services of Chrome, Firefox, Edge and Safari. */
const SERVICES = [
  /^fcm\.googleapis\.com$/, /\.push\.services\.mozilla\.com$/, /\.notify\.windows\.com$/, /\.push\.apple\.com$/
]

/** Only push services are called: a subscription must not be a way to make the service call other addresses. */
function isService ({ protocol, hostname, port, host, username }: URL, more: readonly string[]): boolean {
  if (protocol !== 'https:' || username !== '') return false
  const isKnown = SERVICES.some(service => service.test(hostname))
  return (isKnown && port === '') || more.includes(host)
}

/** The problem of a target whose browser has ended its subscription. */
export const DEVICE_GONE =
  'the device no longer accepts messages: open the page of messages on it and register it again, or remove it'

class DeviceGone extends NotDelivered {
  constructor () { super(DEVICE_GONE, { final: true }) }
}

const DAY_S = 86_400
/** A message may have 4,096 bytes, encrypted; a character of Chinese takes three. */
const MOST_TITLE = 120
const MOST_TEXT = 800
const URGENCIES = { high: 'high', medium: 'normal', low: 'normal' } as const
const GONE: ReadonlySet<number | undefined> = new Set([404, 410])

/** What the service worker shows. */
const payloadOf = ({ id, title, text, printer }: Message): string =>
  JSON.stringify({ id, title: cut(title, MOST_TITLE), text: cut(text, MOST_TEXT), printer })

export interface PushOptions {
  readonly vapid: () => Promise<VapidKeys>
  /** Where push services can reach the operator: an https or mailto address. */
  readonly contact: string
  /** Hosts of further push services. */
  readonly services: readonly string[]
}

/** Browsers that have subscribed. This kind is not in the configuration, because only a browser can subscribe. */
export const createPushKind = ({ vapid, contact, services }: PushOptions): MessageTargetKind => defineMessageTarget({
  type: PUSH,
  options: Type.Object({
    endpoint: Secret('Address of the subscription'),
    p256dh: Secret('Public key of the browser'),
    auth: Secret('Secret of the browser')
  }),
  async create (options, { secret, where }) {
    const endpoint = await secret(options.endpoint, 'endpoint')
    const keys = { p256dh: await secret(options.p256dh, 'p256dh'), auth: await secret(options.auth, 'auth') }
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
    if (url === undefined || !isService(url, services)) {
      throw new BadConfig(`${where}.endpoint must be an https address of a known push service`)
    }
    return async (message, signal) => {
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, payloadOf(message), {
        vapidDetails: { subject: contact, ...await ownKeys(vapid) }, TTL: DAY_S, urgency: URGENCIES[message.severity]
      })
      const { 'Content-Length': _length, ...sent } = headers as Record<string, string | number>
      const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
      await post({ url, headers: texts, body }, signal).catch((error: unknown) => {
        throw error instanceof NotDelivered && GONE.has(error.status) ? new DeviceGone() : error
      })
    }
  }
})

async function ownKeys (vapid: () => Promise<VapidKeys>): Promise<VapidKeys> {
  const { publicKey, privateKey } = await vapid()
  return { publicKey, privateKey }
}
