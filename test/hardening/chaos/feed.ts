import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { entriesOf, type Entry, type Told } from './ledger.js'

const AGAIN_MS = 200

/** Alerts as a program hears them that stays connected; it comes back after the service did. */
export interface Feed {
  readonly came: readonly Entry[]
  readonly raw: readonly Told[]
  close (): void
}

export async function listen (url: string): Promise<Feed> {
  const came: Entry[] = []
  const raw: Told[] = []
  const abort = new AbortController()
  let socket: WebSocket | undefined

  function take (text: string): void {
    const { topic, data } = JSON.parse(text) as { topic: string, data: Told }
    if (topic !== 'alerts') return
    raw.push(data)
    came.push(...entriesOf(data))
  }

  async function stay (): Promise<void> {
    while (!abort.signal.aborted) {
      const current = socket = new WebSocket(`${url.replace('http', 'ws')}/api/live?topics=alerts`)
      current.on('message', data => take(String(data)))
      await new Promise<void>(resolve => current.on('error', () => {}).once('close', () => resolve()))
      await sleep(AGAIN_MS)
    }
  }

  const staying = stay()
  await new Promise<void>(resolve => socket?.once('open', () => resolve()))
  return {
    came,
    raw,
    close () {
      abort.abort()
      socket?.close()
      void staying
    }
  }
}
