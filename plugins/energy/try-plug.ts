import { wordsOfFailure } from '../../core/index.js'
import type { Reading } from './decode/reading.js'
import { HTTP_KINDS } from './kinds.data.js'
import { openLink, type PlugAddress, type PlugBroker, type PlugLink } from './link/plug-link.js'
import { PlugSilent } from './errors.js'

/** A plug on a broker may send its parts in several messages. */
const BROKER_MS = 6_000
const QUIET_MS = 800
const PAUSE_MS = 50

export interface TryDeps {
  readonly broker: () => PlugBroker | undefined
  readonly redact: (text: string) => string
  readonly signal: AbortSignal
}

/**
 * Asks a plug that is not stored yet; it is not switched.
 * @throws PRN_ERR_PLUG_SILENT
 */
export async function tryPlug (name: string, address: PlugAddress, deps: TryDeps): Promise<Reading> {
  const { broker, redact, signal } = deps
  let found: Reading = {}
  let heardAt = 0
  const link = openLink(address, {
    broker,
    heard (reading) {
      found = { ...found, ...reading }
      heardAt = performance.now()
    }
  })
  try {
    const isDirect = HTTP_KINDS.has(address.kind)
    if (!isDirect) await connected(link, deps)
    await link.ask(signal)
    if (!isDirect) await settled(() => heardAt, signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new PlugSilent(name, redact(wordsOfFailure(error)))
  } finally {
    link.close()
  }
  if (found.isOn === undefined) {
    throw new PlugSilent(name, 'nothing was heard of whether it is on: check its topic, and that it sends there')
  }
  return found
}

/** The first question makes the broker connect, if it is set up. */
async function connected (link: PlugLink, { broker, signal }: TryDeps): Promise<void> {
  const begun = performance.now()
  await link.ask(signal).catch(() => {})
  const isAwaited = (): boolean => broker()?.isSetUp === true && broker()?.isConnected === false
  while (isAwaited() && !signal.aborted && performance.now() - begun < BROKER_MS) {
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS).unref())
  }
}

/** Resolves when nothing more has come for a moment, or after the longest wait. */
async function settled (heardAt: () => number, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  while (!signal.aborted) {
    const now = performance.now()
    const isQuiet = heardAt() > 0 && now - heardAt() > QUIET_MS
    if (isQuiet || now - begun > BROKER_MS) return
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS).unref())
  }
}
