import { createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { BadConfig, Secret } from '../../../core/index.js'
import { fillTemplate, fillTemplates, templateProblem } from '../template.js'
import { documentOf } from './document.js'
import { post } from './post.js'
import { defineMessageTarget } from './types.js'

const MIB = 1024 * 1024
const PREFIX = 'whsec_'

/** A key in the format of Standard Webhooks, or any text. */
const keyOf = (secret: string): Buffer => secret.startsWith(PREFIX)
  ? Buffer.from(secret.slice(PREFIX.length), 'base64')
  : Buffer.from(secret)

/** Headers of Standard Webhooks, by which a receiver can verify the sender and the time and detect duplicates. */
function signed (id: string, at: number, body: string, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

export const webhook = defineMessageTarget({
  type: 'webhook',
  options: Type.Object({
    url: Secret('URL to post to'),
    secret: Type.Optional(Secret('Signs requests: `whsec_` with a key in Base64, or any text')),
    headers: Type.Optional(Type.Record(Type.String({ pattern: '^[\\w-]{1,64}$' }), Secret('Headers of the request'),
      { maxProperties: 16 })),
    body: Type.Optional(Type.Unknown({ description: 'Sent as JSON, with `{{…}}`; a text is sent as it is' }))
  }),
  takes: { picture: 2 * MIB },
  async create ({ url, secret, headers = {}, body }, { address, secret: read, where, now }) {
    const problem = templateProblem(body)
    if (problem !== undefined) throw new BadConfig(`${where}.body: ${problem}`)
    const to = await address(url, 'url')
    const key = secret === undefined ? undefined : await read(secret, 'secret')
    const own = Object.fromEntries(await Promise.all(Object.entries(headers).map(async ([name, value]) =>
      [name.toLowerCase(), await read(value, `headers.${name}`)] as const)))
    return async (message, signal) => {
      const isText = typeof body === 'string'
      const text = isText
        ? fillTemplate(body, message)
        : JSON.stringify(body === undefined ? documentOf(message) : fillTemplates(body, message))
      await post({
        url: to,
        body: text,
        headers: {
          'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
          ...own,
          ...signed(message.id, now(), text, key)
        }
      }, signal)
    }
  }
})
