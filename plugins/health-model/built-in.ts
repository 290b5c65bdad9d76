import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StoredModel } from './store.js'
import { BUILT_IN, type Model } from './types.js'

/** Locations of the file in the source tree and the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['./network/failures.onnx', '../plugins/health-model/network/failures.onnx']

/** What it was trained on, and what it was never shown: docs/decisions/058-a-network-of-our-own.md. */
const MODEL: Model = {
  name: BUILT_IN,
  kind: 'classifier',
  sha256: '0ed39875f278047f71b9400bed665f854816f2f0dc8b2d8e40f9145c0b616b1c',
  bytes: 1_178_618,
  source: 'prnd',
  licence: 'MIT; trained on pictures under CC BY 4.0, MIT, Apache 2.0 and in the public domain (network/NOTICE.md)',
  addedAt: '2026-11-28T00:00:00Z',
  width: 544,
  height: 304,
  fit: 'whole',
  grey: false,
  mean: [0, 0, 0],
  std: [1, 1, 1],
  labels: ['failure'],
  failing: ['failure'],
  threshold: 0.5
}

/** The network that comes with prnd. @throws when its file is missing */
export function builtIn (): StoredModel {
  const file = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(path => existsSync(path))
  if (file === undefined) throw new Error('The built-in network is missing: rebuild the package')
  return { model: MODEL, file }
}
