// What a screen on the wall shows at a time, and whether it is still true. Pure.

/** Smallest size of a tile that is readable at three metres, px. */
const TILE = { width: 380, height: 300 }

/**
 * @param {number} count printers @param {{ width: number, height: number }} room px
 * @returns {{ columns: number, rows: number, pages: number }} the fewest pages, with tiles as large as possible
 */
export function gridOf (count, { width, height }) {
  const [mostColumns, mostRows] = [width / TILE.width, height / TILE.height].map(most => Math.max(1, Math.floor(most)))
  const pages = Math.max(1, Math.ceil(count / (mostColumns * mostRows)))
  const onEach = Math.max(1, Math.ceil(count / pages))
  const likeTheRoom = Math.ceil(Math.sqrt(onEach * (width / height) * (TILE.height / TILE.width)))
  const columns = Math.min(mostColumns, likeTheRoom)
  const rows = Math.ceil(onEach / columns)
  if (rows <= mostRows) return { columns, rows, pages }
  return { columns: mostColumns, rows: Math.ceil(onEach / mostColumns), pages }
}

/** The list is asked for every minute; messages in between show nothing of printers that have none. */
const OLD_MS = 150_000

/**
 * Nobody stands at the screen who would see that nothing moves.
 * @param {{ at: number, problem: string }} link `at`: of the last answer
 * @param {number} now
 */
export const isOld = ({ at, problem }, now) => problem !== '' || now - at > OLD_MS

const UNAUTHORIZED = 401

/**
 * Whether the login has ended since the page was opened: opened again, it leads there. One that was never answered is
 * not opened again and again.
 * @param {{ asked: boolean, status: number }} link
 */
export const isLoggedOut = ({ asked, status }) => asked && status === UNAUTHORIZED
