// DOM helpers.

/** @returns {any} the element with that id */
export const $ = id => document.getElementById(id)
export const put = (element, text) => { if (element.textContent !== text) element.textContent = text }
export const show = (element, on) => {
  if (element.hasAttribute('hidden') === Boolean(on)) element.toggleAttribute('hidden', !on)
}

/** A row of a list: a name and a value. */
export const row = (name, text, kind) => {
  const div = document.createElement('div')
  const dt = document.createElement('dt')
  const dd = document.createElement('dd')
  dt.textContent = name
  dd.textContent = text
  if (kind) dd.className = kind
  div.append(dt, dd)
  return div
}

/** Fills a list; its panel is hidden when there are no rows. */
export const fill = (id, rows) => {
  const list = $(id)
  show(list.closest('section'), rows.length > 0)
  list.replaceChildren(...rows)
}

/** Values over time as the `d` of a path, with gaps for missing ones. */
export const line = (points, width, height, least, most) => {
  const step = points.length > 1 ? width / (points.length - 1) : 0
  let pen = 'M'
  return points.map((value, at) => {
    if (value === null || value === undefined) { pen = 'M'; return '' }
    const y = height - (Math.min(most, Math.max(least, value)) - least) / (most - least) * (height - 2) - 1
    const text = pen + (at * step).toFixed(1) + ' ' + y.toFixed(1)
    pen = 'L'
    return text
  }).join('')
}
