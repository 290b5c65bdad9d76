/** A server that can be dialled. */
interface Known { readonly listen: string }

/**
 * Dials the servers in turn, each at most once per interval. The library measures that by the time of day and would
 * wait an hour after the clock was put back by one; this uses a monotonic clock.
 * @param steady monotonic clock, ms
 * @returns options of the library
 */
export function serverChoice (everyMs: number, steady: () => number = () => performance.now()) {
  const dialled = new Map<string, number>()
  return {
    /** Disables the library's own delay. */
    reconnectDelayHandler: (): number => -Infinity,
    /** @param servers the first one is dialled next */
    reconnectToServer<S extends Known> ([server]: readonly S[]): { server: S, delay: number } | null {
      if (server === undefined) return null
      const delay = Math.max(0, (dialled.get(server.listen) ?? -Infinity) + everyMs - steady())
      dialled.set(server.listen, steady() + delay)
      return { server, delay }
    }
  }
}
