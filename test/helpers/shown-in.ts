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

/** Each component is called once, so that one with a state can be drawn again. */
function read (node: unknown): { shown: Shown[], text: string } {
  if (Array.isArray(node)) {
    const parts = node.map(read)
    return { shown: parts.flatMap(({ shown }) => shown), text: parts.map(({ text }) => text).join('') }
  }
  if (!isNode(node)) return { shown: [], text: typeof node === 'string' || typeof node === 'number' ? String(node) : '' }
  const { type, props } = node
  const { shown, text } = read(contentOf(node))
  return { shown: typeof type === 'string' ? [{ name: type, props, text }, ...shown] : shown, text }
}

/** @param node what a component returned */
export const shownIn = (node: unknown): Shown[] => read(node).shown

type Work = () => (() => void) | undefined
interface Effect { given?: readonly unknown[] | undefined, end?: (() => void) | undefined }

/**
 * State of components that are drawn again and again, as far as they call no more and no fewer hooks each time.
 * @param options `effects`: run them after each drawing, as their dependencies say
 */
export function createHooks ({ effects = false } = {}) {
  const states: unknown[] = []
  let due: (() => void)[] = []
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
    useCallback: (given: unknown) => given,
    useEffect (work: Work, given?: readonly unknown[]) {
      if (!effects) return
      const effect = states[slot(() => ({}))] as Effect
      if (given !== undefined && effect.given?.every((one, which) => Object.is(one, given[which])) === true) return
      effect.given = given
      due.push(() => { effect.end?.(); effect.end = work() })
    },
    useLayoutEffect: () => {},
    useMemo: (make: () => unknown) => make(),
    /** What a component shows now. */
    draw (component: (props: any) => unknown, props: object): Shown[] {
      at = 0
      const shown = shownIn(component(props))
      const work = due
      due = []
      for (const run of work) run()
      return shown
    }
  }
}
