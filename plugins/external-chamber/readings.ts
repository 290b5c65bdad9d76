import type { Options } from './options.js'

/** The readings of the chamber. */
export interface Reading {
  /** °C; undefined before the first reading. */
  readonly celsius: number | undefined
  /** The heater is on; undefined while it is unknown. */
  readonly heating: boolean | undefined
}

/** Longest accepted number, in any common notation, and longest state. */
const LONGEST = 64
const COLDEST_C = -60
const HOTTEST_C = 300
/** A sensor that has said nothing for so long shows no temperature. */
const LONGEST_SILENCE_MS = 15 * 60_000
/** Readings are told no more often. */
const TELL_EVERY_MS = 1_000

function celsiusOf (payload: Buffer): number | undefined {
  const text = payload.length > LONGEST ? '' : payload.toString().trim()
  const celsius = text === '' ? NaN : Number(text)
  return celsius >= COLDEST_C && celsius <= HOTTEST_C ? celsius : undefined
}

interface Deps {
  readonly options: Pick<Options, 'temperatureTopic' | 'currentStateTopic' | 'onValue'>
  /** ms of a monotonic clock. */
  readonly steady: () => number
  readonly tell: (reading: Reading) => void
}

/** What thermometer and heater say. A flood of messages is told as a few readings, the last of them included. */
export function createReadings ({ options, steady, tell }: Deps) {
  const { temperatureTopic, currentStateTopic, onValue } = options
  let reading: Reading = { celsius: undefined, heating: undefined }
  let heardAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let isChanged = false

  const current = (): Reading =>
    steady() - heardAt < LONGEST_SILENCE_MS ? reading : { ...reading, celsius: undefined }

  const isOn = (payload: Buffer): boolean =>
    payload.length <= LONGEST + onValue.length * 4 && payload.toString().trim() === onValue

  function announce (): void {
    if (timer !== undefined || !isChanged) return
    isChanged = false
    tell(current())
    timer = setTimeout(() => {
      timer = undefined
      announce()
    }, TELL_EVERY_MS).unref()
  }

  return {
    get current () { return current() },
    take (topic: string, payload: Buffer): void {
      const celsius = topic === temperatureTopic ? celsiusOf(payload) : undefined
      const heating = topic === currentStateTopic ? isOn(payload) : reading.heating
      if (celsius !== undefined) heardAt = steady()
      if (celsius === undefined && heating === reading.heating) return
      reading = { celsius: celsius ?? reading.celsius, heating }
      isChanged = true
      announce()
    },
    close (): void { clearTimeout(timer) }
  }
}
