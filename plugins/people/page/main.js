// Users, keys, and who did what.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { call, linkTo, t } from 'shell'
import { showAudit } from './audit.js'
import { html } from './dialog.js'
import { Keys } from './keys.js'
import { Users } from './users.js'

/** @returns {any} */
const $ = id => document.getElementById(id)
const WITHOUT_NAME = ['token', 'local', 'network', 'service']

function People ({ users, keys }) {
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const ask = make => setDialog(make(() => setDialog(null)))
  const given = { users, keys, ask, onDone: refresh }
  return html`<${Users} ...${given} /><${Keys} ...${given} />${dialog}`
}

async function refresh () {
  try {
    const [{ users }, { keys }] = await Promise.all([call('GET', 'people/users'), call('GET', 'people/keys')])
    $('problem').hidden = true
    render(html`<${People} ...${{ users, keys }} />`, $('people'))
    showAudit([...users.map(({ name }) => name), ...keys.map(({ name }) => `key ${name}`), ...WITHOUT_NAME])
  } catch (error) {
    const { status, message } = /** @type {any} */ (error)
    if (status === 401) return location.assign(linkTo('people')) // the service redirects to the login
    $('problem').textContent = t('people.failed', { reason: message })
    $('problem').hidden = false
  }
}

void refresh()
