import { isJson, type Json } from '../json-merge.js'
import type { Machine } from '../machine/types.js'
import { setSetting } from '../machine/bit-fields.js'
import { text } from '../request.js'
import type { Body, Handlers, Reply } from './reply.js'

const CAMERA_OK = 0
const CAMERA_FAILED = -1

const ipcam = (m: Machine): Json => isJson(m.fields.ipcam) ? m.fields.ipcam : {}

/** A switch of the camera: its key in `ipcam` and its bit in `cfg`. */
const cameraSwitch = (key: string, cfg: number) => (m: Machine, { control }: Body): Reply => {
  if (control !== 'enable' && control !== 'disable') return { result: CAMERA_FAILED }
  m.fields = { ...m.fields, ipcam: { ...ipcam(m), [key]: control } }
  setSetting(m, { cfg }, control === 'enable')
  return { result: CAMERA_OK }
}

function resolution (m: Machine, body: Body): Reply {
  const wanted = text(body.resolution)
  if (wanted !== '1080p' && wanted !== '720p') return { result: CAMERA_FAILED }
  m.fields = { ...m.fields, ipcam: { ...ipcam(m), resolution: wanted } }
  setSetting(m, { cfg: 4 }, wanted === '1080p')
  return { result: CAMERA_OK }
}

export const camera: Handlers = {
  ipcam_record_set: cameraSwitch('ipcam_record', 3),
  ipcam_timelapse: cameraSwitch('timelapse', 5),
  ipcam_cap_pic_set: cameraSwitch('cap_pic_enable', 38),
  ipcam_resolution_set: resolution,
  ipcam_get_media_info: () => ({ result: CAMERA_OK, is_enough: true, file_count: 0 })
}
