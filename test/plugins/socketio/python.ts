// Debian's client of the protocol, which shares nothing with ours.
import { spawn } from 'node:child_process'
import type { Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { pythonThatRuns } from '../../helpers/programs.js'

const polling = pythonThatRuns('import socketio')
const sockets = pythonThatRuns('import socketio, websocket')

/** Why a client cannot run here; false where it can. */
export function pythonLacks (transports: readonly string[]): string | false {
  if (polling === undefined) return 'python3-socketio is not installed'
  return transports.includes('websocket') && sockets === undefined ? 'python3-websocket is not installed' : false
}

/** Its library for HTTP is a recommendation of the package only; what it needs of that is little. */
const SCRIPT = `
import json, sys, threading, time, types, urllib.request
class Reply:
    def __init__(self, answer): self.status_code, self.content = answer.status, answer.read()
class Session:
    cookies, auth, cert, proxies, verify = (), None, None, None, True
    def request(self, method, url, headers=None, data=None, timeout=None):
        body = data.encode() if isinstance(data, str) else data
        return Reply(urllib.request.urlopen(urllib.request.Request(url, body, headers or {}, method=method), timeout=timeout))
requests = types.ModuleType('requests')
requests.Session, requests.exceptions = Session, types.SimpleNamespace(RequestException=OSError)
sys.modules.setdefault('requests', requests)
import socketio
client, done = socketio.Client(), threading.Event()
@client.on('printer_update')
def update(data):
    print(json.dumps(data), flush=True)
    done.set()
wanted = sys.argv[2].split(',')
client.connect(sys.argv[1], transports=wanted)
until = time.time() + 5
while client.transport() != wanted[-1] and time.time() < until: time.sleep(0.02)
print('with', client.transport(), flush=True)
done.wait(10)
client.disconnect()
`

export interface PythonClient {
  /** What it has printed. */
  text (): string
  /** Waits until it has printed something. @returns that */
  says (pattern: RegExp): Promise<string>
  readonly ended: Promise<number | null>
}

/** Connects, tells by which transport, and prints the first update that it gets. */
export function startPython (t: Test, url: string, transports: readonly string[]): PythonClient {
  const child = spawn(sockets ?? polling ?? '', ['-c', SCRIPT, url, transports.join(',')], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => { child.kill() })
  let text = ''
  child.stdout.on('data', chunk => { text += String(chunk) })
  return {
    text: () => text,
    async says (pattern) {
      await eventually(() => pattern.test(text), 20_000)
      return pattern.exec(text)?.[0] ?? ''
    },
    ended: new Promise(resolve => { child.once('exit', resolve) })
  }
}
