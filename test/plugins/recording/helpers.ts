import type { Recording } from '../../../plugins/recording/index.js'
import { newId } from '../../../plugins/recording/store.js'

/** A finished recording. */
export const sample = (given: Partial<Recording> = {}): Recording => ({
  id: newId(),
  printer: 'p1s',
  kind: 'evidence',
  status: 'ready',
  started_at: '2026-01-01T00:00:00.000Z',
  duration_s: 1,
  bytes: 0,
  job: { name: '', task_id: '' },
  alerts: [],
  problem: null,
  ...given
})
