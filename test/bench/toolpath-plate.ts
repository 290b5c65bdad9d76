import { MODELS } from '../../core/printer/models.data.js'
import { vendorPlate } from '../plugins/toolpath/files/vendor-plate.js'

const OBJECTS = 6
const LOOPS = 3
const CORNERS = 220
const LINES_OF_INFILL = 60
/** Every so many moves are an arc, as slicers write them where they can. */
const ARC_EVERY = 12
const FILAMENT_PER_MM = 0.0335

/** A plate of a size, like those of the printers' own slicer: long walls of short moves, arcs, infill, few comments. */
export function toolpathPlate (bytes: number): Buffer {
  const model = MODELS[0]!
  const lines = vendorPlate({ model, layers: 2 }, () => 3_600)
  const begin = lines.indexOf('; CHANGE_LAYER')
  const end = lines.findIndex(line => line.startsWith('M981 S0'))
  const parts = [`${lines.slice(0, begin).join('\n')}\n`]
  let length = parts[0]!.length
  for (let layer = 1; length < bytes; layer++) {
    const text = layerText(layer)
    parts.push(text)
    length += text.length
  }
  parts.push(lines.slice(end).join('\n'))
  return Buffer.from(parts.join(''))
}

function layerText (layer: number): string {
  const z = (layer * 0.2).toFixed(1)
  const lines = ['; CHANGE_LAYER', `; Z_HEIGHT: ${z}`, '; LAYER_HEIGHT: 0.2', 'G1 E-.8 F1800', `M73 L${layer}`, `M73 P${layer % 99} R60`]
  for (let object = 0; object < OBJECTS; object++) {
    const [x, y] = [60 + object % 3 * 65, 70 + Math.floor(object / 3) * 90]
    lines.push(`; OBJECT_ID: ${object + 10}`, `G1 X${x} Y${y} F42000`, `G1 Z${z}`, 'G1 E.8 F1800')
    for (let loop = 0; loop < LOOPS; loop++) {
      lines.push(loop === LOOPS - 1 ? '; FEATURE: Outer wall' : '; FEATURE: Inner wall', '; LINE_WIDTH: 0.42', 'G1 F9000', 'M204 S5000')
      addLoop(lines, x, y, 22 + loop * 0.4, layer * 0.013 + object)
    }
    lines.push('; FEATURE: Sparse infill', '; LINE_WIDTH: 0.45', 'G1 F12000')
    for (let line = 0; line < LINES_OF_INFILL; line++) {
      const far = 18 + 4 * Math.sin(line + layer)
      lines.push(`G1 X${(x - far).toFixed(3)} Y${(y - 15 + line / 2).toFixed(3)} F42000`,
        `G1 X${(x + far).toFixed(3)} Y${(y - 15 + line / 2 + Math.cos(layer)).toFixed(3)} E${(2 * far * FILAMENT_PER_MM).toFixed(5)}`)
    }
    lines.push('; WIPE_START', `G1 X${x} Y${y} E-.76 F24000`, '; WIPE_END')
  }
  return `${lines.join('\n')}\n`
}

function addLoop (lines: string[], x: number, y: number, radius: number, turn: number): void {
  let [beforeX, beforeY] = [NaN, NaN]
  for (let corner = 0; corner <= CORNERS; corner++) {
    const angle = corner / CORNERS * 2 * Math.PI + turn
    const r = radius + 2 * Math.sin(angle * 5 + turn)
    const [toX, toY] = [x + r * Math.cos(angle), y + r * Math.sin(angle)]
    if (corner > 0) {
      const filament = (Math.hypot(toX - beforeX, toY - beforeY) * FILAMENT_PER_MM).toFixed(5).replace(/^0/, '')
      const arc = corner % ARC_EVERY === 0 ? ` I${(x - beforeX).toFixed(3)} J${(y - beforeY).toFixed(3)}` : ''
      lines.push(`${arc === '' ? 'G1' : 'G3'} X${toX.toFixed(3)} Y${toY.toFixed(3)}${arc} E${filament}`)
    } else lines.push(`G1 X${toX.toFixed(3)} Y${toY.toFixed(3)} F42000`, 'G1 F9000')
    beforeX = toX
    beforeY = toY
  }
}
