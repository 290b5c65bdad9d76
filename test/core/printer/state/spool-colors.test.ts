import t from 'tap'
import { spoolColors } from '../../../../core/printer/state/spool-colors.js'
import { decode } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'
import { colorText, spoolColorNames, spoolColorText } from '../../../../plugins/filament/colors.js'
import { spoolEntry } from '../../../../plugins/state/document/ams.js'

const TAG = { tag_uid: 'DE6CF07300000100', tray_uuid: '5F3D8925633343C29FB9A97FA9125971' }

/** A spool as reports of a printer, with these fields, tell of it. */
function spoolOf (fields: Fields) {
  const tray = { id: '0', state: 11, tray_type: 'PLA', ...fields }
  const [spool] = decode({ ams: { ams_exist_bits: '1', tray_exist_bits: '1', ams: [{ id: '0', tray: [tray] }] } }).spools
  if (spool === undefined) throw new Error('no spool')
  return spool
}

type Case = readonly [
  what: string, fields: Fields, colors: string[], isTranslucent: boolean, text: string, words: string
]

t.test('one colour, several, clear and unknown ones are told apart', async t => {
  const cases: readonly Case[] = [
    ['one', { tray_color: 'FF0000FF', cols: ['FF0000FF'] }, ['FF0000FF'], false, 'red', 'red'],
    ['black', { tray_color: '000000FF', cols: ['000000FF'] }, ['000000FF'], false, 'black', 'black'],
    ['several', { tray_color: 'FF0000FF', cols: ['FF0000FF', '0000FFFF', '00FF00FF'], ctype: 0 }, ['FF0000FF', '0000FFFF', '00FF00FF'], false, 'red', 'red, blue, lime'],
    ['the same twice', { tray_color: 'FF0000FF', cols: ['FF0000FF', 'FF0000FF'] }, ['FF0000FF'], false, 'red', 'red'],
    ['several without a main one', { tray_color: '00000000', cols: ['FF0000FF', '0000FFFF'] }, ['FF0000FF', '0000FFFF'], false, 'red', 'red, blue'],
    ['translucent', { tray_color: 'FFA50080', cols: ['FFA50080'] }, ['FFA50080'], true, 'orange', 'translucent orange'],
    ['clear, by its tag', { tray_color: '00000000', cols: ['00000000'], ...TAG }, ['00000000'], true, '#00000000', 'transparent'],
    ['unknown', { tray_color: '00000000', cols: ['00000000'] }, [], false, '#00000000', 'unknown colour'],
    ['not said', {}, [], false, '#00000000', 'unknown colour'],
    ['empty text', { tray_color: '', cols: [] }, [], false, '#00000000', 'unknown colour'],
    ['no colour', { tray_color: 'pink?', cols: ['?'] }, [], false, '#00000000', 'unknown colour']
  ]
  for (const [what, fields, colors, isTranslucent, text, words] of cases) {
    const spool = spoolOf(fields)
    t.strictSame(spoolColors(spool), { colors, isTranslucent }, what)
    t.equal(spoolColorText(spool), text, what)
    t.equal((await spoolColorNames(spool)).words, words, what)
    t.match(spoolEntry(spool, { spoolColorText, colorText } as never),
      { color: text, colors: colors.map(color => `#${color}`), translucent: isTranslucent, color_known: colors.length > 0 }, what)
  }
})
