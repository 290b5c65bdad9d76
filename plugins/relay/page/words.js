// Names of what passes through the relay, and what went wrong, in words.

import { t } from 'shell'

/** @type {Record<string, string>} */
const PROTOCOLS = { mqtt: 'MQTT', ftps: 'relay.protocol.files', camera: 'relay.protocol.camera', rtsps: 'relay.protocol.camera' }

/** @param {string} protocol @returns {string} */
export const protocolName = protocol => {
  const name = PROTOCOLS[protocol] ?? protocol
  return name.startsWith('relay.') ? t(name) : name
}

/** What the service says of a port: the words for it, with the port. @type {[RegExp, string][]} */
const CAUSES = [
  [/which printer this is\b.*?(?::(\d+))?$/, 'relay.problem.detect'],
  [/\b(?:EACCES|EPERM)\b.*?:(\d+)/, 'relay.problem.permission'],
  [/\bEADDRINUSE\b.*?:(\d+)/, 'relay.problem.used'],
  [/\bEADDRNOTAVAIL\b/, 'relay.problem.address'],
  [/has the access code of '/, 'relay.problem.code']
]

/** A problem of a port in words; those of others as they are. @param {string} reason */
export function problemWords (reason) {
  for (const [pattern, key] of CAUSES) {
    const found = pattern.exec(reason)
    if (found) return t(key, { port: found[1] ?? '' })
  }
  return reason
}

/** @param {unknown} error of a call @returns {string} */
export function failureText (error) {
  const { body, message } = /** @type {any} */ (error)
  switch (body?.error) {
    case 'relay_client_exists': return t('relay.problem.name')
    case 'relay_place_taken': {
      const [, printer = '', port = ''] = /^'(.*)' has \S+ port (\d+)/.exec(message) ?? []
      return t('relay.problem.taken', { printer, port })
    }
    case 'bad_input': return /^name must match/.test(message) ? t('relay.problem.signs') : t('relay.failed', { reason: message })
    case 'relay_not_opened': return problemWords(message)
    default: return t('relay.failed', { reason: message })
  }
}
