import type { Test } from 'tap'
import homeassistantPlugin from '../../../plugins/homeassistant/index.js'
import { boot, featuresWith, type Booted, type BootOptions } from '../../helpers/boot-features.js'
import { listen, startMosquitto } from '../../helpers/mosquitto.js'

/** A service at a broker, and somebody who hears everything. */
export async function start (t: Test, options: BootOptions & { homeassistant?: object } = {}) {
  const mosquitto = await startMosquitto(t)
  const ha = await listen(t, mosquitto.url)
  const booted = await bootAt(t, mosquitto.url, options)
  const { serial } = booted.printer
  return { mosquitto, ha, booted, ...topicsOf(serial) }
}

export const topicsOf = (serial: string) => ({
  own: `prnd/${serial}`,
  discovery: `homeassistant/device/prnd_${serial}/config`
})

export const bootAt = (t: Test, broker: string, { homeassistant = {}, config = {}, ...options }:
BootOptions & { homeassistant?: object } = {}): Promise<Booted> => boot(t, {
  preset: featuresWith(homeassistantPlugin),
  models: [{ model: 'P1S', reportEveryMs: 100 }],
  ...options,
  config: { ...config, plugins: { homeassistant: { broker, ...homeassistant } } }
})
