import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  differenceCiede2000, filterDeficiencyDeuter, filterDeficiencyProt, filterDeficiencyTrit, parse, wcagContrast
} from 'culori'
import t from 'tap'
import { DARK, LIGHT } from '../../../../../plugins/charts/svg/palette.data.js'
import { CHART_STYLE } from '../../../../../plugins/charts/svg/style.js'

const THEMES = { dark: DARK, light: LIGHT }
const SERIES = ['s1', 's2', 's3', 's4', 's5', 's6'] as const
/** Series that are drawn in one plot. */
const TOGETHER = [['s1', 's2', 's3', 's4'], ['s3', 's2'], ['s1', 's4', 's6']] as const
const EYES = {
  all: undefined,
  protan: filterDeficiencyProt(1),
  deutan: filterDeficiencyDeuter(1),
  tritan: filterDeficiencyTrit(1)
}
/** A difference that nobody overlooks is far above 2; shapes tell the lines apart besides. */
const DISTINCT = 14

for (const [theme, palette] of Object.entries(THEMES)) {
  t.test(`${theme}: text and lines stand out from the background`, t => {
    for (const name of ['ink', 'muted', 'warn', 'bad'] as const) {
      t.ok(wcagContrast(palette[name], palette.panel) >= 4.5, name)
    }
    for (const name of SERIES) t.ok(wcagContrast(palette[name], palette.panel) >= 3, name)
    t.end()
  })

  t.test(`${theme}: lines of a plot differ for every kind of colour vision`, t => {
    const difference = differenceCiede2000()
    for (const [kind, filter] of Object.entries(EYES)) {
      const seen = (name: typeof SERIES[number]) => {
        const colour = parse(palette[name])
        if (!colour) throw new Error(`${name} is no colour`)
        return filter ? filter(colour) : colour
      }
      for (const group of TOGETHER) {
        for (const [at, a] of group.entries()) {
          for (const b of group.slice(at + 1)) {
            const apart = difference(seen(a), seen(b))
            t.ok(apart >= DISTINCT, `${kind}: ${a} and ${b} are ${apart.toFixed(1)} apart`)
          }
        }
      }
    }
    t.end()
  })
}

t.test('the style sheet says everything twice: for programs without variables, and for themes', t => {
  t.match(CHART_STYLE, `stroke:${DARK.s1};stroke:var(--s1)`)
  t.match(CHART_STYLE, '@media(prefers-color-scheme:light)')
  t.match(CHART_STYLE, ':root[data-theme=light] .prnd-chart')
  t.notMatch(CHART_STYLE, /[<>&]/, 'and needs no escapes, whatever it stands in')
  t.end()
})

t.test('the page around the drawings has their colours, in each theme', t => {
  const sheet = readFileSync(join(import.meta.dirname, '../../../../../plugins/charts/page/dashboard.css'), 'utf8')
  const themes = [...sheet.matchAll(/color-scheme: (dark|light); ([^}]*)\}/g)]
  t.same(themes.map(([, theme]) => theme), ['dark', 'light', 'dark', 'light', 'light'])
  for (const [, theme = '', text = ''] of themes) {
    const { panel, ink, muted, s2, warn } = theme === 'dark' ? DARK : LIGHT
    const colours = Object.fromEntries([...text.matchAll(/--(\w+): (#\w+)/g)].map(([, name, colour]) => [name, colour]))
    t.match(colours, { panel, ink, muted, accent: s2, warn })
  }
  t.end()
})
