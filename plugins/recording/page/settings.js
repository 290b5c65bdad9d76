// Settings of the selected printer.

import { call, t } from 'shell'

/** @param {{ changed: () => void }} handlers */
export function createSettings ({ changed }) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('settings'))
  const title = /** @type {HTMLElement} */ (document.getElementById('settings-title'))
  const interval = /** @type {HTMLElement} */ (document.getElementById('interval'))
  const problem = /** @type {HTMLElement} */ (document.getElementById('settings-problem'))
  const fields = /** @type {any} */ (form.elements)
  let printer = ''
  let requests = 0
  /** What the service said last. @type {any} */
  let known = {}

  /** Stays until the next try: what the list says of itself comes every few seconds. @param {string} reason */
  function say (reason) {
    problem.textContent = reason === '' ? '' : t('recordings.failed', { reason })
    problem.toggleAttribute('hidden', reason === '')
  }

  function fill (settings) {
    known = settings
    for (const [name, value] of Object.entries(settings)) {
      if (typeof value === 'boolean') fields[name].checked = value
      else fields[name].value = value
    }
    interval.toggleAttribute('hidden', settings.timelapse !== 'interval')
  }

  async function change ({ target }) {
    if (!target.reportValidity()) return
    const { name, type, checked, value } = target
    const chosen = type === 'checkbox' ? checked : type === 'number' ? Number(value) : value
    const mine = ++requests
    const of = printer
    say('')
    try {
      const settings = await call('PATCH', 'recording_settings', { printer, [name]: chosen })
      if (mine === requests) fill(settings) // an earlier answer must not undo a later choice
    } catch (error) {
      if (of !== printer) return
      say(/** @type {Error} */ (error).message)
      // A choice that was refused must not look like one that counts.
      const settings = await call('GET', 'recording_settings', { printer }).catch(() => known)
      if (mine === requests) fill(settings)
    }
  }

  async function record () {
    say('')
    try {
      await call('POST', 'recordings', { printer, seconds: 60 })
      changed()
    } catch (error) {
      say(/** @type {Error} */ (error).message)
    }
  }

  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('change', change)
  document.getElementById('record')?.addEventListener('click', record)

  return {
    /** @param {string} name of a printer; empty for none */
    async show (name) {
      printer = name
      const mine = ++requests
      say('')
      form.toggleAttribute('hidden', true)
      if (name === '') return
      const settings = await call('GET', 'recording_settings', { printer: name })
      if (mine !== requests) return
      title.textContent = t('recordings.settings.of', { printer: name })
      fill(settings)
      form.toggleAttribute('hidden', false)
    }
  }
}
