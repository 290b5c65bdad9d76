import type { Message } from './types.js'

/** The JSON document of a message, for programs. */
export const documentOf = ({ id, title, text, printer, alert, severity, at, payload, attachment }: Message) => ({
  id,
  alert,
  printer,
  severity,
  at,
  title,
  text,
  payload,
  ...(attachment && {
    attachment: { name: attachment.name, type: attachment.type, base64: attachment.bytes.toString('base64') }
  })
})
