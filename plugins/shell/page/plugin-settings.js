// Forms for the settings that plugins declare.

import { call, element, hasText, shell, t } from './shell.js'

/**
 * @typedef {{ type?: string, enum?: string[], title?: string, description?: string, minimum?: number, maximum?: number,
 *   multipleOf?: number, minLength?: number, maxLength?: number, pattern?: string }} Property
 * @typedef {{ plugin: string, schema: { properties: Record<string, Property> },
 *   labels: Record<string, Record<string, string>>, values: Record<string, any> }} PluginSettings
 */

/** @param {HTMLElement} field @param {Record<string, unknown>} attributes those that are undefined are left out */
function withAttributes (field, attributes) {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) field.setAttribute(name, String(value))
  return field
}

/** @param {string} name @param {Property} property @returns {any} */
function fieldOf (name, property) {
  if (property.enum !== undefined) {
    const select = withAttributes(document.createElement('select'), { name })
    select.append(...property.enum.map(choice => element('option', choice)))
    return select
  }
  const { type, minimum, maximum, minLength, maxLength, pattern } = property
  const input = document.createElement('input')
  if (type === 'boolean') return withAttributes(input, { name, type: 'checkbox' })
  if (type === 'string') {
    const required = minLength !== undefined && minLength > 0 ? '' : undefined
    return withAttributes(input, { name, type: 'text', minlength: minLength, maxlength: maxLength, pattern, required })
  }
  const step = property.multipleOf ?? (type === 'integer' ? 1 : 'any')
  return withAttributes(input, { name, type: 'number', min: minimum, max: maximum, step, required: '' })
}

/** @param {any} field */
const isOn = field => field.type === 'checkbox'

/** @param {any} field */
const valueOf = field => isOn(field) ? field.checked : field.type === 'number' ? Number(field.value) : field.value

/** @param {any} field @param {any} value */
function fill (field, value) {
  if (isOn(field)) field.checked = value
  else field.value = value
}

/** @param {PluginSettings} settings */
function formOf ({ plugin, schema, labels, values }) {
  const form = element('form', '', 'card')
  const heading = element('h2', hasText(`${plugin}.title`) ? t(`${plugin}.title`) : plugin)
  heading.id = `settings-of-${plugin}`
  form.setAttribute('aria-labelledby', heading.id)
  form.append(heading)
  const fields = new Map(Object.entries(schema.properties).map(([name, property]) => {
    const field = fieldOf(name, property)
    fill(field, values[name])
    const label = element('label', '', 'setting')
    label.append(element('span', labels[shell.language]?.[name] ?? property.title ?? name), field)
    form.append(label)
    if (property.description !== undefined) {
      const help = element('p', property.description, 'faint')
      help.id = `about-${plugin}-${name}`
      field.setAttribute('aria-describedby', help.id)
      form.append(help)
    }
    return [name, field]
  }))
  const foot = element('div', '', 'setting')
  const outcome = withAttributes(element('span', '', 'faint'), { role: 'status' })
  const save = withAttributes(element('button', t('settings.plugin.save'), 'primary'), { type: 'submit' })
  foot.append(outcome, save)
  form.append(foot)

  form.addEventListener('submit', async event => {
    event.preventDefault()
    save.toggleAttribute('disabled', true)
    const chosen = Object.fromEntries([...fields].map(([name, field]) => [name, valueOf(field)]))
    try {
      const stored = await call('PATCH', 'plugin_settings', { plugin, values: chosen })
      for (const [name, field] of fields) fill(field, stored.values[name])
      outcome.className = 'faint'
      outcome.textContent = t('settings.plugin.saved')
    } catch (error) {
      outcome.className = 'bad'
      outcome.textContent = /** @type {Error} */ (error).message
    }
    save.toggleAttribute('disabled', false)
  })
  return form
}

/** Adds a form for each plugin whose settings the user may change. @param {HTMLElement} next stands after the forms */
export async function showPluginSettings (next) {
  /** @type {{ plugins: PluginSettings[] }} */
  const { plugins } = await call('GET', 'plugin_settings').catch(() => ({ plugins: [] }))
  next.before(...plugins.map(formOf))
}
