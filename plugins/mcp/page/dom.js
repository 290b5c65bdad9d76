// Elements are built without markup, so names of printers, files and spools cannot inject any.

/** @param {string} tag @param {Record<string, any>} props @param {...any} children @returns {any} */
export function element (tag, props = {}, ...children) {
  const made = document.createElement(tag)
  for (const [key, value] of Object.entries(props)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children.filter(child => child !== undefined && child !== ''))
  return made
}

export const faint = text => element('p', { className: 'faint' }, text)
export const warning = (text, kind = 'warn') => element('p', { className: kind, role: 'status' }, text)

/** A list of labels and values. @param {readonly string[][]} rows */
export const facts = rows => element('dl', { className: 'facts' },
  ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))))

/** Replaces the content of the page. @param {...any} children */
export const show = (...children) =>
  document.getElementById('app')?.replaceChildren(...children.filter(child => child !== undefined))

const BASE64 = /^[A-Za-z0-9+/]+=*$/

/** The first picture of a tool's result, as a data URI. @returns {string | undefined} */
export function pictureOf ({ content = [] }) {
  const { data } = content.find(({ type, mimeType }) => type === 'image' && mimeType === 'image/jpeg') ?? {}
  return BASE64.test(data ?? '') ? `data:image/jpeg;base64,${data}` : undefined
}
