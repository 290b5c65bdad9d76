/** Of a server that could be dialled. */
interface Known { readonly listen: string }

/**
 * When a server is dialled: the one whose turn it is, each at most once in a while. The library counts by the time of
 * day, and would wait out an hour by which the clock was put back; this counts by one that nobody sets.
 * @param steady ms
 * @returns options of the library
 */
export function serverChoice (everyMs: number, steady: () => number = () => performance.now()) {
  const dialled = new Map<string, number>()
  return {
    /** So that the library's own waiting never applies. */
    reconnectDelayHandler: (): number => -Infinity,
    /** @param servers the first one is next */
    reconnectToServer<S extends Known> ([server]: readonly S[]): { server: S, delay: number } | null {
      if (server === undefined) return null
      const delay = Math.max(0, (dialled.get(server.listen) ?? -Infinity) + everyMs - steady())
      dialled.set(server.listen, steady() + delay)
      return { server, delay }
    }
  }
}
