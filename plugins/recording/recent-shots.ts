import type { Dispose, PrinterSession } from '../../core/index.js'
import type { CameraManager } from '../camera/index.js'
import { createShotRing, shotOfFrame, shotOfUnit, type Shot, type ShotRing } from './shot-ring.js'

/** Remembers what the cameras have shown, without connecting to any of them. */
export interface RecentShots {
  follow (session: PrinterSession): Dispose
  /** What the camera has shown last, from a key picture on. */
  last (session: PrinterSession): readonly Shot[]
  /** Forgets what was shown before a printer was switched off. */
  review (printer: string): void
  close (): void
}

export interface RecentShotsDeps {
  readonly camera: Pick<CameraManager, 'protocol' | 'tap'>
  /** Whether what a printer shows may be remembered. */
  readonly isWanted: (printer: string) => boolean
  /** Takes each picture as well. */
  readonly onShot: (session: PrinterSession, shot: Shot) => void
  readonly now: () => number
  readonly spanMs: number
  /** Of all cameras together. @default 64 MiB */
  readonly mostBytes?: number
}

/** What a camera showed that nobody looks at any more is not kept for longer than needed. */
const PRUNE_MS = 10_000

const MOST_BYTES = 64 * 1024 * 1024

/** A wall of cameras takes no more memory than a few: those that hold most remember a shorter time. */
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
        onFrame (frame) { if (camera.protocol(session) === 'tcp_tls') take(shotOfFrame(frame)) } // else decoded from it
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
