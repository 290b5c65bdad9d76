// What `npm test` prints: one line for each folder, every failure with its details, and the totals. tap's own reporters
// draw their running count anew for each assertion, which takes several minutes of processor time for all of them.
import { Transform } from 'node:stream'

const OUTERMOST = /^(?:ok|not ok|#|1\.\.|Bail out!)/
const FAILURE = /^ *(?:not ok|Bail out!)/
const DETAILS_BEGIN = /^ *---$/
const DETAILS_END = /^ *\.\.\.$/

export default class Reporter extends Transform {
  #rest = ''
  #isAfterFailure = false
  #isInDetails = false

  _transform (chunk, _encoding, done) {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = lines.pop()
    done(null, lines.filter(line => this.#isShown(line)).map(line => `${line}\n`).join(''))
  }

  _flush (done) { done(null, this.#rest) }

  #isShown (line) {
    if (this.#isInDetails) {
      this.#isInDetails = !DETAILS_END.test(line)
      return true
    }
    this.#isInDetails = this.#isAfterFailure && DETAILS_BEGIN.test(line)
    this.#isAfterFailure = FAILURE.test(line)
    return this.#isInDetails || this.#isAfterFailure || (OUTERMOST.test(line) && !line.startsWith('# Subtest'))
  }
}
