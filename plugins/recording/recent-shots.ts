import type { Dispose, PrinterSession } from '../../core/index.js'
import type { CameraManager } from '../camera/index.js'
import { createShotRing, shotOfFrame, shotOfUnit, type Shot, type ShotRing } from './shot-ring.js'

/** Buffers the latest video of cameras that are already connected. */
export interface RecentShots {
  follow (session: PrinterSession): Dispose
  /** The latest shots, starting with a key frame. */
  last (session: PrinterSession): readonly Shot[]
  /** Applies changed settings: drops the buffer of a printer that is switched off. */
  review (printer: string): void
  close (): void
}

export interface RecentShotsDeps {
  readonly camera: Pick<CameraManager, 'protocol' | 'tap'>
  /** Whether a printer's video may be buffered. */
  readonly isWanted: (printer: string) => boolean
  /** Called for each shot. */
  readonly onShot: (session: PrinterSession, shot: Shot) => void
  readonly now: () => number
  readonly spanMs: number
  /** Limit for all cameras together. @default 64 MiB */
  readonly mostBytes?: number
}

/** Pruning also runs periodically, for cameras that no longer send anything. */
const PRUNE_MS = 10_000

const MOST_BYTES = 64 * 1024 * 1024

/** Enforces the memory limit for all cameras together: the largest buffers are shortened. */
function share (rings: Iterable<ShotRing>, mostBytes: number): void {
  const bySize = [...rings].sort((a, b) => b.bytes - a.bytes)
  let total = bySize.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const ring of bySize) {
    while (total > mostBytes && ring.bytes > mostBytes / bySize.length) {
      const before = ring.bytes
      if (!ring.dropOldest()) break
      total -= before - ring.bytes
    }
  }
}

export function createRecentShots (deps: RecentShotsDeps): RecentShots {
  const { camera, isWanted, onShot, now, spanMs, mostBytes = MOST_BYTES } = deps
  const rings = new Map<PrinterSession, ShotRing>()
  const pruning = setInterval(() => { for (const ring of rings.values()) ring.prune(now()) }, PRUNE_MS).unref()

  return {
    follow (session) {
      const ring = createShotRing({ spanMs })
      rings.set(session, ring)
      const take = (shot: Shot) => {
        if (isWanted(session.name)) {
          ring.push(shot)
          if (shot.key) share(rings.values(), mostBytes)
        }
        onShot(session, shot)
      }
      const dispose = camera.tap(session, {
        onUnit: unit => take(shotOfUnit(unit)),
        onFrame (frame) { if (camera.protocol(session) === 'tcp_tls') take(shotOfFrame(frame)) } // otherwise frames are decoded from units
      })
      return () => {
        dispose()
        rings.delete(session)
      }
    },
    last: session => rings.get(session)?.since(now()) ?? [],
    review (printer) { for (const [{ name }, ring] of rings) if (name === printer && !isWanted(name)) ring.clear() },
    close: () => clearInterval(pruning)
  }
}
