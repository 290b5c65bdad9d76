import t from 'tap'
import { loadPalette } from '../../../../plugins/filament/index.js'
import { warningTexts } from '../../../../plugins/projects/index.js'
import { FINDING_CODES, judgeMapping, type Finding, type WantedFilament } from '../../../../plugins/projects/mapping/judge.js'
import type { Tray } from '../../../../plugins/projects/mapping/trays.js'
import { findingTexts } from '../../../../plugins/toolpath/index.js'

type Judged = { readonly warnings: readonly object[], readonly error?: string }
const { consentOf, warningLines } = await import(new URL('../../../../plugins/shell/page/mapping.js', import.meta.url).href) as {
  consentOf: (judged: Judged) => string[], warningLines: (judged: Judged, words: object) => string[]
}

const filament = (id: number, more: Partial<WantedFilament> = {}): WantedFilament => ({ id, type: 'PLA', color: '#FF0000', extruder: undefined, ...more })
const tray = (trayId: number, more: Partial<Tray> = {}): Tray => ({
  trayId,
  amsId: 0,
  slot: trayId,
  name: `tray ${trayId}`,
  isHolder: false,
  present: true,
  type: 'PLA',
  label: more.type ?? 'PLA',
  catalogueId: '',
  color: '#FF0000',
  colors: ['#FF0000'],
  extruder: undefined,
  remainingG: undefined,
  isDrying: false,
  ...more
})

const { difference } = await loadPalette()
type Parts = [filaments: readonly WantedFilament[], mapping: readonly number[], trays: readonly Tray[], dual?: boolean]
const judged = (...[filaments, mapping, trays, dual = false]: Parts) =>
  judgeMapping({ filaments, mapping, trays, dual, difference })
const unknown = { type: '', label: '', color: '', colors: [] }

const ALL: readonly Finding[] = [
  ...judged([], [], []),
  ...judged([filament(1, { grams: 9.26 })], [0], [tray(0, { type: 'PETG', colors: ['#0000FF', '#00FF00'], remainingG: 1, isDrying: true })]),
  ...judged([filament(1)], [0], [tray(0, { type: 'PLA-CF' })]),
  ...judged([filament(1)], [0], [tray(0, unknown)]),
  ...judged([filament(1)], [0], [tray(0, { type: 'Mystery' })]),
  ...judged([filament(1, { type: '' })], [0], [tray(0)]),
  ...judged([filament(1, { extruder: 1 })], [0], [tray(0, { extruder: 0 })], true),
  ...judged([filament(1, { extruder: 0 })], [255], [tray(255, { ...unknown, isHolder: true, extruder: 1 })], true),
  ...judged([filament(1, { type: '' })], [254], [tray(254, { ...unknown, isHolder: true })]),
  ...judged([filament(1), filament(2), filament(3)], [-1, 9, 0], [tray(0, { present: false })]),
  { code: 'mapping_unused', filament: -1, tray: -1, message: 'unused', figures: {} },
  { code: 'bed_type', filament: -1, tray: -1, message: 'bed', figures: { plate: 2, sliced: 'eng_plate', chosen: 'textured_plate' } },
  { code: 'plate_used', filament: -1, tray: -1, message: 'used', figures: {} },
  { code: 'plate_used', filament: -1, tray: -1, message: 'used since', figures: { case: 'print', began_at: 1 } }
]

/** What the shell gives to pages of a language. */
function wordsOf (language: 'en' | 'de' | 'zh') {
  const texts: Readonly<Record<string, string>> = { ...findingTexts[language], ...warningTexts[language] }
  return {
    hasText: (key: string) => key in texts,
    t: (key: string, values: Readonly<Record<string, unknown>> = {}) =>
      (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (place, name: string) => name in values ? String(values[name]) : place),
    number: String,
    timeText: (at: number) => `at ${at}`,
    exactColor: (color: string) => `<${color}>`,
    trayName: (id: number) => `[${id}]`,
    slotName: (_: object, side: string) => `[${side}]`
  }
}

t.test('a warning is said in the language of the page, with all that the service names', t => {
  t.same(FINDING_CODES.filter(code => !ALL.some(finding => finding.code === code)), [], 'each is among them')
  for (const language of ['en', 'de', 'zh'] as const) {
    const used = new Set(Object.keys(warningTexts[language]))
    const words = wordsOf(language)
    const spy = { ...words, t: (key: string, values: any) => { used.delete(key); return words.t(key, values) } }
    const lines = warningLines({ warnings: ALL, error: '' }, spy)
    for (const [at, line] of lines.entries()) {
      if (language !== 'en') t.not(line, ALL[at]?.message, line)
      t.notMatch(line, /[{}]|undefined|warning\.|finding\./, line)
    }
    t.same([...used], [], `${language}: none is left`)
  }
  const lines = warningLines({ warnings: ALL, error: '' }, wordsOf('de')).join('\n')
  for (const said of [
    'Filament 1 ist PLA, eingelegt ist aber PETG ([0])', 'ist <#FF0000>, eingelegt ist aber <#0000FF> / <#00FF00>', 'braucht 9.3 g', 'noch etwa 1 g',
    'für die linke Düse, diese Spule führt aber zur rechten ([0])', '([left])', 'begann', 'at 1'
  ]) t.ok(lines.includes(said), said)
  t.end()
})

t.test('what is accepted is the sentence of the service, in every language', t => {
  const warnings = ALL.map(finding => ({ ...finding, needs_accept: true }))
  t.same(consentOf({ warnings }), ALL.map(({ message }) => message))
  t.same(warningLines({ warnings, error: `Nothing was sent: ${ALL[1]?.message}` }, wordsOf('de')).length, ALL.length, 'and not repeated')
  t.same(warningLines({ warnings: [], error: 'x' }, wordsOf('de')), ['x'])
  t.same(warningLines({ warnings: [{ code: 'new', message: 'y' }], error: '' }, wordsOf('de')), ['y'], 'of another version of the service')
  t.end()
})
