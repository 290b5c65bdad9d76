import type { Client } from './options.js'

/** How many connections each client has to one printer, by protocol. */
export function createSeats (most: number) {
  const taken: { readonly client: Client, readonly protocol: string }[] = []
  return {
    get names () { return taken.map(({ client, protocol }) => `${client.name} (${protocol})`).sort() },
    /** @returns whether there was room for one more */
    take (client: Client, protocol: string): boolean {
      if (taken.filter(seat => seat.client === client && seat.protocol === protocol).length >= most) return false
      taken.push({ client, protocol })
      return true
    },
    leave (client: Client, protocol: string): void {
      const at = taken.findIndex(seat => seat.client === client && seat.protocol === protocol)
      if (at >= 0) taken.splice(at, 1)
    }
  }
}
