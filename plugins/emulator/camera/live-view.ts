import { isJson, type Json } from '../json-merge.js'
import type { Machine } from '../machine/types.js'

const ipcam = ({ fields }: Machine): Json => isJson(fields.ipcam) ? fields.ipcam : {}

const setUrl = (m: Machine, url: unknown): void => { m.fields = { ...m.fields, ipcam: { ...ipcam(m), rtsp_url: url } } }

const OFF: readonly unknown[] = ['disable', 'disabled', 'none', '']

/** Whether reports say that live view in the network is switched off, in either of their forms. */
export function isLiveViewOff (m: Machine): boolean {
  const { rtsp_url: url, liveview } = ipcam(m)
  return OFF.includes(url) || (isJson(liveview) && OFF.includes(liveview.local))
}

/** Names the port that video is served on in the reports; they know the standard one from the start. */
export function announcePort (m: Machine, port: number): void {
  const { rtsp_url: url } = ipcam(m)
  if (typeof url === 'string' && !OFF.includes(url)) setUrl(m, url.replace(/:\d+\//, `:${port}/`))
}

/** Switches live view off in the reports. @returns restores the address */
export function switchLiveViewOff (m: Machine): () => void {
  const { rtsp_url: before } = ipcam(m)
  setUrl(m, 'disable')
  return () => { if (ipcam(m).rtsp_url === 'disable') setUrl(m, before) }
}
