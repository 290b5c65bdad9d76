import { fieldsIn, type Fields, type Reading } from '../decode/reading.js'
import { shelly1Status, shelly2Switch } from '../decode/shelly.js'
import { tasmotaFields } from '../decode/tasmota.js'
import type { PlugKind, PlugSettings } from '../kinds.data.js'
import { digestOf } from './digest.js'
import { lanRequest } from './lan-request.js'

/** A plug that answers requests. Both throw an Error with words for people. */
export interface HttpPlug {
  read (signal: AbortSignal): Promise<Reading>
  /** @param before called right before each request that can switch */
  turn (on: boolean, signal: AbortSignal, before: () => void): Promise<void>
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
    async turn (on, signal, before) {
      before()
      await ask(`Power${channel} ${on ? 'On' : 'Off'}`, signal)
    }
  }
}

interface Asking {
  readonly signal: AbortSignal
  /** Called right before each request to this path. */
  readonly before?: () => void
}

/** Shelly of the first generation, whose login is sent as it is. */
function shelly1 (host: string, channel: number, password: string | undefined): HttpPlug {
  const basic = `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`
  const headers = password === undefined ? {} : { authorization: basic }
  const ask = async (path: string, signal: AbortSignal) => objectIn(await lanRequest({ host, path, headers }, signal))
  return {
    read: async signal => known(shelly1Status(await ask('/status', signal), channel)),
    async turn (on, signal, before) {
      before()
      await ask(`/relay/${channel}?turn=${on ? 'on' : 'off'}`, signal)
    }
  }
}

/** Shelly of later generations; a login is by digest and needs the challenge of a request before. */
function shelly2 (host: string, channel: number, password: string | undefined): HttpPlug {
  const status = `/rpc/Switch.GetStatus?id=${channel}`

  async function answerTo (challenge: string, path: string, { signal, before = () => {} }: Asking): Promise<Fields> {
    const authorization = digestOf(challenge, { method: 'GET', path }, { user: USER, password: password ?? '' })
    if (authorization === undefined) throw new Error('it asks for a kind of login that is not known')
    before()
    return objectIn(await lanRequest({ host, path, headers: { authorization } }, signal))
  }

  return {
    async read (signal) {
      const answer = await lanRequest({ host, path: status }, signal)
      const isAsked = answer.status === 401 && password !== undefined
      return known(shelly2Switch(isAsked ? await answerTo(answer.challenge, status, { signal }) : objectIn(answer)))
    },
    async turn (on, signal, before) {
      const path = `/rpc/Switch.Set?id=${channel}&on=${on}`
      // The challenge comes from a question, so that the command itself is one request.
      const asked = password === undefined ? undefined : await lanRequest({ host, path: status }, signal)
      if (asked?.status === 401) {
        await answerTo(asked.challenge, path, { signal, before })
        return
      }
      before()
      objectIn(await lanRequest({ host, path }, signal))
    }
  }
}

/** What is known of the generation of a Shelly, and where it is kept. */
export interface Generation {
  /** It has once answered as one of a later generation. */
  readonly isLater: boolean
  readonly foundLater: () => void
}

/** Shelly of all generations; which one it is, the device says once, without a login. */
function shelly ({ host = '', channel = 0 }: PlugSettings, password: string | undefined, known: Generation): HttpPlug {
  let plug: HttpPlug | undefined
  let { isLater } = known

  /** One of a later generation never gets the login of the first: another device may have its address. */
  async function plugOf (signal: AbortSignal): Promise<HttpPlug> {
    if (plug) return plug
    const { gen } = objectIn(await lanRequest({ host, path: '/shelly' }, signal))
    const saysLater = typeof gen === 'number' && gen >= 2
    if (isLater && !saysLater && password !== undefined) {
      throw new Error('another, older Shelly answers at its address, which does not get its password: remove the plug and add it again')
    }
    if (saysLater && !isLater) known.foundLater()
    isLater = saysLater
    return (plug = (isLater ? shelly2 : shelly1)(host, channel, password))
  }

  return {
    async read (signal) {
      try {
        return await (await plugOf(signal)).read(signal)
      } catch (error) {
        plug = undefined // it may have been replaced
        throw error
      }
    },
    turn: async (on, signal, before) => (await plugOf(signal)).turn(on, signal, before)
  }
}

export const httpPlugOf = (
  kind: PlugKind, settings: PlugSettings, password: string | undefined, generation: Generation
): HttpPlug =>
  kind === 'tasmota_http' ? tasmota(settings, password) : shelly(settings, password, generation)
