// What is wrong with a printer or its data, in words, and the field that it is about.

import { hasText, t } from 'shell'

/** The words for a problem, else the reason of the service.
 * @param {string | undefined} problem @param {string} [reason] @param {string} [field] */
export const problemText = (problem, reason = '', field = '') => {
  const own = [`printers.problem.${problem}.${field}`, `printers.problem.${problem}`].find(hasText)
  return own === undefined ? reason : t(own)
}

/** True if the caller may not set the service up. @param {any} error */
export const isForbidden = error => ['trusted_only', 'role_too_low', 'all_printers_only'].includes(error.body?.error)

/**
 * The failure of a call as a form shows it.
 * @param {any} error @returns {{ field: string, text: string, problem: string }} field is empty for the whole form
 */
export function failureOf (error) {
  const { field = '', problem = '' } = error.body ?? {}
  if (isForbidden(error)) return { field: '', problem: '', text: t('printers.forbidden') }
  return { field, problem, text: problemText(problem, t('printers.failed', { reason: error.message }), field) }
}

/** True if the printer was stored, although it cannot be reached now. @param {any} error */
export const isStoredOffline = error => ['saved_offline', 'updated_offline'].includes(error.body?.error)
