/** Elements, attributes and texts of a drawing; throws where it is not well-formed. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
const ENTITY = /&(?!(amp|lt|gt|quot|#\d+);)/
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Surrogate}/u

const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const attributesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)]))

export function readSvg (source: string): Element {
  if (ENTITY.test(source) || FORBIDDEN.test(source)) throw new Error('a character that XML does not allow')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let at = 0
  for (const match of source.matchAll(TOKEN)) {
    const [whole, closing, name, attributes = '', single, text] = match
    const parent = open.at(-1)
    if (match.index !== at || !parent) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 60)}`)
    at += whole.length
    if (text !== undefined) parent.text += plain(text)
    else if (closing !== '') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
    } else {
      const element = { name: name ?? '', attributes: attributesOf(attributes), children: [], text: '' }
      parent.children.push(element)
      if (single === '') open.push(element)
    }
  }
  if (at !== source.length || open.length !== 1) throw new Error(`not well-formed at ${at}`)
  const [svg] = root.children
  if (root.children.length !== 1 || !svg) throw new Error('not one element')
  return svg
}

/** All elements of a name, in order. */
export const all = (element: Element, name: string): Element[] =>
  element.children.flatMap(child => [...child.name === name ? [child] : [], ...all(child, name)])

/** Everything that is written in an element, its parts joined. */
export const textOf = (element: Element): string => element.text + element.children.map(textOf).join('')

/** The lines of text in a drawing. */
export const texts = (svg: Element): string[] => all(svg, 'text').map(textOf)

/** Elements that have a class. */
export const withClass = (svg: Element, name: string, className: string): Element[] =>
  all(svg, name).filter(({ attributes }) => attributes.class?.split(' ').includes(className))

export const descOf = (svg: Element): string => textOf(all(svg, 'desc')[0] ?? svg)

/** Number of separate strokes of a path. */
export const strokes = ({ attributes }: Element): number => attributes.d?.match(/M/g)?.length ?? 0
/** Number of points of a path. */
export const points = ({ attributes }: Element): number => attributes.d?.match(/[Mlhv]/g)?.length ?? 0
