import { below } from './path.js'
import type { SdCardItem } from './types.js'

/** Type and permissions, links, owner, group, size, date, one space, name, as servers of all families send them. */
const LINE =
  /^([-dl])\S{9,10}\s+\d+\s+\S+\s+\S+\s+(\d{1,15})\s+([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}|\d{4}) (.+)$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_MS = 86_400_000
/** Longer lines are not parsed. */
const LONGEST_LINE = 4096

/**
 * The time of the last change. Printers do not report their time zone; UTC is assumed. A date without a year is the
 * latest possible one, allowing for a printer's clock that is up to a day ahead.
 */
function dateOf (monthName: string, dayText: string, yearOrTime: string, now: number): number | undefined {
  const month = MONTHS.indexOf(monthName.toLowerCase())
  const day = Number(dayText)
  if (month < 0 || day < 1 || day > 31) return undefined
  if (!yearOrTime.includes(':')) return Date.UTC(Number(yearOrTime), month, day)
  const [hours = 0, minutes = 0] = yearOrTime.split(':').map(Number)
  if (hours > 23 || minutes > 59) return undefined
  const year = new Date(now).getUTCFullYear()
  const thisYear = Date.UTC(year, month, day, hours, minutes)
  return thisYear > now + DAY_MS ? Date.UTC(year - 1, month, day, hours, minutes) : thisYear
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/
const isName = (name: string) => name !== '.' && name !== '..' && !name.includes('/') && !CONTROL.test(name)

/** Parses a line of LIST; undefined for other lines. Symbolic links are skipped, as they may be circular. */
function entryOf (line: string, folder: string, now: number): SdCardItem | undefined {
  if (line.length > LONGEST_LINE) return undefined
  const [, type, size = '', month = '', day = '', yearOrTime = '', name = ''] = LINE.exec(line) ?? []
  if (type === undefined || type === 'l' || !isName(name)) return undefined
  const isFolder = type === 'd'
  return {
    name,
    path: below(folder, name),
    size: isFolder ? 0 : Number(size),
    isFolder,
    modifiedAt: dateOf(month, day, yearOrTime, now)
  }
}

/** Parses the reply to LIST. Lines in another format are skipped. */
export function parseListing (text: string, folder: string, now: number): SdCardItem[] {
  const seen = new Set<string>()
  return text.split(/\r?\n/)
    .map(line => entryOf(line, folder, now))
    .filter(item => item !== undefined && !seen.has(item.name) && seen.add(item.name) !== undefined) as SdCardItem[]
}
