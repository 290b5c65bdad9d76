import { Gauge, type Registry, type RegistryContentType } from 'prom-client'
import type { Events, Kernel } from '../../core/index.js'
import { PRINTER_FIGURES, stateSet, type PrinterFigure } from './printer-figures.js'

type Verdict = Events['health:verdict'][1]['verdict']

const VERDICTS = ['clean', 'warning', 'critical'] as const
const UP = 'prnd_printer_up'
const HEALTH = 'prnd_print_health'

export const PRINTER_NAMES: readonly string[] = [UP, HEALTH, ...PRINTER_FIGURES.map(({ name }) => name)]

/**
 * Metrics of each printer, read at each scrape. A printer without current reports has only the metric that says so,
 * because old values would look current.
 */
export function addPrinterGauges (registry: Registry<RegistryContentType>, { printers }: Pick<Kernel, 'printers'>) {
  const registers = [registry]
  const verdicts = new Map<string, Verdict>()

  for (const { name, help, labels, read } of PRINTER_FIGURES) {
    addLive(name, help, labels, read)
  }
  addLive(HEALTH, 'Verdict of the job monitor; nothing without one', ['verdict'], (_state, { name }) => {
    const verdict = verdicts.get(name)
    return verdict === undefined ? [] : stateSet('verdict', VERDICTS, verdict)
  })
  new Gauge({ // eslint-disable-line no-new
    name: UP,
    help: '1 if the reports of the printer are current',
    labelNames: ['printer'],
    registers,
    collect () {
      this.reset()
      for (const printer of printers.names) this.set({ printer }, printers.get(printer)?.live === true ? 1 : 0)
    }
  })

  function addLive (name: string, help: string, labels: readonly string[], read: PrinterFigure['read']): void {
    new Gauge({ // eslint-disable-line no-new
      name,
      help,
      labelNames: ['printer', ...labels],
      registers,
      collect () {
        this.reset()
        for (const session of printers.sessions) {
          if (!session.live || session.state === undefined) continue
          for (const [own, value] of read(session.state, session)) this.set({ printer: session.name, ...own }, value)
        }
      }
    })
  }

  return {
    judge: (printer: string, verdict: Verdict): void => { verdicts.set(printer, verdict) },
    forget: (printer: string): void => { verdicts.delete(printer) }
  }
}
