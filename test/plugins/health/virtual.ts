import type { Alert } from '../../../plugins/alerts/index.js'
import type { ManualClock } from '../../../plugins/emulator/index.js'
import type { Booted, BootOptions } from '../../../presets/testing/index.js'
import { eventually } from '../../helpers/eventually.js'

const ANALYSE_EVERY_MS = 61_000
/** The start of a job, with its stages, is over by then. */
const START_MS = 90_000
const PATIENCE_MS = 60_000

/** A printer with a camera whose pictures are small enough to come often. */
export const MODELS: NonNullable<BootOptions['models']> = [{ model: 'P1S', camera: { width: 640, height: 360, fps: 10 } }]

/**
 * Makes the clock that never jumps go with one that stands still between steps, so that a minute takes as long as
 * its analysis. To be called before the service starts. @returns how to end it
 */
export function bindSteady (clock: ManualClock): () => void {
  const { now } = performance
  const [begun, real] = [clock.now(), now.bind(performance)]
  performance.now = () => real() + clock.now() - begun
  return () => { performance.now = now }
}

/** Begins a job and analyses it minute by minute. */
export async function watchJob ({ kernel, name, printer }: Booted, clock: ManualClock, minutes: number) {
  const alerts: Alert[] = []
  kernel.events.on('alert', alert => { if (alert.type.startsWith('health_')) alerts.push(alert) })
  const session = kernel.printers.resolve(name)
  const { monitor } = kernel.services.health
  printer.startJob({ minutes, layers: 200 })
  clock.advance(START_MS)
  await eventually(() => session.state?.job.gcodeState === 'RUNNING' && session.state.job.stage.id === 0, PATIENCE_MS)
  return {
    alerts,
    /** Lets a minute pass and waits for its analysis. */
    async analyse () {
      const before = monitor.of(name).records.at(-1)
      clock.advance(ANALYSE_EVERY_MS)
      await eventually(async () => {
        await monitor.tick(session)
        return monitor.of(name).records.at(-1) !== before
      }, PATIENCE_MS, 50)
      return monitor.of(name).result
    }
  }
}
