import type { Expected } from './schedule.js'

/** What callers see of an expectation. */
export const expectedView = (expected: Expected | undefined) => expected
  ? {
      printer: expected.next.printer,
      starts_at: Math.round(expected.next.startsAt),
      ends_at: Math.round(expected.next.endsAt),
      waits_for: expected.next.waitsFor ?? null,
      all_end_at: Math.round(expected.last.endsAt)
    }
  : null
