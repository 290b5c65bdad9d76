import type { Named } from './store.js'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Half a year: what is older, or in the future, shows its year in place of the time. */
const RECENT_MS = 182 * 86_400_000
const FOLDER_BYTES = 4096

const two = (value: number): string => String(value).padStart(2, '0')

function dateText (at: number, now: number): string {
  const date = new Date(at)
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`
  const isRecent = at <= now && now - at < RECENT_MS
  return isRecent
    ? `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
    : `${day}  ${date.getUTCFullYear()}`
}

/** A line of a listing, as `ls -l` writes it. */
export function lsLine ({ name, isFolder, size, modifiedAt }: Named, now: number): string {
  const mode = isFolder ? 'drwxr-xr-x' : '-rw-r--r--'
  const bytes = String(isFolder ? FOLDER_BYTES : size).padStart(12)
  return `${mode}    ${isFolder ? 2 : 1} 1000     1000 ${bytes} ${dateText(modifiedAt, now)} ${name}\r\n`
}

/** `YYYYMMDDHHMMSS`, UTC. */
export const mdtm = (at: number): string => new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
