import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { blobOf, cut, formOf, post, wholeOf } from './post.js'
import { Server } from './read-secrets.js'
import { defineMessageTarget, type Message } from './types.js'

const MIB = 1024 * 1024
const MOST_TEXT = 4_096
const MOST_CAPTION = 1_024

/** Method of the Bot API, and its field for the file. */
const METHODS = {
  picture: { method: 'sendPhoto', file: 'photo' },
  clip: { method: 'sendVideo', file: 'video' }
} as const

/** Without `parse_mode`, because job names are not markup. */
function requestOf (message: Message, chat: string, thread: number | undefined): { method: string, body: FormData } {
  const { attachment } = message
  const to = { chat_id: chat, message_thread_id: thread?.toString() }
  if (attachment === undefined) {
    const text = cut(wholeOf(message), MOST_TEXT)
    return { method: 'sendMessage', body: formOf({ ...to, text, link_preview_options: '{"is_disabled":true}' }) }
  }
  const { method, file } = METHODS[attachment.kind]
  const body = formOf({ ...to, caption: cut(wholeOf(message), MOST_CAPTION) })
  body.set(file, blobOf(attachment), attachment.name)
  return { method, body }
}

export const telegram = defineMessageTarget({
  type: 'telegram',
  options: Type.Object({
    token: Secret('Token of the bot, from BotFather'),
    chat: Type.Union([Type.String({ minLength: 1 }), Type.Integer()], { description: 'Id of the chat, or `@channel`' }),
    thread: Type.Optional(Type.Integer({ description: 'Id of a topic in the group' })),
    server: Server('https://api.telegram.org')
  }),
  takes: { picture: 10 * MIB, clip: 50 * MIB },
  async create ({ token, chat, thread, server }, { address, secret }) {
    const base = await address(server, 'server')
    const bot = `bot${await secret(token, 'token')}`
    return (message, signal) => {
      const { method, body } = requestOf(message, String(chat), thread)
      const url = new URL(`./${bot}/${method}`, base.href.replace(/\/*$/, '/'))
      return post({ url, body, reason: text => JSON.parse(text).description }, signal)
    }
  }
})
