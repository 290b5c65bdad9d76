// Proportions of the drawings by model, in units of a field of 240 by 200 whose ground is at 186.

/**
 * @typedef {object} Shape
 * @property {'cabinet' | 'frame' | 'bridge' | 'arm'} kind closed, open, bed slinger with two columns or with one
 * @property {number} width @property {number} height of the body; of a bed slinger: of the columns
 * @property {'corner' | 'keys' | 'wide' | 'right'} screen
 * @property {1 | 2} nozzles
 * @property {boolean} [rack] it changes hot ends
 */

const CUBE = { kind: 'cabinet', width: 132, height: 128, screen: 'corner', nozzles: 1 }
const LARGE = { kind: 'cabinet', width: 156, height: 140, screen: 'right', nozzles: 1 }

/** @type {Readonly<Record<string, any>>} */
export const SHAPES = {
  X1C: CUBE,
  X1: CUBE,
  X1E: { ...CUBE, height: 132 },
  P1P: { ...CUBE, kind: 'frame', screen: 'keys' },
  P1S: { ...CUBE, screen: 'keys' },
  P2S: { ...CUBE, screen: 'wide' },
  X2D: { ...CUBE, screen: 'wide', nozzles: 2 },
  H2S: LARGE,
  H2D: { ...LARGE, nozzles: 2 },
  H2D_PRO: { ...LARGE, height: 144, nozzles: 2 },
  H2C: { ...LARGE, nozzles: 2, rack: true },
  A1: { kind: 'bridge', width: 150, height: 122, screen: 'right', nozzles: 1 },
  A1_MINI: { kind: 'arm', width: 112, height: 106, screen: 'right', nozzles: 1 },
  A2L: { kind: 'bridge', width: 176, height: 138, screen: 'right', nozzles: 1 }
}

/** For a model that is not known yet. */
export const ANY_SHAPE = CUBE
