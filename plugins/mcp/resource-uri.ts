import type { Resource } from '../../core/index.js'

const PART = /\{[^}]+\}/
export const isTemplate = ({ uri }: Resource): boolean => PART.test(uri)
/** The address of one value of a template. */
export const expandUri = (uri: string, value: string): string => uri.replace(PART, () => encodeURIComponent(value))

/** The value of the template's variable in an address; empty for a plain match, undefined for no match. */
export function valueIn ({ uri: pattern }: Resource, uri: string): string | undefined {
  if (!PART.test(pattern)) return pattern === uri ? '' : undefined
  const [before = '', after = ''] = pattern.split(PART)
  if (!uri.startsWith(before) || !uri.endsWith(after) || uri.length <= before.length + after.length) return undefined
  const part = uri.slice(before.length, uri.length - after.length)
  if (part.includes('/')) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
