import { readPageFile } from '../../../core/index.js'
import { dataUri, sidesOf } from '../images.js'
import { isTower, type Box } from '../read/plate-map.js'
import type { BedMm } from '../read/bed.js'
import type { Plate } from '../read/project.js'
import type { PlateImages } from '../project-document.js'
import { drawBoxes, paintOf } from './boxes.js'
import { element, escape, svg } from './svg.js'

export interface ShownPlate { readonly plate: Plate, readonly images: PlateImages, readonly bed: BedMm }

let style: string | undefined
const pageStyle = () => (style ??= readPageFile('projects', 'viewer.css'))

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

const picture = (bytes: Buffer | undefined, text: string, above = ''): string => element('figure', {},
  bytes === undefined
    ? '<div class="none">no picture</div>'
    : `<div class="stack"><img src="${dataUri('image/png', bytes)}" alt="${escape(text)}" width="300" height="300">${above}</div>`,
  element('figcaption', {}, escape(text)))

function layout ({ images: { topimg }, bed }: ShownPlate, boxes: readonly Box[]): string {
  if (topimg === undefined || boxes.length === 0) return ''
  const { width, height } = sidesOf(topimg)
  const k = Math.max(width, height) / 300
  const drawing = svg(width, height, drawBoxes(boxes, bed, { width, height }, k)).replace('<svg ', '<svg role="img" aria-label="Objects" ')
  return picture(topimg, 'Objects by number', drawing)
}

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

function duration (seconds: number): string {
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE)
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  return hours > 0 ? `${hours} h ${minutes % MINUTES_PER_HOUR} min` : `${minutes} min`
}

function facts ({ printable, seconds, grams, nozzleDiametersMm }: Plate): string {
  const found = [
    seconds !== undefined && duration(seconds),
    grams !== undefined && `${grams} g`,
    nozzleDiametersMm.length > 0 && `nozzle ${nozzleDiametersMm.join(' and ')} mm`,
    !printable && 'not sliced: cannot be printed'
  ].filter(fact => fact !== false)
  return found.length === 0 ? '' : element('p', { class: 'facts' }, escape(found.join(' · ')))
}

const swatch = (color: string): string => `<span class="swatch" style="background:${escape(color || 'transparent')}"></span>`

const filaments = (plate: Plate): string => element('ul', { class: 'filaments' }, ...plate.filaments.map(({ id, type, color, grams }) =>
  element('li', {}, swatch(color), escape(`${id}: ${[type, color].filter(Boolean).join(' ') || 'unknown'}`),
    grams === undefined ? '' : ` <small>${grams} g</small>`)))

const MOST_LISTED = 200

function objects (boxes: readonly Box[]): string {
  const { colorOf } = paintOf(boxes)
  const rows = boxes.slice(0, MOST_LISTED).map(({ id, name }) =>
    element('li', {}, swatch(colorOf(name)), `<code>${id}</code> `, escape(name || '(no name)')))
  const more = boxes.length > MOST_LISTED ? `<li>and ${boxes.length - MOST_LISTED} more</li>` : ''
  return boxes.length === 0 ? '' : element('ul', { class: 'objects' }, ...rows, more)
}

function card (shown: ShownPlate): string {
  const { plate, images } = shown
  const boxes = plate.boxes.filter(({ name }) => !isTower(name))
  return element('section', { id: `plate-${plate.number}`, class: 'plate' },
    element('h2', {}, escape(`Plate ${plate.number}${plate.name === '' ? '' : `: ${plate.name}`}`)),
    facts(plate),
    element('div', { class: 'pictures' },
      picture(images.thumbnail, 'Preview'), picture(images.topimg, 'From above'), layout(shown, boxes)),
    filaments(plate),
    objects(boxes))
}

/** All plates of a project as one document that needs nothing else; each can be reached as `#plate-n`. */
export function viewerPage (name: string, plates: readonly ShownPlate[]): string {
  const links = plates.map(({ plate }) => `<a href="#plate-${plate.number}">${plate.number}</a>`).join(' ')
  return '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<meta http-equiv="content-security-policy" content="${escape(POLICY)}">` +
    `<title>Plates of ${escape(name)}</title><style>${pageStyle()}</style></head><body>` +
    `<header><h1>${escape(name)}</h1><nav aria-label="Plates">Plates ${links}</nav></header>` +
    `<main>${plates.map(card).join('')}</main></body></html>\n`
}
