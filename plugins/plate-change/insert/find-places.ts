import { Scanner, wordBit, wordIndex, type Command, type ScannerListener } from '../../toolpath/index.js'

const G = 71
const [X, Y, Z, E_BIT] = [wordBit('X'), wordBit('Y'), wordBit('Z'), wordBit('E')]
const FLAT = X | Y
const AXES = X | Y | Z
const [E, S, Z_VALUE] = [wordIndex('E'), wordIndex('S'), wordIndex('Z')]
/** Written around what is inserted, so that nothing is inserted twice. */
export const MARK = 'PLATE CHANGE'
const BLOCK_END = 'EXECUTABLE_BLOCK_END'
const MOST_COMMENT = 40

export type EndPlace = 'before_motors_off' | 'before_block_end' | 'end_of_file'

/** Where a recipe goes in the G-code of a plate. */
export interface Places {
  /** Line of the first command: the start code goes before it. */
  readonly startLine: number
  /** The end code goes after this line. */
  readonly endLine: number
  readonly endPlace: EndPlace
  /** Whether moves were relative there. */
  readonly isRelative: boolean
  /** mm: the highest extrusion. */
  readonly heightMm: number
  /** °C: the bed's target when the first line is extruded; 0 if it has none. */
  readonly bedC: number
}

/** Follows a plate only as far as the places need it; moves are judged by the toolpath's reader. */
class PlaceListener implements ScannerListener {
  problem: string | undefined
  startLine = 0
  /** Of the last command or line of text. */
  lastLine = 0
  lastRelative = false
  lastExtrusion = 0
  heightMm = 0
  bedC = 0
  motorsOff: { readonly line: number, readonly isRelative: boolean } | undefined
  blockEnd: { readonly line: number, readonly isRelative: boolean } | undefined
  /** Open `M622`, whose commands the printer may skip. */
  openBlocks = 0
  #isRelative = false
  #isRelativeE = false
  #e = 0
  #z = 0
  #bedC = 0

  command (command: Command, line: number): void {
    if (this.startLine === 0) this.startLine = line
    if (command.letter === G) this.#g(command, line)
    else if (String.fromCharCode(command.letter) === 'M') this.#m(command, line)
    this.lastLine = line
    this.lastRelative = this.#isRelative
  }

  comment (bytes: Uint8Array, start: number, end: number, line: number): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, MOST_COMMENT)).toString('latin1').trim()
    if (text.startsWith(MARK)) this.problem ??= 'it has a plate change already'
    if (text === BLOCK_END) this.blockEnd = { line, isRelative: this.#isRelative }
  }

  tooLong (): void {}
  unreadable (): void { this.problem ??= 'a part of it is no G-code' }
  unknown (line: number): void { this.lastLine = line }

  #g ({ code, subcode, words, values }: Command, line: number): void {
    if (subcode !== 0) return
    if (code <= 3) this.#move(words, values, line)
    else if (code === 20) this.problem ??= 'it counts in inches'
    else if (code === 90) this.#isRelative = false
    else if (code === 91) this.#isRelative = true
    else if (code === 28) this.motorsOff = undefined
    else if (code === 92) {
      if ((words & AXES) !== 0) this.problem ??= 'it moves the origin (G92)'
      if ((words & E_BIT) !== 0) this.#e = values[E]!
    }
  }

  #move (words: number, values: Float64Array, line: number): void {
    if ((words & Z) !== 0) this.#z = (this.#isRelative ? this.#z : 0) + values[Z_VALUE]!
    const isExtruding = (words & E_BIT) !== 0 && this.#extrudes(values[E]!)
    if ((words & AXES) !== 0) this.motorsOff = undefined
    if (!isExtruding || (words & FLAT) === 0) return
    if (this.lastExtrusion === 0) this.bedC = this.#bedC
    this.lastExtrusion = line
    this.heightMm = Math.max(this.heightMm, this.#z)
    this.blockEnd = undefined
  }

  #extrudes (value: number): boolean {
    if (this.#isRelative || this.#isRelativeE) return value > 0
    const isMore = value > this.#e
    this.#e = value
    return isMore
  }

  #m ({ code, subcode, words, values }: Command, line: number): void {
    if (subcode !== 0) return
    if (code === 82) this.#isRelativeE = false
    else if (code === 83) this.#isRelativeE = true
    else if ((code === 140 || code === 190) && (words & wordBit('S')) !== 0) this.#bedC = values[S]!
    else if (code === 622) this.openBlocks++
    else if (code === 623) this.openBlocks = Math.max(0, this.openBlocks - 1)
    else if (code === 18 || code === 84) this.#switchedOff(line)
  }

  #switchedOff (line: number): void {
    if (this.openBlocks > 0) this.problem ??= 'the printer decides whether its motors are switched off'
    this.motorsOff ??= { line, isRelative: this.#isRelative }
  }
}

/** Finds the places while the G-code comes in pieces. */
export class PlaceFinder {
  readonly #listener = new PlaceListener()
  readonly #scanner = new Scanner(this.#listener)

  write (bytes: Uint8Array): void { this.#scanner.write(bytes) }

  /** @returns the places, or why there are none */
  end (): Places | string {
    this.#scanner.end()
    const { problem, startLine, lastExtrusion, lastLine, lastRelative, ...found } = this.#listener
    const { heightMm, bedC, openBlocks } = found
    if (problem !== undefined) return problem
    if (lastExtrusion === 0) return 'nothing is printed in it'
    if (openBlocks > 0) return 'it ends within commands that the printer may skip'
    const places = { startLine, heightMm, bedC }
    const { motorsOff, blockEnd } = found
    if (motorsOff && motorsOff.line > lastExtrusion) {
      return { ...places, endLine: motorsOff.line - 1, endPlace: 'before_motors_off', isRelative: motorsOff.isRelative }
    }
    if (blockEnd && blockEnd.line > lastLine) {
      return { ...places, endLine: blockEnd.line - 1, endPlace: 'before_block_end', isRelative: blockEnd.isRelative }
    }
    return { ...places, endLine: lastLine, endPlace: 'end_of_file', isRelative: lastRelative }
  }
}
