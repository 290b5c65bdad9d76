import type { PrinterSession } from './types.js'

/** Resolves true as soon as a snapshot passes the test, false after `within` ms or when the session ends. */
export function waitForState (session: PrinterSession, test: Parameters<PrinterSession['until']>[0],
  within: number): Promise<boolean> {
  return new Promise(resolve => {
    if (session.state && test(session.state)) return resolve(true)
    const done = (passed: boolean) => {
      off()
      clearTimeout(timer)
      session.signal.removeEventListener('abort', sessionEnded)
      resolve(passed)
    }
    const sessionEnded = () => done(false)
    const off = session.events.on('state', state => { if (test(state)) done(true) })
    const timer = setTimeout(done, within, false)
    session.signal.addEventListener('abort', sessionEnded, { once: true })
  })
}
