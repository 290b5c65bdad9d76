import { createEmitter } from '../../../core/util/emitter.js'
import type { PrinterConfig, PrinterSession, RunningSession, SessionEvents } from '../../../core/index.js'

/** A session without a printer: what became of it can be asked. */
export interface FakeSession extends RunningSession {
  readonly config: PrinterConfig
  readonly life: readonly ('started' | 'ended')[]
}

export const printerOf = (name: string, serial = `S-${name}`): PrinterConfig => ({
  name,
  host: '192.0.2.1',
  serial,
  accessCode: '12345678',
  ports: { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 },
  tls: { mode: 'pin' }
})

/** @param ending what `end` waits for */
export function fakeSession (config: PrinterConfig, ending: () => Promise<void> = async () => {}): FakeSession {
  const life: ('started' | 'ended')[] = []
  const controller = new AbortController()
  const session = {
    name: config.name,
    config,
    events: createEmitter<SessionEvents>(),
    signal: controller.signal,
    service: 'CONNECTED',
    state: undefined,
    live: true
  } as unknown as PrinterSession
  return {
    config,
    life,
    session,
    start: () => { life.push('started') },
    async end () {
      controller.abort()
      await ending()
      life.push('ended')
    }
  }
}
