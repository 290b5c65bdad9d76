// A host: it shows a page of the service in a frame, and is the other end of its line. Bundled by the test.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

const INFO = { name: 'host', version: '1.0.0' }

/** What the test may do with the frame. */
window.openApp = async ({ address, theme, input, result, capabilities }) => {
  const frame = document.createElement('iframe')
  frame.sandbox = 'allow-scripts'
  frame.style.cssText = 'width: 100%; height: 300px; border: 0'
  document.documentElement.style.background = theme === 'dark' ? '#20262e' : '#fff'
  document.body.replaceChildren(frame)
  const bridge = new AppBridge(null, INFO, capabilities, { hostContext: { theme, displayMode: 'inline' } })
  const initialized = new Promise(resolve => { bridge.oninitialized = resolve })
  bridge.oncalltool = params => window.callTool(params)
  bridge.onmessage = params => window.takeMessage(params)
  bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px` }
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.src = address
  await initialized
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
  window.setTheme = theme => bridge.setHostContext({ theme, displayMode: 'inline' })
  window.endApp = () => bridge.teardownResource({})
}
