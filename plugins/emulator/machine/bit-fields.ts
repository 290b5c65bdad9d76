import type { Machine, Words } from './types.js'

type BigWord = 'fun' | 'fun2' | 'cfg' | 'aux' | 'stat'

const hexWord = (text: string | undefined): bigint => text === undefined ? 0n : BigInt(`0x${text}`)

const SIGNATURE_BIT = 29

export function powerOnWords ({ words }: Machine['traits'], developerMode: boolean): Words {
  const fun = hexWord(words.fun)
  const signature = 1n << BigInt(SIGNATURE_BIT)
  return {
    homeFlag: words.homeFlag >>> 0,
    flag3: words.flag3 ?? 0,
    fun: developerMode ? fun & ~signature : fun | signature,
    fun2: hexWord(words.fun2),
    cfg: hexWord(words.cfg),
    aux: hexWord(words.aux),
    stat: hexWord(words.stat)
  }
}

export const homeBit = (m: Machine, bit: number): boolean => ((m.words.homeFlag >>> bit) & 1) === 1

export function setHomeBit (m: Machine, bit: number, on: boolean): void {
  const mask = 2 ** bit
  m.words.homeFlag = homeBit(m, bit) === on ? m.words.homeFlag : m.words.homeFlag + (on ? mask : -mask)
}

/** Writes a field of `width` bits into one of the long words; without effect on models without that word. */
export function setField (m: Machine, word: BigWord, bit: number, width: number, value: number): void {
  if (!m.traits.modern) return
  const mask = ((1n << BigInt(width)) - 1n) << BigInt(bit)
  m.words[word] = (m.words[word] & ~mask) | ((BigInt(value) << BigInt(bit)) & mask)
}

export const getBit = (m: Machine, word: BigWord, bit: number): boolean =>
  ((m.words[word] >> BigInt(bit)) & 1n) === 1n

/** A setting in `home_flag`, in `cfg`, or in both. */
export function setSetting (m: Machine, bits: { home?: number, cfg?: number }, on: boolean): void {
  if (bits.home !== undefined) setHomeBit(m, bits.home, on)
  if (bits.cfg !== undefined) setField(m, 'cfg', bits.cfg, 1, on ? 1 : 0)
}
