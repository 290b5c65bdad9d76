import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { cut, post } from './post.js'
import { Server } from './read-secrets.js'
import { defineMessageTarget, type Message } from './types.js'

const MIB = 1024 * 1024
const MOST_TITLE = 250
/** Bytes; ntfy turns longer text into an attachment. */
const MOST_TEXT = 1_000

const PRIORITIES = { high: '4', medium: '3', low: '2' } as const

/** Headers are ASCII only, so text is encoded as in RFC 2047. */
const encoded = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

function headersOf ({ id, title, severity, attachment, text }: Message): Record<string, string> {
  return {
    'x-title': encoded(cut(title, MOST_TITLE)),
    'x-priority': PRIORITIES[severity],
    'x-sequence-id': id.replaceAll(/[^\w-]/g, '-').slice(0, 64), // a duplicate replaces the first
    ...(attachment && { 'x-filename': attachment.name, 'x-message': encoded(cut(text, MOST_TEXT)) })
  }
}

export const ntfy = defineMessageTarget({
  type: 'ntfy',
  options: Type.Object({
    server: Server('https://ntfy.sh'),
    topic: Secret('Anyone who knows it can read your messages'),
    token: Type.Optional(Secret('Access token, `tk_…`'))
  }),
  takes: { picture: 2 * MIB, clip: 15 * MIB },
  async create ({ server, topic, token }, { address, secret }) {
    const base = await address(server, 'server')
    const url = new URL(`./${encodeURIComponent(await secret(topic, 'topic'))}`, base.href.replace(/\/*$/, '/'))
    const login = token === undefined ? {} : { authorization: `Bearer ${await secret(token, 'token')}` }
    return (message, signal) => post({
      url,
      headers: { ...login, ...headersOf(message) },
      body: message.attachment?.bytes ?? (message.text === '' ? message.title : cut(message.text, MOST_TEXT)),
      reason: body => JSON.parse(body).error
    }, signal)
  }
})
