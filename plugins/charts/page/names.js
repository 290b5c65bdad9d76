// What groups of prints are called.

import { modelName, t } from 'shell'

export const GROUPS = ['printer', 'material', 'model']

/** @param {string} by @param {string} name */
export function nameOf (by, name) {
  if (name === '') return t(`charts.unknown.${by}`)
  return by === 'model' ? modelName(name) : name
}
