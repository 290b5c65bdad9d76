// What is wrong with a plate, in the page's language. Pure.

import { minutesText } from './format.js'

const S_PER_MIN = 60

/** The figures of a finding as they stand in its sentence. */
function valuesOf (figures, { clock, number, t }) {
  const { at, place, sliced, chosen, seconds, stated_seconds: stated } = figures
  const bed = name => t(`finding.bed.${name.toLowerCase().replaceAll(' ', '_')}`)
  return {
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, typeof value === 'number' ? number(value) : value])),
    spool: place === undefined ? t('finding.spool') : t('finding.spool_in', { place }),
    ...(at !== undefined && { at: clock(at) }),
    ...(typeof chosen === 'string' && { chosen: bed(chosen), sliced: bed(sliced) }),
    ...(seconds !== undefined && { time: minutesText(seconds / S_PER_MIN) }),
    ...(stated !== undefined && { stated_time: minutesText(stated / S_PER_MIN) })
  }
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The sentences of a finding: those of the service, where the page has none for it.
 * @param {any} finding as the API has it
 * @param {{ clock: (at: string) => string, number: (value: number) => string, hasText: (key: string) => boolean,
 *   t: (key: string, values?: any) => string }} words of the page
 * @returns {{ message: string, remedy: string, place: string }} place: where it is in the file; empty for all of it
 */
export function findingWords ({ code, figures, line, layer, message, remedy }, words) {
  const { hasText, number, t } = words
  const keyOf = kind => [`finding.${kind}.${code}.${figures.case}`, `finding.${kind}.${code}`].find(key => hasText(key))
  const [says, does] = [keyOf('says'), keyOf('remedy')]
  const place = line > 0 ? t(layer > 0 ? 'finding.layer' : 'finding.line', { line: number(line), layer: number(layer) }) : ''
  return {
    message: says ? capital(t(says, valuesOf(figures, words))) : message.replace(/^Line \d+(, layer \d+)?: /, ''),
    remedy: does ? t(does) : remedy,
    place
  }
}
