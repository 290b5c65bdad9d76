// Lets the browser make a passkey, and turns its answer into JSON.

const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
const textOf = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** @param {any} options as the service sends them @throws NotAllowedError if the person changes their mind */
export async function makePasskey (options) {
  const credential = /** @type {any} */ (await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(({ id, ...rest }) => ({ ...rest, id: bytesOf(id) }))
    }
  }))
  const { clientDataJSON, attestationObject, getTransports } = credential.response
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textOf(attestationObject),
      ...(getTransports && { transports: credential.response.getTransports() })
    }
  }
}
