/** The test runner numbers its places; a file that runs without it takes one of those beyond. */
const PLACE = Number(process.env.PRN_TEST_PLACE ?? 8 + process.pid % 40)
const EACH = 400
/** Below those that the system hands out. */
const FIRST = 12_000 + PLACE * EACH

/**
 * Ports that nothing uses beside this file of tests: a service must not be found by another test, nor its ports taken.
 * @param at of the file's own, 0 to 399
 */
export const ownPorts = (at: number, count: number) => ({ start: FIRST + at, end: FIRST + at + count - 1 })
