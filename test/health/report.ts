import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { summaryOf, type Judged } from './folder.js'
import { rocOf } from './figures.js'

const SIDE = 260
const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

function rocPicture (judged: readonly Judged[]): string {
  const points = rocOf(judged).map(([wrong, right]) => `${(wrong * SIDE).toFixed(1)},${((1 - right) * SIDE).toFixed(1)}`).join(' ')
  return `<svg viewBox="-4 -4 ${SIDE + 8} ${SIDE + 8}" width="${SIDE}" role="img"><title>Detected over false alarms</title>` +
    `<path d="M0 0V${SIDE}H${SIDE}M0 ${SIDE}L${SIDE} 0" fill="none" stroke="#888"/>` +
    `<polyline points="${points}" fill="none" stroke="#06c" stroke-width="2"/></svg>`
}

const figure = (folder: string) => ({ path, fails, score, compared }: Judged): string =>
  `<figure class="${fails ? 'fails' : 'good'}"><img loading="lazy" alt="" src="${escaped(pathToFileURL(resolve(folder, path)).href)}">` +
  `<figcaption>${score.toFixed(3)} ${fails ? 'failing' : 'good'}${score === compared ? '' : `, compared ${compared.toFixed(3)}`}` +
  `<br>${escaped(path)}</figcaption></figure>`

const STYLE = 'body{font:14px sans-serif;margin:1rem}main{display:flex;flex-wrap:wrap;gap:.5rem}figure{margin:0;width:240px;' +
  'border-top:6px solid #2a2}figure.fails{border-color:#c22}img{width:100%}figcaption{overflow-wrap:anywhere}'

/** One page without scripts: figures, the curve, and every picture, the highest score first. */
export function reportPage (folder: string, judged: readonly Judged[]): string {
  const { good, failing, auc, detection } = summaryOf(judged)
  const sorted = [...judged].sort((a, b) => b.score - a.score)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Job health</title><style>${STYLE}</style>` +
    `<h1>Job health</h1><p>${good} good pictures, ${failing} failing. AUC ${auc.toFixed(3)}, ` +
    `${(100 * detection).toFixed(1)} % detected at 5 % false alarms.</p>${rocPicture(judged)}` +
    `<main>${sorted.map(figure(folder)).join('\n')}</main></html>\n`
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** @returns where the page is */
export async function writeReport (folder: string, into: string, judged: readonly Judged[]): Promise<string> {
  await mkdir(into, { recursive: true })
  const lines = judged.map(({ path, sequence, fails, score, compared }) =>
    [quoted(path), quoted(sequence), fails ? 'failing' : 'good', score, compared].join(','))
  await writeFile(join(into, 'results.csv'), ['path,sequence,label,score,compared', ...lines, ''].join('\n'))
  const page = join(into, 'report.html')
  await writeFile(page, reportPage(folder, judged))
  return page
}
