// Which printers fit on a screen on the wall at a time. Pure.

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
