// One line of a sentence: what it says, what is wrong with it, and the buttons that move and remove it.

import { t } from 'shell'
import { Drawn, html, Icon, useLayoutEffect, useRef } from './lib.js'
import { KEY, problemsAt } from './rule.js'

/**
 * @typedef {{ rule: any, vocabulary: import('./vocabulary.js').Vocabulary, problems: readonly { path: string, words:
 *   string }[],
 *   fields: readonly any[], set: (path: readonly (string | number)[], value: any) => void,
 *   remove: (path: readonly (string | number)[]) => void, move: (path: readonly (string | number)[], by: number) =>
 *   void,
 *   append: (path: readonly (string | number)[], value: any) => void, wanted: { current: number | undefined } }} Edit
 */

/** Members that are parts of their own, and show their problems themselves. */
const INNER = ['if', 'any', 'not']

/** @param {{ edit: Edit, path: readonly (string | number)[], inner?: readonly string[] }} props */
export const Problems = ({ edit, path, inner = INNER }) => problemsAt(edit.problems, path, inner).map(({ words }) =>
  html`<p class="wrong" key=${words}><${Icon} name="alert" />${words}</p>`)

/** Puts the focus on the first control of a part that was just added. */
function useFocus (edit, part) {
  const place = useRef(/** @type {any} */ (null))
  useLayoutEffect(() => {
    if (edit.wanted.current !== part[KEY]) return
    edit.wanted.current = undefined
    place.current?.querySelector('.says :is(select, input, button, textarea)')?.focus()
  }, [])
  return place
}

/** Moves the focus to what follows, or to the button that adds, before the part that has it goes away. */
function removeFrom (event, edit, path) {
  const row = event.currentTarget.closest('li')
  const next = row.nextElementSibling ?? row.previousElementSibling
  const button = next?.querySelector('.acts button:last-child') ?? row.parentElement.parentElement.querySelector(':scope > .add')
  edit.remove(path)
  button?.focus()
}

/**
 * @param {{ edit: Edit, path: readonly (string | number)[], part: any, word: string, name: string, count: number,
 *   icon?: string,
 *   isOrdered?: boolean, children?: any }} props `name`: what the buttons call it
 */
export function Part ({ edit, path, part, word, name, count, icon, isOrdered = false, children }) {
  const place = useFocus(edit, part)
  const at = Number(path.at(-1))
  const mover = (by, text, drawn, isEnd) => html`<button type="button" class="quiet icon-only small" disabled=${isEnd}
    aria-label=${t(text, { part: name })} onClick=${() => edit.move(path, by)}><${Drawn} name=${drawn} /></button>`
  return html`<li class="part" ref=${place}>
    ${icon && html`<span class="dot"><${Drawn} name=${icon} /></span>`}
    <div class="says">${word !== '' && html`<span class="word">${word}</span> `}${children}</div>
    <div class="acts">${isOrdered && count > 1 && html`${mover(-1, 'rules.up', 'up', at === 0)}${mover(1, 'rules.down', 'down', at === count - 1)}`}
      <button type="button" class="quiet icon-only small" aria-label=${t('rules.remove.part', { part: name })}
        onClick=${event => removeFrom(event, edit, path)}><${Icon} name="close" /></button></div>
    <${Problems} edit=${edit} path=${path} />
  </li>`
}
