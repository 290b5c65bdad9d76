import { XMLParser } from 'fast-xml-parser'
import { MOST_ATTRIBUTES, MOST_TAGS, MOST_WORDS } from '../limits.js'

/** An element: attributes by `@name`, children by tag, each child as a list. */
export interface Element { readonly [name: string]: string | readonly Element[] | undefined }

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  processEntities: false,
  maxNestedTags: 32
})

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const LAST_CODE_POINT = 0x10FFFF

function resolve (whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMED[name] ?? whole
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10)
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole
}

/** Resolves the five predefined entities and numeric characters. */
export const unescapeXml = (text: string): string => text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, resolve)

const [TAG, EQUALS, SPACE] = ['<', '=', ' '].map(character => character.charCodeAt(0)) as [number, number, number]

/** Checks the limits on the raw text, because parsing takes far longer. */
function isTooMuch (text: string): boolean {
  let [tags, attributes, words] = [0, 0, 0]
  let blank = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === TAG) tags++
    if (code === EQUALS) attributes++
    if (blank && code > SPACE) words++
    blank = code <= SPACE
  }
  return tags > MOST_TAGS || attributes > MOST_ATTRIBUTES || words > MOST_WORDS
}

/**
 * Parses a slicer's document. Documents that declare entities or a document type are refused.
 * @returns undefined for what cannot be read
 */
export function parseXml (text: string): Element | undefined {
  if (/<!(DOCTYPE|ENTITY)/i.test(text) || isTooMuch(text)) return undefined
  try {
    return parser.parse(text.replace(/^\uFEFF/, '')) as Element
  } catch {
    return undefined
  }
}

export function childrenOf (element: Element | undefined, name: string): readonly Element[] {
  const found = element?.[name]
  return Array.isArray(found) ? found.filter(child => typeof child === 'object' && child !== null) : []
}

export function attributeOf (element: Element, name: string): string | undefined {
  const value = element[`@${name}`]
  return typeof value === 'string' ? unescapeXml(value) : undefined
}

/** The `metadata` of an element, by key. */
export const metadataOf = (element: Element): ReadonlyMap<string, string> =>
  new Map(childrenOf(element, 'metadata').map(item => [attributeOf(item, 'key') ?? '', attributeOf(item, 'value') ?? '']))
