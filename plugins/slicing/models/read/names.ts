import { MOST_NAME_LENGTH } from '../limits.js'

/** A name from a file, as it can be shown: without control characters, and not too long. */
export const shownName = (name: string): string =>
  // eslint-disable-next-line no-control-regex
  name.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g, ' ').trim()
    .slice(0, MOST_NAME_LENGTH).trim()

/** Without its folder and ending: `bracket` for `parts/bracket.stl`. */
export const stemOf = (name: string): string =>
  shownName(name.split(/[/\\]/).at(-1)?.replace(/\.[a-z0-9]{1,5}$/i, '') ?? '') || 'model'
