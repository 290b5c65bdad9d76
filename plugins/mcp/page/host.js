// Talks to the host of this page: JSON-RPC over postMessage. Source: MCP Apps (SEP-1865), 2026-01-26.

const REVISION = '2026-01-26'
/** A picture may have to wait for the camera. */
const ANSWER_WITHIN_MS = 60_000
const METHOD_NOT_FOUND = -32_601
const CANCELLED = { isError: true, content: [{ type: 'text', text: 'Cancelled.' }] }

/** @type {Map<number, (message: any) => void>} */
const waiting = new Map()
/** @type {Map<string, (params: any) => void>} */
const listeners = new Map()
let lastId = 0

// The host's origin is unknown, and it has the tool's result anyway, so any target origin is accepted.
const send = message => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** @param {string} method @param {object} params @returns {Promise<any>} */
function ask (method, params) {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle({ error: { message: 'the program around this page does not answer' } }), ANSWER_WITHIN_MS)
    function settle (/** @type {any} */ { result, error }) {
      clearTimeout(timer)
      waiting.delete(id)
      if (error) reject(new Error(error.message ?? 'refused'))
      else resolve(result ?? {})
    }
    waiting.set(id, settle)
    send({ id, method, params })
  })
}

function answer (id, method) {
  const isKnown = method === 'ping' || method === 'ui/resource-teardown'
  send(isKnown ? { id, result: {} } : { id, error: { code: METHOD_NOT_FOUND, message: `no method ${method}` } })
}

function receive ({ source, data }) {
  if (source !== window.parent || data?.jsonrpc !== '2.0') return
  const { id, method, params } = data
  if (method === undefined) waiting.get(id)?.(data)
  else {
    listeners.get(method)?.(params ?? {})
    if (id !== undefined) answer(id, method)
  }
}

/** Follows the host's theme rather than the system's preference. */
function applyTheme (theme) {
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
}

function reportSize () {
  const report = () => {
    const { width, height } = document.documentElement.getBoundingClientRect()
    send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
  }
  new ResizeObserver(report).observe(document.documentElement)
}

/**
 * Initializes the connection. The tool's input and result arrive later, possibly more than once.
 * @param {string} name of this page
 * @param {{ onInput: (args: any) => void, onResult: (result: any) => void, onEnd?: () => void }} handlers
 * @returns the host's capabilities
 */
export async function connect (name, { onInput, onResult, onEnd = () => {} }) {
  listeners.set('ui/notifications/tool-input', ({ arguments: args }) => onInput(args ?? {}))
  listeners.set('ui/notifications/tool-result', onResult)
  listeners.set('ui/notifications/tool-cancelled', () => onResult(CANCELLED))
  listeners.set('ui/notifications/host-context-changed', ({ theme }) => applyTheme(theme))
  listeners.set('ui/resource-teardown', onEnd)
  window.addEventListener('message', receive)
  const { hostCapabilities = {}, hostContext = {} } = await ask('ui/initialize', {
    appInfo: { name, version: '2.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: REVISION
  })
  applyTheme(hostContext.theme)
  send({ method: 'ui/notifications/initialized', params: {} })
  reportSize()
  return {
    callsTools: hostCapabilities.serverTools !== undefined,
    takesMessages: hostCapabilities.message !== undefined
  }
}

/** The error text of a failed tool. @param {any} result @returns {string | undefined} */
export const failureOf = ({ isError, content = [], structuredContent = {} }) =>
  isError ? String(structuredContent.error ?? content.find(({ type }) => type === 'text')?.text ?? 'It failed.') : undefined

/**
 * Calls a read-only tool. @param {string} name @param {object} args
 * @throws with the tool's error text
 */
export async function callTool (name, args) {
  const result = await ask('tools/call', { name, arguments: args })
  const failure = failureOf(result)
  if (failure !== undefined) throw new Error(failure)
  return result
}

/** Adds a message to the conversation on behalf of the user. @param {string} text */
export async function say (text) {
  const { isError } = await ask('ui/message', { role: 'user', content: [{ type: 'text', text }] })
  if (isError) throw new Error('the host did not accept the message')
}
