import { DARK, LIGHT } from './palette.data.js'

type Colour = keyof typeof DARK

const variables = (palette: Readonly<Record<Colour, string>>) =>
  Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(';')

/** Declared twice: SVG renderers without support for variables use the first. */
const paint = (property: 'fill' | 'stroke', colour: Colour) =>
  `${property}:${DARK[colour]};${property}:var(--${colour})`

const SERIES = ['s1', 's2', 's3', 's4', 's5', 's6'] as const

const RULES: readonly (readonly [selector: string, declarations: string])[] = [
  ['text', `${paint('fill', 'ink')};font-size:12px`],
  ['.h', 'font-size:15px;font-weight:600'],
  ['.b', 'font-weight:600'],
  ['.big', 'font-size:17px'],
  ['.m', paint('fill', 'muted')],
  ['.w', paint('fill', 'warn')],
  ['.e', paint('fill', 'bad')],
  ['.bg', paint('fill', 'panel')],
  ['.g', `fill:none;${paint('stroke', 'grid')}`],
  ['.o', `fill:none;${paint('stroke', 'muted')}`],
  ['.k', `${paint('stroke', 'panel')};stroke-width:3px;stroke-linejoin:round;paint-order:stroke`],
  ['.l', 'fill:none;stroke-width:1.8px;stroke-linecap:round;stroke-linejoin:round'],
  ['.d', 'stroke-width:1.3px;stroke-dasharray:4 3;stroke-linecap:butt;opacity:.85'],
  ['.a', 'fill-opacity:.22'],
  ...SERIES.flatMap((series, at) => [
    [`.l${at + 1}`, paint('stroke', series)],
    [`.f${at + 1}`, paint('fill', series)]
  ] as const)
]

/**
 * The style sheet in every drawing, with constant text so that a content security policy can allow its hash. Dark
 * unless the reader prefers light; `data-theme` on the root of the page overrides that.
 */
export const CHART_STYLE = [
  `.prnd-chart{${variables(DARK)};font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}`,
  `@media(prefers-color-scheme:light){.prnd-chart{${variables(LIGHT)}}}`,
  `:root[data-theme=dark] .prnd-chart{${variables(DARK)}}`,
  `:root[data-theme=light] .prnd-chart{${variables(LIGHT)}}`,
  ...RULES.map(([selector, declarations]) => `.prnd-chart ${selector}{${declarations}}`)
].join('')
