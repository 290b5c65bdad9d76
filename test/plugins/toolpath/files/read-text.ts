import { createFinder } from '../../../../plugins/toolpath/findings/finder.js'
import type { Target } from '../../../../plugins/toolpath/findings/types.js'
import { Pass, type PassOptions } from '../../../../plugins/toolpath/pass.js'
import type { Reading } from '../../../../plugins/toolpath/reading.js'

/** Reads a text as the thread does. */
export function readText (
  text: string | Uint8Array, target: Pick<Target, 'model' | 'nozzleByTool'>,
  { isCutOff = false, md5, others }: Pick<PassOptions, 'md5' | 'others'> & { readonly isCutOff?: boolean } = {}
): Reading {
  const pass = new Pass({
    finder: get => createFinder(target, get),
    writeTrack () {},
    mostTrackBytes: 0,
    md5,
    others
  })
  pass.write(typeof text === 'string' ? Buffer.from(text) : text)
  return pass.end(isCutOff)
}
