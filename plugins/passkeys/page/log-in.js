// Logs in with a passkey. It stands in the login page itself, which loads no files.

{
  const button = /** @type {HTMLButtonElement} */ (document.getElementById('passkey'))
  const alert = /** @type {HTMLElement} */ (document.querySelector('[role=alert]'))

  const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
  const textOf = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

  async function post (path, body) {
    const answer = await fetch(path, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
    })
    if (answer.status === 204) return undefined
    const document = await answer.json()
    if (!answer.ok) throw new Error(document.reason ?? button.dataset.failed)
    return document
  }

  async function logIn () {
    const options = await post('/login/passkey/options', {})
    const credential = /** @type {any} */ (await navigator.credentials.get({
      publicKey: { ...options, challenge: bytesOf(options.challenge) }
    }))
    const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
    await post('/login/passkey', {
      id: credential.id,
      rawId: textOf(credential.rawId),
      type: credential.type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: textOf(clientDataJSON),
        authenticatorData: textOf(authenticatorData),
        signature: textOf(signature),
        ...(userHandle && { userHandle: textOf(userHandle) })
      }
    })
    location.assign(button.dataset.next ?? '/')
  }

  button.hidden = window.PublicKeyCredential === undefined
  button.addEventListener('click', async () => {
    button.disabled = true
    alert.textContent = ''
    try {
      await logIn()
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error)
      if (name !== 'NotAllowedError') alert.textContent = message // otherwise the person has changed their mind
    }
    button.disabled = false
  })
}
