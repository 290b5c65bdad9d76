/** PostgreSQL's error codes after losing a race; the last two are of `create table if not exists`. */
const OVERTAKEN = new Set<unknown>(['40001', '40P01', '23505', '42710', '42P07'])
const MOST_TRIES = 10

/** Retries after losing a race with another service. */
export async function whenNotOvertaken<R> (work: () => Promise<R>): Promise<R> {
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !OVERTAKEN.has((error as { code?: unknown }).code)) throw error
    }
  }
}
