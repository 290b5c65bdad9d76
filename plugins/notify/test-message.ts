import { timeoutSignal, withTimeout } from '../../core/index.js'
import { newId } from './messenger.js'
import type { Target } from './options.js'

const TEST_MS = 30_000

/** Sends a test message and waits until it is accepted. @throws why it was not accepted */
export async function sendTestTo ({ send }: Pick<Target, 'send'>, at: number, signal: AbortSignal): Promise<void> {
  const late = () => new Error(`no answer within ${TEST_MS / 1_000} s`)
  const message = {
    id: newId(),
    title: 'Test message',
    text: 'Messages of the printers arrive here.',
    printer: '',
    alert: 'test',
    severity: 'low' as const,
    at: new Date(at).toISOString(),
    payload: {}
  }
  await withTimeout(TEST_MS, send(message, AbortSignal.any([signal, timeoutSignal(TEST_MS)])), late, signal)
}
