import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { toSafeFileName, openJsonStore, type JsonStore } from '../../../core/index.js'
import { StatusBody, VerdictName } from '../schemas.js'
import type { HealthResult } from '../types.js'

const Maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** A result as stored on disk, without pictures. */
const StoredResult = Type.Object({
  verdict: VerdictName,
  stable_verdict: Maybe(VerdictName),
  anomaly_score: Type.Number(),
  hot_pct: Maybe(Type.Number()),
  strand_score: Maybe(Type.Number()),
  diff_score: Maybe(Type.Number()),
  stage: Type.Integer(),
  stage_name: Type.String(),
  stage_gated: Type.Boolean(),
  success_probability: Maybe(Type.Number()),
  decision_confidence: Maybe(Type.Number()),
  factor_contributions: Maybe(Type.Record(Type.String(), Type.Number())),
  layer: Type.Integer(),
  total_layers: Type.Integer(),
  progress_pct: Type.Number(),
  remaining_min: Type.Number(),
  gcode_state: Type.String(),
  ams_humidity: Type.Number(),
  status: Type.Optional(StatusBody),
  timestamp: Type.String()
})
const File = Type.Object({ result: Maybe(StoredResult) })

/** The last result of each printer, on disk. */
export interface Persistence {
  load (printer: string): Promise<HealthResult | undefined>
  save (printer: string, result: HealthResult | undefined): Promise<void>
  /** Refuses new reads and writes, and resolves when those under way are done. */
  close (): Promise<void>
}

export function createPersistence (folder: () => Promise<string>, warn: (message: string) => void): Persistence {
  const stores = new Map<string, Promise<JsonStore<Static<typeof File>>>>()
  const pending = new Set<Promise<unknown>>()
  let closed = false

  const storeOf = (printer: string) => {
    const known = stores.get(printer) ?? folder().then(path =>
      openJsonStore(join(path, `job_health_${toSafeFileName(printer)}.json`), { schema: File, initial: { result: null }, warn }))
    stores.set(printer, known)
    known.catch(() => stores.delete(printer)) // opening may succeed later
    return known
  }
  /** At shutdown sessions outlive the plugins; their late results are dropped. */
  async function whileOpen<T> (work: () => Promise<T>): Promise<T | undefined> {
    if (closed) return undefined
    const running = work()
    pending.add(running)
    return await running.finally(() => pending.delete(running))
  }
  return {
    load: printer => whileOpen(async () =>
      ((await storeOf(printer)).get().result ?? undefined) as HealthResult | undefined),
    save: (printer, result) => whileOpen(async () =>
      await (await storeOf(printer)).set({ result: (result ?? null) as Static<typeof File>['result'] })),
    async close () {
      closed = true
      await Promise.allSettled(pending)
    }
  }
}
