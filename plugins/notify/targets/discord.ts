import { Type } from 'typebox'
import { Secret } from '../../../core/index.js'
import { blobOf, formOf, post } from './post.js'
import { defineMessageTarget, type Message } from './types.js'

const MIB = 1024 * 1024
/** Of 2,000 characters in all. */
const MOST_TITLE = 400
const MOST_TEXT = 1_500

/** Job names are not markup. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`)

/** With its markup escaped, which may double its length, and cut between two characters. */
function fitted (text: string, most: number): string {
  const whole = escaped(text)
  if (whole.length <= most) return whole
  let begun = ''
  for (const character of text) {
    const next = escaped(character)
    if (begun.length + next.length >= most) break
    begun += next
  }
  return `${begun}…`
}

const contentOf = ({ title, text }: Message): string =>
  `**${fitted(title, MOST_TITLE)}**${text === '' ? '' : `\n${fitted(text, MOST_TEXT)}`}`

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
