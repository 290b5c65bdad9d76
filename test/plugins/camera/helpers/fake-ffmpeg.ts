import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** What a program that calls itself ffmpeg does in place of the real one. */
const DEEDS = {
  /** Shows a picture for whatever it is given. */
  shows: `const jpeg = readFileSync(process.argv[1] + '.jpg')
    process.stdin.on('data', () => process.stdout.write(jpeg)).on('end', () => process.exit(0))`,
  /** Does nothing, and does not end when asked to. */
  hangs: 'process.on(\'SIGTERM\', () => {}); process.stdin.resume(); setInterval(() => {}, 1000)',
  ends: 'process.exit(0)',
  fails: 'console.error(\'no such codec: h264\'); process.exit(8)',
  /** Complains as fast as it can, and never shows anything. */
  complains: 'const more = () => { process.stderr.write(\'x\'.repeat(65536), () => setImmediate(more)) }; more()',
  /** Sends zeros as fast as it can. */
  zeros: 'const more = () => { process.stdout.write(Buffer.alloc(65536), () => setImmediate(more)) }; more()'
} as const
export type Deed = keyof typeof DEEDS

/** @returns the path of a program; the picture is what it shows, if it shows any */
export function fakeFfmpeg (t: Pick<Test, 'teardown'>, deed: Deed, jpeg: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'prnd-ffmpeg-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, `ffmpeg-${deed}.mjs`)
  const answer = "if (process.argv.some(word => ['-version', '-encoders'].includes(word))) { console.log('ffmpeg version 6.1'); process.exit(0) }"
  writeFileSync(path, `#!${process.execPath}\nimport { readFileSync } from 'node:fs'\n${answer}\n${DEEDS[deed]}\n`)
  writeFileSync(`${path}.jpg`, jpeg)
  chmodSync(path, 0o755)
  return path
}
