import { createServer } from 'node:net'

const EACH = 400
const PLACES = 50
const FIRST_CLAIM = 11_900

/** Claims a range that no other file of tests has: its process listens on the port that stands for the range. */
async function claimPlace (): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const place = (process.pid + attempt) % PLACES
    const claim = createServer().unref()
    const isFree = await new Promise<boolean>(resolve => {
      claim.once('error', () => resolve(false))
      claim.listen(FIRST_CLAIM + place, '127.0.0.1', () => resolve(true))
    })
    if (isFree) return place
  }
}

/** Of these, for one at a time. */
const FREE = 100
/** Below those that the system hands out. */
const FIRST = 12_000 + await claimPlace() * EACH

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
