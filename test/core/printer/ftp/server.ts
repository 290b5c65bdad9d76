import type { PrinterConfig } from '../../../../core/index.js'
import { createSdCard, type SdCardDeps, type RunningSdCard } from '../../../../core/printer/ftp/index.js'

export const SERIAL = '00M00A123456789'
export const CODE = '12345678'

/** Short enough for a test, long enough for a busy machine. */
export const QUICK = { connectMs: 5_000, silenceMs: 4_000, retryMs: 20, idleMs: 200, earlyEndMs: 1_000 }

export const configOf = (port: number, more: Partial<PrinterConfig> = {}): PrinterConfig => ({
  name: 'test',
  host: '127.0.0.1',
  serial: SERIAL,
  accessCode: CODE,
  ports: { mqtt: 8883, ftps: port, camera: 6000, rtsps: 322 },
  tls: { mode: 'pin' },
  ...more
})

export interface TestCard extends RunningSdCard { readonly stop: AbortController }

/** The card behind a port, as a session would make it. */
export function openCard (port: number, fingerprint: string | undefined, more: Partial<SdCardDeps> = {},
  config: Partial<PrinterConfig> = {}): TestCard {
  const stop = new AbortController()
  const running = createSdCard(configOf(port, config), {
    now: Date.now,
    signal: stop.signal,
    trust: () => ({ mode: 'pin', ...(fingerprint !== undefined && { fingerprint }) }),
    onPeer: () => {},
    timeouts: QUICK,
    ...more
  })
  return { ...running, stop, end: async () => { stop.abort(); await running.end() } }
}
