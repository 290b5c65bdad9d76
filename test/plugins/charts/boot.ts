import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { definePlugin, definePreset, type PluginEntry } from '../../../core/index.js'
import { chartsWith, type ChartPanel, type OpenBrowser } from '../../../plugins/charts/index.js'
import filament from '../../../plugins/filament/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import state from '../../../plugins/state/index.js'
import telemetry, { type HealthRecord } from '../../../plugins/telemetry/index.js'
import { boot, type BootOptions, type Booted } from '../../helpers/boot-features.js'

export interface ChartsBooted extends Booted {
  /** Addresses that a browser was asked to open. */
  readonly opened: readonly string[]
  /** Where pages for the browser are written. */
  readonly folder: string
}

interface ChartsOptions extends BootOptions {
  /** Contributed by a plugin named `outside`. */
  readonly charts?: readonly ChartPanel[]
  readonly records?: (printer: string) => readonly HealthRecord[]
  readonly also?: PluginEntry
  /** What opening a browser answers. @default true */
  readonly browser?: boolean
}

/** An application of just the surfaces, telemetry and charts, with a fake browser. */
export async function bootCharts (t: Test, options: ChartsOptions = {}): Promise<ChartsBooted> {
  const { charts = [], records = () => [], also, browser = true, ...rest } = options
  const opened: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'prnd-pages-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const openBrowser: OpenBrowser = async address => {
    opened.push(address)
    return browser
  }
  const outside = definePlugin({
    name: 'outside',
    version: '1.0.0',
    kernel: '^2.0.0',
    contributes: { charts, healthHistory: [{ records }] }
  })
  const preset = definePreset({
    name: 'charts',
    plugins: [openapi, http, mcp, filament, state, telemetry, chartsWith({ folder, openBrowser }), outside, also]
  })
  const booted = await boot(t, { preset, ...rest })
  return Object.assign(booted, { opened, folder })
}
