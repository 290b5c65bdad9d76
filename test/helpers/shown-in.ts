import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
/** Without its types, which are those of a browser. */
const { h } = load('preact') as { h: (...parts: unknown[]) => unknown }
const htm = load('htm') as { bind: (make: typeof h) => unknown }

interface Node { readonly type: unknown, readonly props: Readonly<Record<string, any>> }

/** What pages that use Preact import as `components`, for `pageModules`. */
export const components = { html: htm.bind(h), Icon: () => null, Dialog: 'dialog' }

/** What a component without effects shows: all elements in it, with their attributes and texts. */
export interface Shown { readonly name: string, readonly props: Readonly<Record<string, any>>, readonly text: string }

const isNode = (given: unknown): given is Node => typeof given === 'object' && given !== null && 'props' in given

const contentOf = ({ type, props }: Node): unknown =>
  typeof type === 'function' ? (type as (props: unknown) => unknown)(props) : props.children

function textOf (node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  return isNode(node) ? textOf(contentOf(node)) : ''
}

/** @param node what a component returned */
export function shownIn (node: unknown): Shown[] {
  if (Array.isArray(node)) return node.flatMap(shownIn)
  if (!isNode(node)) return []
  const { type, props } = node
  const inside = shownIn(contentOf(node))
  return typeof type === 'string' ? [{ name: type, props, text: textOf(node) }, ...inside] : inside
}

/** State of components that are drawn again and again, as far as they call no more and no fewer hooks each time. */
export function createHooks () {
  const states: unknown[] = []
  let at = 0
  const slot = (first: () => unknown): number => {
    const own = at++
    if (!(own in states)) states[own] = first()
    return own
  }
  return {
    useState (first: unknown) {
      const own = slot(() => typeof first === 'function' ? first() : first)
      return [states[own], (next: unknown) => { states[own] = typeof next === 'function' ? next(states[own]) : next }]
    },
    useRef: (current: unknown) => states[slot(() => ({ current }))],
    useEffect: () => {},
    useLayoutEffect: () => {},
    useMemo: (make: () => unknown) => make(),
    /** What a component shows now. */
    draw (component: (props: any) => unknown, props: object): Shown[] {
      at = 0
      return shownIn(component(props))
    }
  }
}
