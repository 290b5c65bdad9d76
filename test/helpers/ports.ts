import { createServer } from 'node:net'

/** The test runner numbers its places; a file that runs without it takes one of those beyond. */
const PLACE = Number(process.env.PRN_TEST_PLACE ?? 12 + process.pid % 39)
const EACH = 400
/** Of these, for one at a time. */
const FREE = 100
/** Below those that the system hands out. */
const FIRST = 12_000 + PLACE * EACH

/**
 * Ports that nothing uses beside this file of tests: a service must not be found by another test, nor its ports taken.
 * @param at of the file's own, 0 to 299; the others are handed out by {@link freePort}
 */
export const ownPorts = (at: number, count: number) => ({ start: FIRST + at, end: FIRST + at + count - 1 })

let next = 0

/** A port of the file's own that nothing listens on now, and that nobody is given by chance before it is used. */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = FIRST + EACH - FREE + next++ % FREE
    const server = createServer()
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** Those of a printer that comes back on the same ones: a connection may get one that the system handed out. */
export async function printerPorts () {
  const [mqtt, ftps, camera, rtsps] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  return { mqtt, ftps, camera, rtsps }
}
