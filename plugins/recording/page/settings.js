// Settings of the selected printer.

import { call, t } from 'shell'

/** @param {{ changed: () => void, failed: (error: Error) => void }} handlers */
export function createSettings ({ changed, failed }) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('settings'))
  const title = /** @type {HTMLElement} */ (document.getElementById('settings-title'))
  const interval = /** @type {HTMLElement} */ (document.getElementById('interval'))
  const fields = /** @type {any} */ (form.elements)
  let printer = ''
  let requests = 0

  function fill (settings) {
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
    try {
      const settings = await call('PATCH', 'recording_settings', { printer, [name]: chosen })
      if (mine === requests) fill(settings) // an earlier answer must not undo a later choice
    } catch (error) {
      failed(/** @type {Error} */ (error))
    }
  }

  async function record () {
    try {
      await call('POST', 'recordings', { printer, seconds: 60 })
      changed()
    } catch (error) {
      failed(/** @type {Error} */ (error))
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
