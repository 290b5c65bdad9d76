import { fieldsIn, type Fields, type Reading } from '../decode/reading.js'
import { shelly1Status, shelly2Switch } from '../decode/shelly.js'
import { tasmotaFields } from '../decode/tasmota.js'
import type { PlugKind, PlugSettings } from '../kinds.data.js'
import { digestOf } from './digest.js'
import { lanRequest } from './lan-request.js'

/** A plug that answers requests. Both throw an Error with words for people. */
export interface HttpPlug {
  read (signal: AbortSignal): Promise<Reading>
  turn (on: boolean, signal: AbortSignal): Promise<void>
}

/** The user of all Shelly devices of the second generation, and of Tasmota. */
const USER = 'admin'

/** @throws Error for an answer that is no JSON object of a device */
function objectIn ({ status, text }: { readonly status: number, readonly text: string }): Fields {
  if (status === 401 || status === 403) throw new Error('user or password is wrong')
  if (status !== 200) throw new Error(`it answered ${status}`)
  const fields = fieldsIn(text)
  if (fields === undefined) throw new Error('its answer is not that of a plug')
  return fields
}

function known (reading: Reading | undefined): Reading {
  if (reading?.isOn === undefined) throw new Error('its answer does not say whether it is on')
  return reading
}

/** @param password of the device; undefined without one */
function tasmota ({ host = '', channel = 1 }: PlugSettings, password: string | undefined): HttpPlug {
  const login = password === undefined ? '' : `user=${USER}&password=${encodeURIComponent(password)}&`
  async function ask (command: string, signal: AbortSignal): Promise<Fields> {
    const fields = objectIn(await lanRequest({ host, path: `/cm?${login}cmnd=${encodeURIComponent(command)}` }, signal))
    if (typeof fields.WARNING === 'string') throw new Error('user or password is wrong')
    return fields
  }
  return {
    read: async signal => known(tasmotaFields(await ask('Status 0', signal), channel)),
    turn: async (on, signal) => { await ask(`Power${channel} ${on ? 'On' : 'Off'}`, signal) }
  }
}

/** Shelly of both generations; which one it is, the device says without a login. */
function shelly ({ host = '', channel = 0 }: PlugSettings, password: string | undefined): HttpPlug {
  let generation: number | undefined

  async function generationOf (signal: AbortSignal): Promise<number> {
    const fields = objectIn(await lanRequest({ host, path: '/shelly' }, signal))
    return (generation ??= typeof fields.gen === 'number' && fields.gen >= 2 ? 2 : 1)
  }

  async function ask (path: string, signal: AbortSignal): Promise<Fields> {
    const basic = `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`
    const isFirst = await generationOf(signal) === 1
    const headers = isFirst && password !== undefined ? { authorization: basic } : {}
    const answer = await lanRequest({ host, path, headers }, signal)
    if (answer.status !== 401 || isFirst || password === undefined) return objectIn(answer)
    const authorization = digestOf(answer.challenge, { method: 'GET', path }, { user: USER, password })
    if (authorization === undefined) throw new Error('it asks for a kind of login that is not known')
    return objectIn(await lanRequest({ host, path, headers: { authorization } }, signal))
  }

  return {
    async read (signal) {
      if (await generationOf(signal) === 1) return known(shelly1Status(await ask('/status', signal), channel))
      return known(shelly2Switch(await ask(`/rpc/Switch.GetStatus?id=${channel}`, signal)))
    },
    async turn (on, signal) {
      const isFirst = await generationOf(signal) === 1
      await ask(isFirst ? `/relay/${channel}?turn=${on ? 'on' : 'off'}` : `/rpc/Switch.Set?id=${channel}&on=${on}`, signal)
    }
  }
}

export const httpPlugOf = (kind: PlugKind, settings: PlugSettings, password: string | undefined): HttpPlug =>
  kind === 'tasmota_http' ? tasmota(settings, password) : shelly(settings, password)
