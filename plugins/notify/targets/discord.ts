import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { blobOf, cut, formOf, post } from './post.js'
import { defineMessageTarget, type Message } from './types.js'

const MIB = 1024 * 1024
const MOST_TITLE = 250
const MOST_TEXT = 1_500

/** Job names are not markup. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`)

const contentOf = ({ title, text }: Message): string =>
  `**${escaped(cut(title, MOST_TITLE))}**${text === '' ? '' : `\n${escaped(cut(text, MOST_TEXT / 2))}`}`

export const discord = defineMessageTarget({
  type: 'discord',
  options: Type.Object({ url: Secret('URL of the webhook, from the settings of the channel') }),
  takes: { picture: 8 * MIB, clip: 8 * MIB },
  async create ({ url }, { address }) {
    const to = await address(url, 'url')
    return (message, signal) => {
      // Prevents mentions in the text.
      const body = formOf({
        payload_json: JSON.stringify({ content: contentOf(message), allowed_mentions: { parse: [] } })
      })
      if (message.attachment) body.set('files[0]', blobOf(message.attachment), message.attachment.name)
      return post({ url: to, body, reason: text => JSON.parse(text).message }, signal)
    }
  }
})
