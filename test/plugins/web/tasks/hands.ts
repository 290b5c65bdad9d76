import type { Locator, Page } from 'playwright-core'
import { read } from '../desk.js'

/** More elements than any page has that take the focus. */
const MOST_TABS = 300
/** A field for a date or a time holds the focus for each of its parts. */
const MOST_PARTS = 7

/**
 * How a person does something; each call is one action. Moving the focus is none, as moving a pointer is none, and
 * neither is dropping the file that a task begins with.
 */
export interface Hands {
  readonly by: 'mouse' | 'keyboard'
  readonly actions: number
  /** What would stop a person who has no mouse. */
  readonly faults: readonly string[]
  /** Opens a page of the rail. */
  open (title: string): Promise<void>
  press (target: Locator): Promise<void>
  /** Presses what opens a dialogue. */
  ask (target: Locator): Promise<void>
  write (target: Locator, text: string): Promise<void>
  /** @param day such as 2026-11-24 */
  date (target: Locator, day: string): Promise<void>
  /** Goes once through all that takes the focus: nothing holds it. */
  goRound (): Promise<void>
}

export const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })
export const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const railLink = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: new RegExp(`^${title}`) })

export function mouse (page: Page): Hands {
  let actions = 0
  const act = async (work: Promise<unknown>) => {
    actions++
    await work
  }
  return {
    by: 'mouse',
    faults: [],
    get actions () { return actions },
    open: title => act(railLink(page, title).click()),
    press: target => act(target.click()),
    ask: target => act(target.click()),
    write: (target, text) => act(target.fill(text)),
    date: (target, day) => act(target.fill(day)),
    goRound: async () => {}
  }
}

/** Where the focus is, and what a person would miss there. */
interface Focus {
  readonly name: string
  /** What is wrong; empty if the focus can be seen. */
  readonly fault: string
  readonly isNowhere: boolean
  /** Whether it has not moved since the last look. */
  readonly isSame: boolean
  readonly isThere: boolean
  /** The page has taken away where it is wanted. */
  readonly isGone: boolean
}

/** Runs in the page, where the compiler knows nothing of documents. @param target where the focus is wanted */
function focusOf (target: unknown): Focus {
  const { document, getComputedStyle, innerWidth, innerHeight, known } = globalThis as any
  const one = document.activeElement
  Object.assign(globalThis, { known: one })
  const isNowhere = one === null || one === document.body
  const isGone = (target as any)?.isConnected === false
  const at = { name: '', fault: '', isNowhere, isSame: one === known, isThere: one === target, isGone }
  if (isNowhere) return at
  const around = [one, one.closest('label'), one.nextElementSibling].filter(Boolean)
  const isMarked = around.some(part => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  })
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const isInSight = [[x, y], [left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3]].some(point => {
    const upper = document.elementFromPoint(...point)
    // A message at the foot goes by itself.
    return upper !== null && (around.some(part => part.contains(upper)) || upper.contains(one) || upper.closest('.saying') !== null)
  })
  const isOutside = right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight
  // Within a field for a date the focus goes to its parts, which the browser marks itself.
  const isPart = at.isSame && /date|time/.test(one.type)
  const fault = !isMarked && !isPart ? 'is not marked' : isOutside ? 'is out of sight' : isInSight ? '' : 'is covered'
  return { ...at, fault, name: fault === '' ? '' : one.outerHTML.slice(0, 160) }
}

const isTicked = (one: any): boolean => /checkbox|radio/.test(one.type) || one.role === 'switch'

class Keyboard implements Hands {
  readonly by = 'keyboard'
  readonly #page: Page
  readonly #faults: string[] = []
  #actions = 0
  /** What was done last, for a focus that is lost by it. */
  #last = ''

  constructor (page: Page) { this.#page = page }

  get actions () { return this.#actions }
  get faults (): readonly string[] { return this.#faults }

  async open (title: string) {
    const key = await read<string | undefined>(this.#page,
      `JSON.parse(document.getElementById('shell-data').textContent).links.find(link => link.title === '${title}')?.key`)
    if (key === undefined) return await this.press(railLink(this.#page, title))
    await this.#strike('g', title)
    await this.#page.keyboard.press(key)
  }

  async press (target: Locator) {
    await this.#reach(target)
    await this.#strike(await target.evaluate(isTicked) ? 'Space' : 'Enter', String(target))
  }

  async ask (target: Locator) {
    await this.press(target)
    const asked = dialog(this.#page)
    await asked.waitFor()
    const element = await asked.elementHandle()
    await this.#page.keyboard.press('Escape')
    await this.#page.waitForFunction((one: any) => !one.isConnected, element)
    if (!(await target.evaluate(focusOf)).isThere) this.#faults.push(`Escape does not lead back to ${String(target)}`)
    await this.#reach(target)
    await this.#page.keyboard.press('Enter')
    await asked.waitFor()
  }

  async write (target: Locator, text: string) {
    await this.#reach(target)
    await this.#page.keyboard.press('ControlOrMeta+A')
    await this.#page.keyboard.insertText(text)
    this.#actions++
  }

  async date (target: Locator, day: string) {
    await this.#reach(target)
    const [year = '', month = '', date = ''] = day.split('-')
    await this.#page.keyboard.type(`${month}${date}${year}`)
    this.#actions++
  }

  async goRound () {
    await this.#page.keyboard.press('Tab') // the focus may be on a heading that Tab does not lead to
    let begun = await this.#page.evaluateHandle('document.activeElement')
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      await this.#page.keyboard.press('Tab')
      const focus = await begun.evaluate(focusOf)
      this.#note(focus)
      if (focus.isThere) return
      if (focus.isGone) begun = await this.#page.evaluateHandle('document.activeElement')
    }
    this.#faults.push('the focus does not come round')
  }

  #note ({ fault, name }: Focus) {
    if (fault !== '') this.#faults.push(`the focus ${fault}: ${name}`)
  }

  async #strike (key: string, what: string) {
    await read(this.#page, '(window.hasActed = true, 0)')
    await this.#page.keyboard.press(key)
    this.#actions++
    this.#last = what
  }

  async #reach (target: Locator) {
    await target.waitFor()
    let focus = await target.evaluate(focusOf)
    if (focus.isNowhere && await read(this.#page, 'window.hasActed')) this.#faults.push(`the focus is lost by ${this.#last}`)
    for (let [tabs, parts] = [0, 0]; !focus.isThere; tabs++) {
      await this.#page.keyboard.press('Tab')
      focus = await target.evaluate(focusOf)
      this.#note(focus)
      parts = focus.isSame ? parts + 1 : 0
      if (tabs > MOST_TABS || parts > MOST_PARTS) throw new Error(`cannot be reached by Tab: ${String(target)}`)
    }
  }
}

export const keyboard = (page: Page): Keyboard => new Keyboard(page)
