/** One line of a figure. */
export interface Value {
  /** Where it is not the figure's own: parts of a histogram. */
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A figure costs nothing but counting until somebody reads it. */
export interface MetricSource {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly read: () => readonly Value[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
/** What the process itself does is told under these, by a library that is loaded at the first question. */
const PROCESS = /^(process|nodejs)_/

/** @throws TypeError for a name that Prometheus does not take, that two have, or that the process itself may have */
export function checkNames (figures: readonly MetricSource[]): void {
  const names = new Set<string>()
  for (const { name } of figures) {
    if (!NAME.test(name)) throw new TypeError(`'${name}' is no name for a figure: letters, digits and _`)
    if (PROCESS.test(name)) throw new TypeError(`'${name}': names that begin with process_ or nodejs_ are taken`)
    if (names.has(name)) throw new TypeError(`Two figures are named '${name}'`)
    names.add(name)
  }
}
