import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { blobOf, cut, formOf, post } from './post.js'
import { Server } from './read-secrets.js'
import { defineMessageTarget } from './types.js'

const MOST_TITLE = 250
const MOST_TEXT = 1_024
const MOST_BYTES = 5_000_000

const PRIORITIES = { high: '1', medium: '0', low: '-1' } as const

export const pushover = defineMessageTarget({
  type: 'pushover',
  options: Type.Object({
    token: Secret('API token of the application'),
    user: Secret('Key of the user or group'),
    device: Type.Optional(Type.String({ pattern: '^[\\w-]{1,25}$', description: 'Default: all' })),
    server: Server('https://api.pushover.net')
  }),
  takes: { picture: MOST_BYTES },
  async create ({ token, user, device, server }, { address, secret }) {
    const url = new URL('/1/messages.json', await address(server, 'server'))
    const login = { token: await secret(token, 'token'), user: await secret(user, 'user') }
    return ({ title, text, severity, at, attachment }, signal) => {
      const body = formOf({
        ...login,
        device,
        title: cut(title, MOST_TITLE),
        message: cut(text === '' ? title : text, MOST_TEXT),
        priority: PRIORITIES[severity],
        timestamp: String(Math.floor(Date.parse(at) / 1_000))
      })
      if (attachment) body.set('attachment', blobOf(attachment), attachment.name)
      return post({ url, body, reason: answer => JSON.parse(answer).errors[0] }, signal)
    }
  }
})
