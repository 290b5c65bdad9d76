import type { Trees } from '../../../plugins/health/analysis/improved/trees.js'

export interface Examples {
  readonly features: readonly string[]
  /** Row after row. */
  readonly rows: Float32Array
  /** 1 or 0. */
  readonly labels: Uint8Array
  readonly weights: Float32Array
}
export interface BoostOptions {
  readonly trees: number
  /** What each tree counts. */
  readonly rate: number
  /** Least weight of a leaf, and how much a leaf of little weight is drawn to none. */
  readonly least: number
  readonly smoothing: number
}

const BINS = 48
const QUESTIONS = 7

/** Values between which a feature is told apart: about as many rows between each two. */
function edgesOf (rows: Float32Array, width: number, feature: number): Float32Array {
  const count = rows.length / width
  const step = Math.max(1, Math.floor(count / 20_000))
  const sample: number[] = []
  for (let row = 0; row < count; row += step) sample.push(rows[row * width + feature] as number)
  sample.sort((a, b) => a - b)
  const edges = new Set<number>()
  for (let bin = 1; bin < BINS; bin++) edges.add(sample[Math.floor(bin * sample.length / BINS)] as number)
  return Float32Array.from(edges)
}

function binned (rows: Float32Array, width: number, edges: readonly Float32Array[]): Uint8Array[] {
  const count = rows.length / width
  return edges.map((of, feature) => {
    const bins = new Uint8Array(count)
    for (let row = 0; row < count; row++) {
      const value = rows[row * width + feature] as number
      let [low, high] = [0, of.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= (of[middle] as number)) high = middle
        else low = middle + 1
      }
      bins[row] = low
    }
    return bins
  })
}

/** Gradient boosting of the logistic loss with trees of depth three. The same examples give the same trees. */
export function boost ({ features, rows, labels, weights }: Examples, options: BoostOptions): Trees {
  const { trees: most, rate, least, smoothing } = options
  const width = features.length
  const count = labels.length
  const edges = features.map((_, feature) => edgesOf(rows, width, feature))
  const bins = binned(rows, width, edges)
  let [yes, all] = [0, 0]
  for (let row = 0; row < count; row++) {
    yes += (labels[row] as number) * (weights[row] as number)
    all += weights[row] as number
  }
  const base = Math.log(yes / (all - yes))
  const odds = new Float32Array(count).fill(base)
  const slope = new Float32Array(count)
  const bend = new Float32Array(count)
  const node = new Uint8Array(count)
  const trees: number[][] = []
  while (trees.length < most) {
    for (let row = 0; row < count; row++) {
      const chance = 1 / (1 + Math.exp(-(odds[row] as number)))
      slope[row] = ((labels[row] as number) - chance) * (weights[row] as number)
      bend[row] = chance * (1 - chance) * (weights[row] as number)
    }
    node.fill(0)
    const tree = new Array<number>(2 * QUESTIONS + QUESTIONS + 1).fill(0)
    for (let first = 0; first < QUESTIONS; first = 2 * first + 1) {
      const nodes = first + 1
      const sums = new Float64Array(nodes * width * BINS * 2)
      for (let feature = 0; feature < width; feature++) {
        const of = bins[feature] as Uint8Array
        for (let row = 0; row < count; row++) {
          const to = (((node[row] as number) - first) * width + feature) * BINS * 2 + 2 * (of[row] as number)
          sums[to] = (sums[to] as number) + (slope[row] as number)
          sums[to + 1] = (sums[to + 1] as number) + (bend[row] as number)
        }
      }
      for (let own = 0; own < nodes; own++) {
        let best = { gain: 1e-9, feature: 0, bin: -1 }
        for (let feature = 0; feature < width; feature++) {
          const from = (own * width + feature) * BINS * 2
          let [g, h] = [0, 0]
          for (let bin = 0; bin < BINS; bin++) {
            g += sums[from + 2 * bin] as number
            h += sums[from + 2 * bin + 1] as number
          }
          let [gl, hl] = [0, 0]
          for (let bin = 0; bin < (edges[feature] as Float32Array).length; bin++) {
            gl += sums[from + 2 * bin] as number
            hl += sums[from + 2 * bin + 1] as number
            if (hl < least || h - hl < least) continue
            const gain = gl * gl / (hl + smoothing) + (g - gl) ** 2 / (h - hl + smoothing) - g * g / (h + smoothing)
            if (gain > best.gain) best = { gain, feature, bin }
          }
        }
        const question = first + own
        tree[2 * question] = best.feature
        tree[2 * question + 1] = best.bin < 0 ? 1e9 : edges[best.feature]?.[best.bin] as number
      }
      for (let row = 0; row < count; row++) {
        const at = node[row] as number
        const value = rows[row * width + (tree[2 * at] as number)] as number
        node[row] = 2 * at + (value <= (tree[2 * at + 1] as number) ? 1 : 2)
      }
    }
    const [gs, hs] = [new Float64Array(QUESTIONS + 1), new Float64Array(QUESTIONS + 1)]
    for (let row = 0; row < count; row++) {
      const leaf = (node[row] as number) - QUESTIONS
      gs[leaf] = (gs[leaf] as number) + (slope[row] as number)
      hs[leaf] = (hs[leaf] as number) + (bend[row] as number)
    }
    gs.forEach((g, leaf) => { tree[2 * QUESTIONS + leaf] = rate * g / ((hs[leaf] as number) + smoothing) })
    for (let row = 0; row < count; row++) {
      odds[row] = (odds[row] as number) + (tree[QUESTIONS + (node[row] as number)] as number)
    }
    trees.push(tree)
  }
  return { features, base, trees }
}
