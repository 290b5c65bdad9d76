import type { HeatRecord } from '../types.js'
import type { Db } from './tables.js'

/** Recorded before anything is heated, so that it is switched off even if the service is killed. */
export async function begin (db: Db, serial: string, heat: HeatRecord): Promise<void> {
  const { run, owner, bedC, chamberC, minutes, heatedAt } = heat
  const row = { run, owner, bed: bedC, chamber: chamberC, minutes, heated_at: heatedAt, warm_at: null }
  await db.insertInto('queue_heats').values({ id: serial, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row)).execute()
}

export async function warm (db: Db, { run }: Pick<HeatRecord, 'run'>, warmAt: number | undefined): Promise<void> {
  await db.updateTable('queue_heats').set({ warm_at: warmAt ?? null }).where('run', '=', run).execute()
}

/** It was switched off, or belongs to the print. */
export async function end (db: Db, { run }: Pick<HeatRecord, 'run'>): Promise<void> {
  await db.deleteFrom('queue_heats').where('run', '=', run).execute()
}

export async function readHeats (db: Db): Promise<ReadonlyMap<string, HeatRecord>> {
  const rows = await db.selectFrom('queue_heats').leftJoin('queue_runs', 'queue_runs.id', 'queue_heats.run')
    .selectAll('queue_heats').select('queue_runs.printer').execute()
  return new Map(rows.map(({ id, run, printer, owner, bed, chamber, minutes, heated_at: heatedAt, warm_at: warmAt }) =>
    [id, { run, printer: printer ?? '', owner, bedC: bed, chamberC: chamber, minutes, heatedAt, warmAt: warmAt ?? undefined }]))
}
