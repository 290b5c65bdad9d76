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

/** Who somebody is whose name is not known. */
const NAMELESS = ['local', 'network', 'token']

/** How somebody's request came: users log in on a page, and keys are for programs; of others it is not known. */
function wayOf (who, face) {
  if (face !== 'http') return face
  return /^(key|grant) /.test(who) ? 'api' : NAMELESS.includes(who) ? '' : 'page'
}

/**
 * Who did something and by which way, as the audit log has it.
 * @param {string} who @param {string} face such as `http`, `mcp` or the name of a plugin
 */
export function actorName (who, face) {
  const way = wayOf(who, face)
  const by = hasText(`caller.by.${way}`) ? t(`caller.by.${way}`) : callerName(way)
  const named = NAMELESS.includes(who) ? t(`caller.${who}`) : who
  return [named !== 'service' && named, by].filter(Boolean).join(' · ')
}
