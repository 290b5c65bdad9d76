import type { FindingView } from '../../../plugins/toolpath/schemas.js'

const finding = (code: FindingView['code'], weight: FindingView['weight'], isAcceptable: boolean): FindingView => ({
  code,
  weight,
  may_accept: isAcceptable,
  line: 12,
  layer: 2,
  position: null,
  times: 1,
  figures: {},
  message: `Line 12, layer 2: ${code}`,
  remedy: 'Slice it again.'
})

export const DATA = {
  outside: finding('outside_area', 'stop', false),
  accepted: finding('md5_mismatch', 'stop', true),
  note: finding('no_layers', 'note', true)
}
