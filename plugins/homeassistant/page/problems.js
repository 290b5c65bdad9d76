// What is wrong with the broker or its data, in words, and the field that it is about.

import { hasText, t } from 'shell'

/** The field beside which each cause is shown; none: the whole form. @type {Record<string, string>} */
const FIELDS = {
  required: 'host',
  login: 'password',
  host: 'host',
  refused: 'port',
  silent: 'host',
  ended: 'port',
  tls: 'tls',
  untrusted: 'tls',
  expired: 'tls',
  wrong_name: 'tls'
}

/** @param {{ cause: string, reason: string }} problem @returns {string} */
export const problemText = ({ cause, reason }) =>
  t(hasText(`homeassistant.problem.${cause}`) ? `homeassistant.problem.${cause}` : 'homeassistant.problem.other', { reason })

/** @param {{ cause: string, reason: string }} problem @returns {{ field: string, text: string }} */
export const failureOf = problem => ({ field: FIELDS[problem.cause] ?? '', text: problemText(problem) })

/** A refused call: its reason begins with the name of the field. @param {string} reason */
export function refusalOf (reason) {
  const [, field = ''] = /^(?:input\.|body\.)?(\w+)\b/.exec(reason) ?? []
  if (field === 'password') return { field, text: t('homeassistant.problem.again') }
  if (field.endsWith('Prefix')) return { field, text: t('homeassistant.problem.prefix') }
  return { field: ['host', 'port', 'ca', 'username'].includes(field) ? field : '', text: t('homeassistant.failed', { reason }) }
}
