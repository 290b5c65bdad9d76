import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toSafeFileName, writePrivateFile, type OpenBrowser, type PrinterSession } from '../../core/index.js'
import { analysisFailed, noImages, noResult } from './errors.js'
import type { Monitor } from './monitor/monitor.js'
import type { AssetName } from './pictures/names.js'
import type { AnalysisWorker } from './worker/analysis-worker.js'

export interface OpenDeps {
  readonly monitor: Monitor
  readonly analyst: AnalysisWorker
  readonly folder: string
  readonly openBrowser: OpenBrowser
}

/** The pictures to open, by label. */
const SHOWN = {
  composite: 'job_state_composite_jpg',
  annotated: 'annotated_png',
  health: 'health_panel_png',
  raw: 'raw_png'
} as const satisfies Record<string, AssetName>

const endingOf = (name: AssetName) => name.endsWith('_jpg') ? 'jpg' : 'png'

/** Writes the pictures of the monitor's last result to files, and opens them on the host if `show` is set. */
export const createOpener = ({ monitor, analyst, folder, openBrowser }: OpenDeps) =>
  async ({ name }: PrinterSession, show: boolean) => {
    const { result, pictures } = monitor.of(name)
    if (!result) throw noResult(name)
    if (!pictures) throw noImages(name)
    const assets = await analyst.run({ kind: 'render', ...pictures.source })
      .catch((error: Error) => { throw analysisFailed(error.message, error) })
    const paths: Record<string, string> = {}
    let opened = show
    for (const [label, asset] of Object.entries(SHOWN)) {
      const bytes = assets[asset]
      if (bytes === null) continue
      const path = join(folder, `prnd-job-state-${toSafeFileName(name)}_${label}.${endingOf(asset)}`)
      await writePrivateFile(path, bytes)
      paths[label] = path
      if (show) opened = await openBrowser(pathToFileURL(path).href) && opened
    }
    return {
      opened,
      composite_path: paths.composite ?? '',
      paths,
      verdict: result.verdict,
      stable_verdict: result.stable_verdict ?? 'clean',
      score: result.anomaly_score,
      layer: result.layer,
      total_layers: result.total_layers,
      progress_pct: result.progress_pct,
      timestamp: result.timestamp
    }
  }
