import type { Client } from './options.js'

export type ConnectionLimit = ReturnType<typeof createConnectionLimit>

/** Limits the connections of each client to one printer, by protocol. */
export function createConnectionLimit (most: number) {
  const taken: { readonly client: Client, readonly protocol: string }[] = []
  return {
    get names () { return taken.map(({ client, protocol }) => `${client.name} (${protocol})`).sort() },
    /** @returns false if the limit is reached */
    take (client: Client, protocol: string): boolean {
      if (taken.filter(one => one.client === client && one.protocol === protocol).length >= most) return false
      taken.push({ client, protocol })
      return true
    },
    leave (client: Client, protocol: string): void {
      const at = taken.findIndex(one => one.client === client && one.protocol === protocol)
      if (at >= 0) taken.splice(at, 1)
    }
  }
}
