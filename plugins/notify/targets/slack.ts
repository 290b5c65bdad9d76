import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { cut, post, wholeOf } from './post.js'
import { defineMessageTarget } from './types.js'

const MOST_TEXT = 3_000

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Prevents links and mentions such as `<!channel>`. */
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, sign => ENTITIES[sign] ?? '')

/** Incoming webhooks do not support files. */
export const slack = defineMessageTarget({
  type: 'slack',
  options: Type.Object({ url: Secret('URL of the incoming webhook') }),
  async create ({ url }, { address }) {
    const to = await address(url, 'url')
    return (message, signal) => post({
      url: to,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: escaped(cut(wholeOf(message), MOST_TEXT)), mrkdwn: false }),
      reason: body => body
    }, signal)
  }
})
