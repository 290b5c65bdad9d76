// Who asked for something, in words.

import { hasText, t } from './shell.js'

const wordOf = name => hasText(`caller.${name}`) ? t(`caller.${name}`) : name

/**
 * Who asked for something, as a person says it: a user's name, or from where somebody without a login came.
 * @param {string} by such as `http (local)`, `mcp (ann)`, `queue` or `elsewhere`
 */
export function callerName (by) {
  const [, surface, caller = ''] = /^([\w-]+) \((.+)\)$/.exec(by) ?? []
  if (surface === undefined) return wordOf(by)
  return surface === 'mcp' ? t('caller.agent', { who: wordOf(caller) }) : wordOf(caller)
}
